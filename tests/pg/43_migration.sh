#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/migration.md: its commands, in their order, against a live table; and --only in each mode, for
# files and the database: what is left out is neither made nor touched, wherever it comes from.
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
new_db
sim_only
page=$ROOT/docs/migration.md
awk '/^```json$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >shop.json
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >commands.sh
[ "$(grep -c '^renorm' commands.sh)" -ge 10 ] || fail "the page has no commands"
{
    for c in 1 2 3; do
        echo "{\"PK\":{\"S\":\"CUSTOMER#$c\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},\"Name\":{\"S\":\"n$c\"}}"
        echo "{\"PK\":{\"S\":\"CUSTOMER#$c\"},\"SK\":{\"S\":\"#ORDER#$c\"},\"Type\":{\"S\":\"Order\"},\"Total\":{\"N\":\"$c\"},\"Lines\":{\"L\":[{\"M\":{\"sku\":{\"S\":\"s\"},\"qty\":{\"N\":\"1\"}}}]}}"
    done
} >items.jsonl
sim_start sim --credentials AKID:SECRET --items items.jsonl
export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL DATABASE_URL=$URL
renorm() { "$RENORM" "$@"; }
export -f renorm
export RENORM
bash -euo pipefail commands.sh >page.txt 2>&1 || { cat page.txt >&2; fail "a command of the page failed"; }
tables="select string_agg(relname, ' ' order by relname) from pg_class where relkind = 'r' and relnamespace = to_regnamespace"
equal "all tables" "$(q "$tables('shop')")" "customer order_line orders"
equal "filtered" "$(grep -cE '^filtered +3$' page.txt)" 6

# what is left out is neither made nor touched, in any mode
for mode in replace append merge; do
    export_ok items.jsonl "$URL" -m shop.json --schema "$mode" --only Customer --mode "$mode"
    equal "$mode: not made" "$(q "$tables('$mode')")" customer
    q "create table $mode.orders (mine int); insert into $mode.orders values (1); create table $mode.order_line ()" >/dev/null
    export_ok items.jsonl "$URL" -m shop.json --schema "$mode" --only Customer --mode "$mode" --duplicates first
    equal "$mode: not touched" "$(q "select mine from $mode.orders")" 1
done
# a guard looks at what the entity itself had
awk 'BEGIN { for (i = 0; i < 300; i++) printf "{\"PK\":{\"S\":\"CUSTOMER#%d\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"}}\n", i }' >many.jsonl
export_ok many.jsonl "$URL" -m shop.json --schema guard --only Customer
export_ok items.jsonl "$URL" -m shop.json --schema guard --only Order
export_exit 1 items.jsonl "$URL" -m shop.json --schema guard --only Customer
said 'table "customer" shrank from 300 to 3 rows'
equal "held" "$(q 'select count(*) from guard.customer')" 300
# several runs made the tables: verify says so; the options are the run's own
status=0
"$RENORM" verify items.jsonl "$URL" -m shop.json >out.txt 2>&1 --schema shop || status=$?
equal "verify of all" "$status" 2
grep -q 'made by several runs' out.txt || fail "$(cat out.txt)"

# a folder: the table that stays, its guard, a run that is held, then one of all
export_ok many.jsonl out -m shop.json --only Customer
export_ok items.jsonl out -m shop.json --only Order
equal "manifest" "$(jq -c '[.tables[] | [.name, .rows, .run.options]]' out/manifest.json)" \
    '[["orders",3,null],["order_line",3,null],["customer",300,"ttl off, only Customer"]]'
"$RENORM" verify many.jsonl out -m shop.json --only Customer --quiet || fail "verify of what stays"
"$RENORM" verify items.jsonl out -m shop.json --only Order --quiet || fail "verify of the last"
status=0
"$RENORM" verify items.jsonl out -m shop.json >out.txt 2>&1 || status=$?
equal "verify of the whole folder" "$status" 2
export_exit 1 items.jsonl out -m shop.json --only Customer
said 'table "customer" shrank from 300 to 3 rows'
export_ok items.jsonl out -m shop.json --only Customer --allow shrink
equal "manifest" "$(jq -c '[.tables[] | [.name, .rows, .run.options]]' out/manifest.json)" \
    '[["customer",3,null],["orders",3,"ttl off, only Order"],["order_line",3,"ttl off, only Order"]]'
"$RENORM" verify items.jsonl out -m shop.json --only Order --quiet || fail "verify of what stays"
export_ok items.jsonl out -m shop.json
equal "manifest of all" "$(jq -c '[.tables[] | [.name, .rows, .run]]' out/manifest.json)" \
    '[["customer",3,null],["orders",3,null],["order_line",3,null]]'
"$RENORM" verify items.jsonl out -m shop.json --quiet || fail "verify of all"
