#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The operator asks to stop: a step that waits for a lock, a swap that does, and a server that is
# away are no reason to go on waiting. Status 130, and the same command again goes on.
. "$(dirname "$0")/lib.sh"
pg_start
new_db
shop_model >model.json
items 3000 >items.jsonl
whole_load items.jsonl
export_ok items.jsonl "$URL" -m model.json --schema swapped

# loading SCHEMA SQL OPTION...: a load that will wait for what the SQL holds
loading() {
    hold "$2"
    start load "$RENORM" export items.jsonl "$URL" -m model.json --schema "$1" "${@:3}"
    pid=$STARTED
}
# stopped SIGNAL: the load ends soon, and as one that was asked to
stopped() {
    local status=0
    kill -s "$1" "$pid"
    wait_until 'case $(ps -o stat= -p '"$pid"') in Z* | "") ;; *) false ;; esac' 30 || { cat load.log; fail "it goes on waiting"; }
    wait "$pid" || status=$?
    if [ "$status" != 130 ]; then cat load.log; fail "exit status $status, not 130"; fi
    grep -q "interrupted; run the same command again to go on" load.log || { cat load.log; fail "it did not say so"; }
}
goes_on() {
    export_ok items.jsonl "$URL" -m model.json --schema "$1"
    diff want.txt <(pg_rows_of "$1" model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    equal "$1: not begun anew" "$(q "select count(*) from renorm.run where target = '$1' and state = 'abandoned'")" 0
}

loading step "begin; lock table renorm.reject in access exclusive mode"
waits_for "relation = 'renorm.reject'::regclass"
stopped INT
let_go
goes_on step

loading swapped "begin; select count(*) from swapped.orders"
waits_for "relation = 'swapped.orders'::regclass"
stopped TERM
let_go
equal "the old tables stand" "$(q "select count(*) from swapped.orders")" 2700
goes_on swapped

# away while rows come, and behind them
q "create function public.gate() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(80); return new; end';
   create trigger gate before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.gate();
   create trigger gate before update on renorm.step for each row execute function public.gate();
   alter table renorm.segment disable trigger gate" >/dev/null
for table in step segment; do
    if [ $table = segment ]; then q "alter table renorm.segment enable trigger gate" >/dev/null; fi
    loading "away_$table" "begin; select pg_advisory_lock(80)" -w 2
    waits_at 80
    let_go
    pg_stop QUIT
    stopped INT
    pg_run
    goes_on "away_$table"
done
