#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# A loader stopped in the middle of a commit is taken for dead; a second one finishes its work;
# when the first wakes up, nothing it had in hand may count.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 3000 >items.jsonl
export_ok items.jsonl "$URL" -m model.json --schema whole
pg_rows_of whole model.json >want.txt

# places where a commit waits for as long as somebody holds advisory lock 4242
q "create function public.wait_row() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(4242); return new; end';
   create trigger at_marks before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.wait_row();
   create function public.hook() returns event_trigger language plpgsql as '
       declare c record;
       begin
           for c in select * from pg_event_trigger_ddl_commands() loop
               if c.object_identity ~ ''^renorm_run_.*\.orders$'' then
                   execute format(''create trigger at_copy before insert on %s for each statement
                                    execute function public.wait_row()'', c.object_identity);
               end if;
           end loop;
       end';
   create event trigger at_copy on ddl_command_end when tag in ('CREATE TABLE')
       execute function public.hook()" >/dev/null

# fence SCHEMA: the first loader is stopped where its commit waits.
fence() {
    local schema=$1 first status=0
    mkfifo "hold_$schema"
    start "holder_$schema" psql -XqAt -d "$URL" -f "hold_$schema"
    exec 7>"hold_$schema"
    echo "select pg_advisory_lock(4242), 'held';" >&7
    wait_until 'grep -q held "$SCRATCH/holder_'"$schema"'.log"'
    start "first_$schema" "$RENORM" export items.jsonl "$URL" -m model.json --schema "$schema" -w 1 --lease-seconds 3
    first=$STARTED
    wait_until '[ "$(q "select count(*) from pg_locks where locktype = '"'advisory'"' and objid = 4242 and not granted")" = 1 ]'
    equal "alive: refused" "$("$RENORM" export items.jsonl "$URL" -m model.json --schema "$schema" 2>&1 | grep -c 'is under way on')" 1
    kill -s STOP "$first"
    # the server goes on with what it has: the commit stands before its COMMIT, or inside a COPY
    echo "select pg_advisory_unlock(4242);" >&7
    exec 7>&-
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
