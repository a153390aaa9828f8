#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Append and merge into tables that are there: rows, new columns, changed types, what is missing.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 100 >all.jsonl
head -n 40 all.jsonl >first.jsonl
tail -n 60 all.jsonl >second.jsonl

whole_load all.jsonl

# append, first into nothing, then to what is there
export_ok first.jsonl "$URL" -m model.json --schema added --mode append
equal "first part" "$(q 'select count(*) from added.orders')" 36
foreign="select string_agg(oid::text, ' ' order by oid) from pg_constraint where contype = 'f' and connamespace = 'added'::regnamespace"
before=$(q "$foreign")
export_ok second.jsonl "$URL" -m model.json --schema added --mode append
equal "foreign keys stay in force" "$(q "$foreign")" "$before"
diff -u want.txt <(pg_rows_of added model.json) || fail "append: not the whole"
equal "constraints" "$(q "select count(*) from pg_constraint where connamespace = 'added'::regnamespace and convalidated")" 5
# a key that is there already
export_exit 1 first.jsonl "$URL" -m model.json --schema added --mode append --again
said "SQLSTATE 23505"
diff -u want.txt <(pg_rows_of added model.json) || fail "a failed append has changed something"
export_ok first.jsonl "$URL" -m model.json --schema added --mode append --duplicates first --restart --again
diff -u want.txt <(pg_rows_of added model.json) || fail "append --duplicates first"

# merge: overlapping parts, changed values, fewer children
export_ok first.jsonl "$URL" -m model.json --schema merged --mode merge
sed -e 's/name 3/NAME 3/' -e '/ORDER#33"/s/,{"M":{"sku":{"S":"t[0-9]*"},"qty":{"N":"1"}}}//' <(head -n 50 all.jsonl) >changed.jsonl
export_ok changed.jsonl "$URL" -m model.json --schema merged --mode merge
equal "upserted" "$(q "select name from merged.customer where customer_id = '3'")" "NAME 3"
equal "children of a merged parent" "$(q "select count(*) from merged.order_line where order_id = '33'")" 1
equal "children of another" "$(q "select count(*) from merged.order_line where order_id = '34'")" 2
export_ok all.jsonl "$URL" -m model.json --schema merged --mode merge
diff -u want.txt <(pg_rows_of merged model.json) || fail "merge: not the whole"

# the last copy of a key wins
{ cat all.jsonl; sed -n 1p all.jsonl | sed 's/name 0/name last/'; } >twice.jsonl
export_ok twice.jsonl "$URL" -m model.json --schema merged --mode merge -w 1
equal "the last copy" "$(q "select name from merged.customer where customer_id = '0'")" "name last"

# --delete-missing
export_ok second.jsonl "$URL" -m model.json --schema merged --mode merge --delete-missing
equal "only what was seen" "$(q 'select count(*) from merged.orders')" 54
equal "children too" "$(q 'select count(*) from merged.order_line')" 108

# a new column is added, a changed type refused with the statement that would change it
sed 's/"name": "text"/"name": "text", "note": "text"/' model.json >wider.json
export_ok all.jsonl "$URL" -m wider.json --schema merged --mode merge
equal "the new column" "$(q "select note from merged.customer where customer_id = '1'")" "79190"
equal "its comment" "$(q "select col_description('merged.customer'::regclass, attnum) from pg_attribute where attrelid = 'merged.customer'::regclass and attname = 'note'")" "from note"
equal "is the model's own" "$(q "select comments->>'note' from renorm.target where relation = 'merged.customer'::regclass")" "from note"
equal "a child's comment" "$(q "select obj_description('merged.order_line'::regclass)")" "Order.lines"
# a reference the model has got since: constraint and index
sed 's/"columns": { "order_id": "text"/"columns": { "agent": "text", "order_id": "text"/; s/"to": "customer" }/"to": "customer" }, { "columns": ["agent"], "to": "customer" }/' model.json >referring.json
for mode in merge append; do
    export_ok first.jsonl "$URL" -m model.json --schema "new_$mode"
    export_ok second.jsonl "$URL" -m referring.json --schema "new_$mode" --mode $mode
    equal "$mode: a new reference" "$(q "select count(*) from pg_constraint where conname = 'orders_agent_fkey' and connamespace = 'new_$mode'::regnamespace")|$(q "select count(*) from pg_indexes where schemaname = 'new_$mode' and indexname = 'orders_agent_idx'")" "1|1"
    equal "$mode: no index twice" "$(q "select count(*) from pg_indexes where schemaname = 'new_$mode' and tablename = 'orders'")" 3
done
sed 's/"total": "numeric"/"total": "text"/' model.json >changed.json
export_exit 2 all.jsonl "$URL" -m changed.json --schema merged --mode merge
said 'ALTER TABLE "merged"."orders" ALTER COLUMN "total" TYPE text USING "total"::text;'
# and it does change it: a document, a key
sed 's/"total": "numeric"/"total": "jsonb"/' model.json >changed.json
export_exit 2 all.jsonl "$URL" -m changed.json --schema merged --mode merge
q "$(sed -n 's/^hint: this would change it: //p' err.txt)" >/dev/null
export_ok all.jsonl "$URL" -m changed.json --schema merged --mode merge
expect_exit 0 "$RENORM" verify all.jsonl "$URL" -m changed.json --schema merged
q 'alter table merged.order_line drop constraint order_line_order_id_fkey; alter table merged.orders alter order_id type bigint using order_id::bigint' >/dev/null
export_exit 2 all.jsonl "$URL" -m changed.json --schema merged --mode merge
q "$(sed -n 's/^hint: this would change it: //p' err.txt)" >/dev/null
export_ok all.jsonl "$URL" -m changed.json --schema merged --mode merge
equal "a key by bytes" "$(q "select collname from pg_attribute a join pg_collation c on c.oid = a.attcollation where attrelid = 'merged.orders'::regclass and attname = 'order_id'")" C
equal "nothing is left of the refused one" "$(q "select count(*) from renorm.run where state = 'loading'")" 0

# a key that is not the model's
export_ok all.jsonl "$URL" -m model.json --schema rekeyed
q "alter table rekeyed.orders drop constraint orders_pkey cascade; alter table rekeyed.orders add primary key (order_id, customer_id)" >/dev/null
for how in '--mode merge' '--mode append --duplicates last'; do
    # shellcheck disable=SC2086
    export_exit 2 all.jsonl "$URL" -m model.json --schema rekeyed $how
    said 'the primary key of table "orders" is (order_id, customer_id), the model has another one'
done
