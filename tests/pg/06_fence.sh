#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# A loader stopped in the middle of a commit is taken for dead; a second one finishes its work;
# when the first wakes up, nothing it had in hand may count.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 3000 >items.jsonl
whole_load items.jsonl

# places where a commit waits for as long as somebody holds advisory lock 4242
wait_function
copy_waits orders
q "create trigger at_marks before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.wait_row()" >/dev/null

# fence SCHEMA: the first loader is stopped where its commit waits.
fence() {
    local schema=$1 first status=0
    hold "select pg_advisory_lock(4242)"
    start "first_$schema" "$RENORM" export items.jsonl "$URL" -m model.json --schema "$schema" -w 1 --lease-seconds 3
    first=$STARTED
    waits_at 4242
    equal "alive: refused" "$("$RENORM" export items.jsonl "$URL" -m model.json --schema "$schema" 2>&1 | grep -c 'is under way on')" 1
    kill -s STOP "$first"
    # the server goes on with what it has: the commit stands before its COMMIT, or inside a COPY
    tell "select pg_advisory_unlock(4242)"
    let_go
    wait_until '"$RENORM" export items.jsonl "$URL" -m model.json --schema '"$schema"' -w 1 --lease-seconds 3 >out.txt 2>err.txt || { grep -q "under way" err.txt || cat err.txt; false; }'
    pg_rows_of "$schema" model.json >got.txt
    diff want.txt got.txt >diff.txt || { head diff.txt; fail "$schema: rows differ"; }
    kill -s CONT "$first"
    wait "$first" || status=$?
    cat "$SCRATCH/first_$schema.log"
    pg_rows_of "$schema" model.json >got.txt
    diff want.txt got.txt >diff.txt || { head diff.txt; fail "$schema: rows differ after the first woke up"; }
    equal "$schema: published once" "$(q "select count(*) from renorm.run where target = '$schema' and state = 'published'")" 1
    [ "$status" != 0 ] || fail "$schema: the first did not notice that it had lost its segment"
}

fence at_marks
q "drop trigger at_marks on renorm.segment" >/dev/null
fence at_copy
