#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Replacing tables that others use: what can be carried over is, what cannot is listed before the
# load, and tables that are not ours are left alone.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 50 >a.jsonl
items 80 >b.jsonl
export_ok a.jsonl "$URL" -m model.json
q "create role reader_$$; create role boss_$$;" >/dev/null
at_exit "pg_query '$(pg_url)' 'drop role reader_$$' >/dev/null; pg_query '$(pg_url)' 'drop role boss_$$' >/dev/null"
at_exit "pg_query '$URL' 'drop owned by reader_$$, boss_$$ cascade' >/dev/null"
q "grant usage on schema shop to reader_$$;
   grant select on shop.customer to reader_$$; grant update (name) on shop.customer to reader_$$;
   grant create on schema shop to boss_$$; alter table shop.orders owner to boss_$$;
   comment on table shop.customer is 'our customers'; comment on column shop.customer.name is 'full name';
   create index customer_by_name on shop.customer (lower(name));
   create table shop.stranger (x int); insert into shop.stranger values (1);
   create view shop.v1 as select c.name, count(*) as n from shop.customer c join shop.orders o using (customer_id) group by 1;
   create view public.v2 with (security_barrier = true) as select sum(n) as n from shop.v1;
   comment on view public.v2 is 'all orders';
   grant select on public.v2 to reader_$$;
   create publication p_$$ for table shop.orders" >/dev/null
equal "view before" "$(q 'select n from public.v2')" 45

export_ok b.jsonl "$URL" -m model.json
equal "view after" "$(q 'select n from public.v2')" 72
equal "grants" "$(q "select has_table_privilege('reader_$$', 'shop.customer', 'select'), has_column_privilege('reader_$$', 'shop.customer', 'name', 'update'), has_table_privilege('reader_$$', 'public.v2', 'select')")" "t|t|t"
equal "owner" "$(q "select pg_get_userbyid(relowner) from pg_class where oid = 'shop.orders'::regclass")" "boss_$$"
equal "comments" "$(q "select obj_description('shop.customer'::regclass), col_description('shop.customer'::regclass, 2), obj_description('public.v2'::regclass)")" "our customers|full name|all orders"
equal "the model's comment" "$(q "select col_description('shop.orders'::regclass, 1)")" "from order_id"
equal "publication" "$(q "select tablename from pg_publication_tables where pubname = 'p_$$'")" orders
equal "index" "$(q "select indexdef from pg_indexes where indexname = 'customer_by_name'")" "CREATE INDEX customer_by_name ON shop.customer USING btree (lower(name))"
equal "a stranger's table" "$(q 'select x from shop.stranger')" 1
equal "nothing left over" "$(q "select count(*) from pg_namespace where nspname ~ '^renorm_(old|run)'")" 0
equal "no trace of the position" "$(q "select count(*) from information_schema.columns where column_name like 'renorm:%'")" 0

# --keep-old
export_ok a.jsonl "$URL" -m model.json --keep-old
old=$(q "select nspname from pg_namespace where nspname like 'renorm_old_%'")
said "$old"
equal "the old tables" "$(q "select count(*) from $old.orders")" 72
q "drop schema $old cascade" >/dev/null

# what cannot be carried over
q "create materialized view public.mv as select * from shop.customer;
   create table public.mine (customer_id text references shop.customer);
   create function public.f() returns bigint begin atomic select count(*) from shop.orders; end" >/dev/null
export_exit 2 b.jsonl "$URL" -m model.json
said "materialized view public.mv"
said 'foreign key "mine_customer_id_fkey" of table public.mine'
said "function public.f()"
equal "untouched" "$(q 'select count(*) from shop.orders')" 45
equal "no run was begun" "$(q "select count(*) from renorm.run where state <> 'published'")" 0
q "drop materialized view public.mv; drop table public.mine; drop function public.f()" >/dev/null

# a table in the way that is not ours
q "create schema other; create table other.orders (x int)" >/dev/null
export_exit 2 b.jsonl "$URL" -m model.json --schema other
said '"other"."orders" is in the way'
equal "it is still there" "$(q 'select count(*) from other.orders')" 0

# a reader that holds a lock makes the swap wait, not fail
mkfifo hold
start holder psql -XqAt -d "$URL" -f hold
exec 7>hold
echo "begin; select count(*) from shop.orders;" >&7
wait_until '[ "$(q "select count(*) from pg_locks where relation = '"'shop.orders'"'::regclass and granted")" -ge 1 ]'
start loader "$RENORM" export b.jsonl "$URL" -m model.json
loader=$STARTED
wait_until '[ "$(q "select count(*) from pg_locks where not granted and relation = '"'shop.orders'"'::regclass")" -ge 1 ]'
equal "readers see the old ones" "$(q 'select count(*) from shop.customer')" 5
echo "commit;" >&7
exec 7>&-
wait "$loader" || { cat loader.log; fail "the swap gave up"; }
equal "readers see the new ones" "$(q 'select count(*) from shop.customer')" 8
