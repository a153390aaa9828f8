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
equal "are published no more" "$(q "select schemaname, tablename from pg_publication_tables where pubname = 'p_$$'")" "shop|orders"
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
hold "begin; select count(*) from shop.orders"
start loader "$RENORM" export b.jsonl "$URL" -m model.json
loader=$STARTED
waits_for "relation = 'shop.orders'::regclass"
equal "readers see the old ones" "$(q 'select count(*) from shop.customer')" 5
tell commit
let_go
wait "$loader" || { cat loader.log; fail "the swap gave up"; }
equal "readers see the new ones" "$(q 'select count(*) from shop.customer')" 8

# what a table's type serves, and columns the model has given up
q "create table public.uses (c shop.customer[]);
   create function public.g(shop.v1) returns int language sql as 'select 1';
   create domain public.d as shop.orders" >/dev/null
export_exit 2 b.jsonl "$URL" -m model.json
said "column of type shop.customer[] in public.uses"
said "function public.g(shop.v1)"
said "type public.d, for its use of type shop.orders"
q "drop table public.uses; drop function public.g; drop domain public.d" >/dev/null
# a default of a view, a sequence that would go with its column, a view of somebody's session
hold "create temporary view mine as select * from shop.customer"
q "alter view shop.v1 alter column name set default 'nobody'; create sequence shop.counted owned by shop.customer.name" >/dev/null
export_exit 2 b.jsonl "$URL" -m model.json
said 'default of column "name" of shop.v1'
said "sequence shop.counted"
grep -qE 'temporary view pg_temp_[0-9]+\.mine' err.txt || fail "$(cat err.txt)"
let_go
wait "$STARTED"
q "alter view shop.v1 alter column name drop default; drop sequence shop.counted" >/dev/null
sed 's/, "name": "text"/, "other": "text"/' model.json >less.json
export_exit 2 b.jsonl "$URL" -m less.json
said 'view shop.v1, for its use of column "name" of table shop.customer'
said 'index shop.customer_by_name, for its use of column "name" of table shop.customer'

# a column the model gave up goes, one that somebody else made does not; appended ones are the model's
for mode in replace append; do
    sed 's/, "name": "text"/, "name": "text", "note": "text"/' model.json >more.json
    export_ok a.jsonl "$URL" -m model.json --schema "own_$mode"
    if [ $mode = append ]; then : >none.jsonl; else cp a.jsonl none.jsonl; fi
    export_ok none.jsonl "$URL" -m more.json --schema "own_$mode" --mode $mode
    export_ok a.jsonl "$URL" -m model.json --schema "own_$mode"
    equal "$mode: given up" "$(q "select count(*) from information_schema.columns where table_schema = 'own_$mode' and column_name = 'note'")" 0
    q "alter table own_$mode.customer add note text; update own_$mode.customer set note = 'precious'" >/dev/null
    export_exit 2 b.jsonl "$URL" -m model.json --schema "own_$mode"
    said "column \"note\" of table own_$mode.customer, which renorm has not made"
    export_ok b.jsonl "$URL" -m model.json --schema "own_$mode" --mode merge
    equal "$mode: still there" "$(q "select count(*) from own_$mode.customer where note = 'precious'")" 5
done

# no right to make anything where the tables shall stand
q "create role guest_$$ login; create schema closed; grant usage on schema closed to guest_$$; grant create on database \"$DB\" to guest_$$;
   grant usage, create on schema renorm to guest_$$; grant all on all tables in schema renorm to guest_$$; grant all on all sequences in schema renorm to guest_$$" >/dev/null
at_exit "pg_query '$(pg_url)' 'drop role guest_$$' >/dev/null"
at_exit "pg_query '$URL' 'drop owned by guest_$$ cascade' >/dev/null"
before=$(q 'select count(*) from renorm.run')
for mode in replace append merge; do
    export_exit 2 b.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed --mode $mode
    said "role guest_$$ lacks CREATE on schema closed"
done
# but to add to what is there takes none
q "grant create on schema closed to guest_$$" >/dev/null
export_ok a.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed
q "revoke create on schema closed from guest_$$" >/dev/null
export_ok b.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed --mode merge
equal "merged without CREATE" "$(q 'select count(*) from closed.orders')" 72
before=$((before + 2))
equal "no run was begun there" "$(q 'select count(*) from renorm.run')" "$before"

# nor to change a publication that a table of its own is in
q "grant create on schema closed to guest_$$; create publication closed_$$ for table closed.orders" >/dev/null
export_exit 2 b.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed
said "publication closed_$$ belongs to role postgres"
q "drop publication closed_$$" >/dev/null

# nor to make a view again over what it may not see
q "create schema hidden; create table hidden.x (customer_id text); grant usage, create on schema public to guest_$$;
   create view public.sees as select c.name from closed.customer c join hidden.x using (customer_id); alter view public.sees owner to guest_$$" >/dev/null
export_exit 2 b.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed
said "role guest_$$ lacks USAGE on schema hidden, which view public.sees reads"
q "grant usage on schema hidden to guest_$$" >/dev/null
export_ok b.jsonl "${URL/postgres@/guest_$$@}" -m model.json --schema closed
equal "the view is back" "$(q "select to_regclass('public.sees') is not null")" t

# settings people gave their tables and views
q "alter table shop.orders set (fillfactor = 70, toast.autovacuum_enabled = false); alter table shop.orders replica identity nothing;
   alter table shop.customer enable row level security; alter table shop.customer replica identity full;
   alter table shop.order_line force row level security;
   create unique index line_ident on shop.order_line (order_id, line_no); alter table shop.order_line replica identity using index line_ident;
   grant select (name) on shop.v1 to reader_$$" >/dev/null
settings() {
    q "select c.relname, c.relreplident, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, t.reloptions
       from pg_class c left join pg_class t on t.oid = c.reltoastrelid
       where c.relnamespace = 'shop'::regnamespace and c.relkind = 'r' order by 1"
}
settings >before.txt
grep -q 'orders|n|f|f|{fillfactor=70}|{autovacuum_enabled=false}' before.txt || fail "$(cat before.txt)"
export_ok b.jsonl "$URL" -m model.json
settings >after.txt
diff -u before.txt after.txt || fail "settings were lost"
equal "grants on columns of views" "$(q "select has_column_privilege('reader_$$', 'shop.v1', 'name', 'select'), has_column_privilege('reader_$$', 'shop.v1', 'n', 'select')")" "t|f"
equal "the index of the identity" "$(q "select indexrelid::regclass from pg_index where indisreplident")" shop.line_ident
