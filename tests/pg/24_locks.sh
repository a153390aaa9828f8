#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Deadlocks and lock time-outs that the server really reports, as its log shows: in a commit of
# rows, in a step and in publishing. Each heals by itself, and nothing is lost or doubled.
. "$(dirname "$0")/lib.sh"
pg_start log_line_prefix='%e ' deadlock_timeout=200ms
new_db
shop_model >model.json
items 3000 >items.jsonl
items 500 >few.jsonl
export_ok few.jsonl "$URL" -m model.json --schema target
whole_load items.jsonl
reported() { grep -c "^$1 ERROR" "$SCRATCH/postgres.log" || true; }
holder() { hold "set deadlock_timeout = '1h'; begin; $1"; }
loaded() {
    wait "$loader" || { cat load.log; fail "$1: it did not heal"; }
    diff want.txt <(pg_rows_of target model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    export_ok few.jsonl "$URL" -m model.json --schema target --allow shrink
}

# while the holder has lock 2, the loader takes lock 1, waits until the holder wants that, and asks
# for lock 2: a deadlock, and it is the loader's to find. One connection: another that waits for lock
# 1 would be taken for the holder
q "create function public.tangle() returns trigger language plpgsql as \$\$
   begin
       if exists (select from pg_locks where classid = 81 and objid = 2 and granted) then
           perform pg_advisory_xact_lock(81, 1);
           while exists (select from pg_locks where classid = 81 and objid = 2 and granted)
                 and not exists (select from pg_locks where classid = 81 and objid = 1 and not granted) loop
               perform pg_sleep(0.02);
           end loop;
           perform pg_advisory_xact_lock(81, 2);
       end if;
       return new;
   end \$\$" >/dev/null
for table in segment step run; do
    q "create trigger tangle before update on renorm.$table for each row execute function public.tangle()" >/dev/null
    before=$(reported 40P01)
    holder "select pg_advisory_xact_lock(81, 2)"
    start load "$RENORM" export items.jsonl "$URL" -m model.json --schema target -w 1
    loader=$STARTED
    wait_until '[ "$(q "select count(*) from pg_locks where classid = 81 and objid = 1 and granted")" = 1 ]'
    echo "select pg_advisory_xact_lock(81, 1); commit;" >&7
    wait_until '[ "$(reported 40P01)" -gt '"$before"' ]'
    let_go
    loaded "deadlock at $table"
    q "drop trigger tangle on renorm.$table" >/dev/null
done

# publishing asks for its locks with a short time-out: others get through in between
holder "select count(*) from target.orders"
start load "$RENORM" export items.jsonl "$URL" -m model.json --schema target
loader=$STARTED
wait_until '[ "$(reported 55P03)" -ge 2 ]'
equal "readers see the old rows" "$(q "select count(*) from target.orders")" 450
echo "commit;" >&7
let_go
loaded "lock time-out"
