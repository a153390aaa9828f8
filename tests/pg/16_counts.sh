#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Staged rows that are not as many as were committed are never shown to readers, in whatever mode.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 500 >items.jsonl
export_ok items.jsonl "$URL" -m model.json --schema before
pg_rows_of before model.json >before.txt

# spoil TABLE SQL: it is run on a staging table as soon as its load is complete.
spoil() {
    q "create or replace function public.spoil() returns trigger language plpgsql as
           'begin execute format(\$s\$ $2 \$s\$, ''renorm_run_'' || new.run, ''$1''); return new; end'" >/dev/null
}
q "create function public.spoil() returns trigger language plpgsql as 'begin return new; end';
   create trigger spoil before update on renorm.run for each row
       when (new.loaded and not old.loaded) execute function public.spoil()" >/dev/null

one_less='delete from %1$I.%2$I where ctid = (select min(ctid) from %1$I.%2$I)'
for args in "" "--mode append" "--mode merge" "--unlogged" "--duplicates last"; do
    spoil order_line "$one_less"
    # shellcheck disable=SC2086
    export_exit 4 items.jsonl "$URL" -m model.json --schema lost $args --restart
    said '"order_line" holds 899 rows, the ledger counts 900'
    equal "$args: nothing shown" "$(q "select to_regclass('lost.orders') is null")" t
    equal "$args: not published" "$(q "select state from renorm.run where target = 'lost' order by run desc limit 1")" loading
done
spoil orders 'insert into %1$I.%2$I select * from %1$I.%2$I limit 2'
export_exit 4 items.jsonl "$URL" -m model.json --schema lost --restart
said '"orders" holds 452 rows, the ledger counts 450'
# the same again says the same; what readers have stays
q "drop trigger spoil on renorm.run" >/dev/null
export_exit 4 items.jsonl "$URL" -m model.json --schema lost
said '--restart loads everything anew'
export_exit 2 items.jsonl "$URL" -m model.json --schema lost --no-constraints
export_ok items.jsonl "$URL" -m model.json --schema lost --restart
diff before.txt <(pg_rows_of lost model.json) >diff.txt || { head diff.txt; fail "rows differ"; }

# rejects count too
{ cat items.jsonl; echo '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Nobody"}}'; echo nonsense; } >bad.jsonl
q "create or replace function public.spoil() returns trigger language plpgsql as
       'begin delete from renorm.reject where run = new.run and kind = ''unrouted''; return new; end';
   create trigger spoil before update on renorm.run for each row
       when (new.loaded and not old.loaded) execute function public.spoil()" >/dev/null
export_exit 4 bad.jsonl "$URL" -m model.json --schema lost --max-rejects 1 --max-unrouted 1
said '"renorm.reject" holds 1 rows, the ledger counts 2'
