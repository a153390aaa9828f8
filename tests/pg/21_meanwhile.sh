#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Between the look at the target and publishing, hours may pass: what others put there meanwhile is
# found under the locks, named, and left alone; the run stays and is published when it is gone.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 50 >a.jsonl
{ items 80; echo '{"PK":{"S":"x"},"SK":{"S":"x"},"Type":{"S":"Unknown"}}'; } >b.jsonl

# refused SCHEMA MODE WHAT: a held run is not published, and why
refused() {
    export_exit 2 b.jsonl "$URL" -m model.json --schema "$1" --mode "$2" --max-unrouted 1
    said "$3"
    equal "$1: the run is still there" "$(q "select count(*) from renorm.run where target = '$1' and state = 'held'")" 1
}
published() {
    export_ok b.jsonl "$URL" -m model.json --schema "$1" --mode "$2" --max-unrouted 1
    equal "$1: published" "$(q "select count(*) from $1.orders")" 72
}

for mode in replace merge; do
    export_exit 1 b.jsonl "$URL" -m model.json --schema "new_$mode" --mode $mode
    q "create schema if not exists new_$mode; create table new_$mode.customer (precious text);
       insert into new_$mode.customer values ('mine')" >/dev/null
    refused "new_$mode" $mode "\"new_$mode\".\"customer\" is in the way"
    equal "a stranger's table" "$(q "select * from new_$mode.customer")" mine
    q "drop table new_$mode.customer; create view new_$mode.customer as select 1 as x" >/dev/null
    refused "new_$mode" $mode "\"new_$mode\".\"customer\" is in the way"
    q "drop view new_$mode.customer" >/dev/null
    published "new_$mode" $mode
done

# things that hang on the tables to be replaced
export_ok a.jsonl "$URL" -m model.json --schema old
export_exit 1 b.jsonl "$URL" -m model.json --schema old
q "create function public.f() returns trigger language plpgsql as 'begin return new; end';
   create trigger watch before insert on old.orders for each row execute function public.f()" >/dev/null
refused old replace 'trigger "watch" on old.orders'
q "drop trigger watch on old.orders; create policy mine on old.customer using (true)" >/dev/null
refused old replace 'policy "mine" on table old.customer'
q "drop policy mine on old.customer" >/dev/null
# an index made meanwhile comes along
q "create index by_name on old.customer (lower(name))" >/dev/null
published old replace
equal "the index" "$(q "select indexdef from pg_indexes where indexname = 'by_name'")" "CREATE INDEX by_name ON old.customer USING btree (lower(name))"

# made by a transaction that ends while the swap waits for its lock
hold "begin; create trigger watch before insert on old.orders for each row execute function public.f()"
start loader "$RENORM" export a.jsonl "$URL" -m model.json --schema old
loader=$STARTED
waits_for "relation = 'old.orders'::regclass and mode = 'AccessExclusiveLock'"
tell commit
let_go
status=0
wait "$loader" || status=$?
equal "status" "$status" 2
grep -q 'trigger "watch" on old.orders' loader.log || { cat loader.log; fail "it did not name the trigger"; }
equal "the old rows" "$(q "select count(*) from old.orders")" 72
q "drop trigger watch on old.orders" >/dev/null
export_ok a.jsonl "$URL" -m model.json --schema old
equal "the new rows" "$(q "select count(*) from old.orders")" 45
