#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the target has already: copies never touch a row that is there, an item is taken whole or
# not at all, children follow their parents, and what was left out or replaced is told.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "x", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "C#{customer_id}", "SK": "A" }, "table": "customer", "primary_key": ["customer_id"],
      "stages": [ { "explode": { "from": "tags", "into": "customer_tag" } } ],
      "columns": { "customer_id": "text", "mail": "text", "phone": "text" } },
    "Order": { "keys": { "PK": "C#{customer_id}", "SK": "O#{order_id}" }, "table": "orders", "primary_key": ["order_id"],
      "stages": [ { "extract": { "into": "customer", "key": "customer_id", "columns": { "customer_id": "text", "mail": "text" } } },
                  { "extract": { "into": "product", "key": "sku", "columns": { "sku": "text", "price": "text" } } } ],
      "columns": { "order_id": "text", "customer_id": "text", "sku": "text" } } } }
M
# customer ID MAIL TAGS: an item; order ID CUSTOMER MAIL SKU PRICE: an item with two copies
customer() { echo "{\"PK\":{\"S\":\"C#$1\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},\"mail\":{\"S\":\"$2\"},\"phone\":{\"S\":\"555\"},\"tags\":{\"L\":[$3]}}"; }
order() { echo "{\"PK\":{\"S\":\"C#$2\"},\"SK\":{\"S\":\"O#$1\"},\"Type\":{\"S\":\"Order\"},\"mail\":{\"S\":\"$3\"},\"sku\":{\"S\":\"$4\"},\"price\":{\"S\":\"$5\"}}"; }
tags() { local t sep=""; for t in "$@"; do printf '%s{"S":"%s"}' "$sep" "$t"; sep=,; done; }
{ customer 1 right "$(tags a b)"; order 1 1 right s1 10; } >first.jsonl
{ order 2 1 stale s1 11; order 3 1 staler s2 20; order 4 2 made s2 21; } >second.jsonl
{ customer 1 new "$(tags z)"; customer 3 fresh "$(tags y)"; } >third.jsonl
people() { q "select string_agg(format('%s %s %s', customer_id, mail, coalesce(phone, '-')), ', ' order by customer_id) from $1.customer"; }
tagged() { q "select string_agg(format('%s %s', customer_id, value), ', ' order by customer_id, value) from $1.customer_tag"; }
products() { q "select string_agg(format('%s %s', sku, price), ', ' order by sku) from $1.product"; }
conflicts() { q "select count(*) from $1.customer_conflict where customer_id = '1'"; }

for mode in merge append; do
    export_ok first.jsonl "$URL" -m model.json --schema $mode --mode $mode
    export_ok second.jsonl "$URL" -m model.json --schema $mode --mode $mode --summary sheet.json
    equal "$mode: the item stays, a copy without one comes" "$(people $mode)" "1 right 555, 2 made -"
    equal "$mode: and its children" "$(tagged $mode)" "1 a, 1 b"
    equal "$mode: no conflict with a copy that was not taken" "$(conflicts $mode)" 0
    equal "$mode: orders" "$(q "select count(*) from $mode.orders")" 4
done
# a table of copies alone: a merge brings its winner, an append changes nothing that is there
equal "merge: copies" "$(products merge)" "s1 11, s2 20"
equal "append: copies" "$(products append)" "s1 10, s2 20"
equal "told" "$(jq -c '[.not_added, .replaced]' sheet.json)" "[2,0]"
said "2 rows were not added: the target has their keys"
# the whole table comes: what a full load would show
export_ok second.jsonl "$URL" -m model.json --schema merge --mode merge --delete-missing
equal "merge: what is missing goes" "$(people merge)" "1 stale -, 2 made -"
equal "merge: with its children" "$(tagged merge)" '\N'
# conflicts, too: of a key that is gone, and of one that is there without them
{ order 5 7 one s7 1; order 6 7 two s7 2; order 7 2 made s2 21; } >quarrel.jsonl
{ order 7 2 made s2 21; order 8 8 only s8 3; } >peace.jsonl
export_ok quarrel.jsonl "$URL" -m model.json --schema quarrel --mode merge --delete-missing
equal "merge: conflicts" "$(q "select (select count(*) from quarrel.customer_conflict), (select count(*) from quarrel.product_conflict)")" "1|1"
export_ok peace.jsonl "$URL" -m model.json --schema quarrel --mode merge
equal "merge: nothing says that they are gone" "$(q "select count(*) from quarrel.product_conflict")" 1
export_ok peace.jsonl "$URL" -m model.json --schema quarrel --mode merge --delete-missing
equal "merge: conflicts of missing keys go" "$(q "select (select count(*) from quarrel.customer_conflict), (select count(*) from quarrel.product_conflict)")" "0|0"

# items with a key that is there: whole or not at all
export_exit 1 third.jsonl "$URL" -m model.json --schema append --mode append
said "nothing was published"
export_ok third.jsonl "$URL" -m model.json --schema append --mode append --duplicates first --summary sheet.json --restart
equal "first: the old item stays" "$(people append)" "1 right 555, 2 made -, 3 fresh 555"
equal "first: with its children alone" "$(tagged append)" "1 a, 1 b, 3 y"
equal "first: told" "$(jq -c '[.not_added, .replaced]' sheet.json)" "[2,0]"
export_ok third.jsonl "$URL" -m model.json --schema append --mode append --duplicates last --again --summary sheet.json
equal "last: the new item comes" "$(people append)" "1 new 555, 2 made -, 3 fresh 555"
equal "last: with its children alone" "$(tagged append)" "1 z, 3 y"
equal "last: told" "$(jq -c '[.not_added, .replaced]' sheet.json)" "[0,2]"
export_ok second.jsonl "$URL" -m model.json --schema append --mode append --duplicates last --again
equal "last: no copy takes an item's place" "$(people append)" "1 new 555, 2 made -, 3 fresh 555"
equal "last: but that of an older copy" "$(products append)" "s1 11, s2 20"
