#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looking back: verify finds what differs, status tells the runs, check --ddl prints what is run.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 500 >items.jsonl
{ cat items.jsonl; echo '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Nobody"}}'; } >bad.jsonl
export_ok bad.jsonl "$URL" -m model.json --max-unrouted 1
expect_exit 0 "$RENORM" verify bad.jsonl "$URL" -m model.json
q "update shop.orders set total = total + 0.00 where order_id = '17'" >/dev/null
expect_exit 0 "$RENORM" verify bad.jsonl "$URL" -m model.json
q "update shop.orders set total = total + 0.01 where order_id = '17';
   delete from shop.order_line where order_id = '23' and line_no = 1;
   insert into shop.customer values ('999', 'extra')" >/dev/null
expect_exit 1 "$RENORM" verify bad.jsonl "$URL" -m model.json >found.txt
cat found.txt
for key in '"17"' '"23"' '"999"'; do grep -qF "$key" found.txt || fail "verify did not name $key"; done

"$RENORM" status "$URL" | tee status.txt
grep -qx 'run 1  shop  replace  published' status.txt
grep -qE '^  reject unrouted +1$' status.txt
grep -qE '^  table orders +450$' status.txt
"$RENORM" status "$URL" --json >status.json
equal "as JSON" "$(psql -XqAt -d "$URL" -v doc="$(cat status.json)" <<<"select d->'state', d->'items'->'read', d->'segments'->'done', d->'rejects' from (select (:'doc')::jsonb->'runs'->0 as d) x")" '"published"|501|1|{"unrouted": 1}'

# the statements printed make the tables that a load makes
"$RENORM" check model.json --ddl --schema printed >ddl.sql
psql -XqAt -v ON_ERROR_STOP=1 -1 -d "$URL" -f ddl.sql
shape() {
    q "select c.relname, a.attname, format_type(a.atttypid, -1), a.attnotnull, a.attcollation, col_description(c.oid, a.attnum)
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = '$1'::regnamespace and c.relkind in ('r', 'i') order by 1, a.attnum"
    q "select conname, replace(pg_get_constraintdef(oid), '$1.', ''), convalidated from pg_constraint where connamespace = '$1'::regnamespace order by 1"
    q "select relname, obj_description(oid) from pg_class where relnamespace = '$1'::regnamespace and relkind = 'r' order by 1"
}
diff -u <(shape printed) <(shape shop) || fail "the DDL printed is not the DDL run"
# names from a model cannot be more than names
sed -e 's/"table": "orders"/"table": "or\\"; drop schema shop cascade; --"/' -e 's/"total": "numeric"/"to tal\x27": { "type": "numeric", "from": "total" }/' model.json >wild.json
export_ok items.jsonl "$URL" -m wild.json --schema 'wi"ld'
equal "wild names" "$(q "select count(*), sum(\"to tal'\") > 0 from \"wi\"\"ld\".\"or\"\"; drop schema shop cascade; --\"")" "450|t"
long=$(printf 'long_%.0s' $(seq 20))
sed -e "s/\"table\": \"customer\"/\"table\": \"$long\"/" -e "s/\"to\": \"customer\"/\"to\": \"$long\"/" model.json >long.json
export_ok items.jsonl "$URL" -m long.json --schema lengthy
"$RENORM" check long.json --ddl >ddl.sql
cut=$(q "select relname from pg_class where relnamespace = 'lengthy'::regnamespace and relkind = 'r' and relname like 'long%'")
key=$(q "select conname from pg_constraint where connamespace = 'lengthy'::regnamespace and contype = 'p' and conrelid = ('lengthy.' || '$cut')::regclass")
for told in "table \"$long\" is longer than 63 bytes: \"$cut\"" "key \"${long}_pkey\" is longer than 63 bytes: \"$key\""; do
    said "renorm: $told"
    grep -qxF -- "-- $told" ddl.sql || fail "check --ddl does not say: $told"
done
# the sheet has the name people will find
grep -qE "^$cut +50 " out.txt || fail "$(cat out.txt)"
export_ok items.jsonl "$URL" -m long.json --schema lengthy
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m long.json --schema lengthy
