#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Why items became no rows and rows have no parent: the sheet and the summary say it by reason, column,
# type and constraint, with an example; the ledger has the item to look into, whatever it is.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{"renorm": 1, "name": "shop", "source": {"type": "Type", "key": ["PK", "SK"]}, "entities": {
  "Customer": {"keys": {"PK": "C#{customer_id}", "SK": "A"}, "table": "customer", "primary_key": ["customer_id"],
    "columns": {"customer_id": "text", "age": "integer", "size": "integer"}},
  "Order": {"keys": {"PK": "C#{customer_id}", "SK": "O#{order_id}"}, "table": "orders", "primary_key": ["order_id"],
    "references": [{"columns": ["customer_id"], "to": "customer"}],
    "columns": {"order_id": "text", "customer_id": "text", "total": {"type": "numeric", "not_null": true}}}}}
M
{
    echo '{"PK":{"S":"C#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}'
    echo '{"PK":{"S":"C#2"},"SK":{"S":"A"},"Type":{"S":"Customer"},"age":{"S":"old"}}'
    echo '{"PK":{"S":"C#3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"age":{"S":"young"}}'
    echo '{"PK":{"S":"C#4"},"SK":{"S":"A"},"Type":{"S":"Customer"},"size":{"S":"L"}}'
    echo '{"PK":{"S":"D#4"},"SK":{"S":"A"},"Type":{"S":"Customer"}}'
    echo '{"PK":{"S":"C#1"},"SK":{"S":"O#1"},"Type":{"S":"Order"},"total":{"N":"1"}}'
    echo '{"PK":{"S":"C#9"},"SK":{"S":"O#2"},"Type":{"S":"Order"},"total":{"N":"1"}}'
    echo '{"PK":{"S":"C#9"},"SK":{"S":"O#3"},"Type":{"S":"Order"},"total":{"N":"1"}}'
    echo '{"PK":{"S":"C#1"},"SK":{"S":"O#4"},"Type":{"S":"Order"}}'
    echo '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}'
    echo '{"PK":{"S":"x"},"SK":{"S":"z"},"Type":{"S":"Alien"}}'
    # what jsonb refuses, or would choke on
    echo '{"PK":{"S":"x"},"SK":{"S":"nul \u0000"},"Type":{"S":"Robot"}}'
    echo '{"PK":1e999999999}'
    echo '{"PK":{"S":"\ud800"}}'
    printf '{"PK":{"S":"\xff"}}\n'
    printf '%0.s[' {1..5000}
    printf '%0.s]' {1..5000}
    echo
    echo '{"PK":'
} >items.jsonl
export_ok items.jsonl "$URL" -m model.json --max-rejects 100 --max-unrouted 100 --workers 2 --summary sum.json
while IFS= read -r line; do grep -qxF -- "$line" out.txt || { cat out.txt; fail "no line: $line"; }; done <<'L'
rejected: cast, customer.age                                 2
    column "age" of "customer": S "old" does not fit integer
rejected: cast, customer.size                                1
rejected: key-template, PK                                   1
    "PK" is "D#4", which does not match "C#{customer_id}"
rejected: not-null, orders.total                             1
unrouted: Alien                                              2
    {"PK":{"S":"x"},"SK":{"S":"y"}}
    see renorm.reject where run = 1
2 rows have no parent
no parent: orders_customer_id_fkey                           2
    {"order_id": "2", "customer_id": "9"}
    see renorm.orphan where run = 1
L
equal "rejects" "$(jq -c '.rejects[1]' sum.json)" \
    '{"reason":"cast","column":"customer.age","count":2,"example":"column \"age\" of \"customer\": S \"old\" does not fit integer"}'
equal "all of them" "$(jq -c '[([.rejects[].count] | add), .items.rejected, ([.unrouted[].count] | add), .items.unrouted]' sum.json)" \
    "$(q "select '[' || n || ',' || n || ',' || u || ',' || u || ']' from (select count(*) filter (where kind = 'reject') as n, count(*) filter (where kind = 'unrouted') as u from renorm.reject) as c")"
equal "by reason" "$(jq -c '.by_reason.cast' sum.json)" 3
equal "types" "$(jq -c '.unrouted | map([.type, .count])' sum.json)" '[["Alien",2],["Robot",1]]'
equal "orphans" "$(jq -c '.orphans_by' sum.json)" \
    '[{"constraint":"orders_customer_id_fkey","table":"orders","count":2,"example":"{\"order_id\": \"2\", \"customer_id\": \"9\"}"}]'
equal "an item to look into" "$(q "select item_json -> 'age' ->> 'S' from renorm.reject where reason = 'cast' and column_name = 'customer.age' order by 1")" $'old\nyoung'
equal "items that jsonb cannot hold" "$(q "select count(*) from renorm.reject where item_json is null")" 6
equal "all that is JSON is the item" "$(q "select bool_and(item_json = convert_from(item, 'UTF8')::jsonb) from renorm.reject where item_json is not null")" t
# the same from a folder, in the same words
expect_exit 0 "$RENORM" export items.jsonl out -m model.json --max-rejects 100 --max-unrouted 100 --quiet --summary folder.json
diff <(jq -S '.rejects, .unrouted, .by_reason, .by_type' sum.json) <(jq -S '.rejects, .unrouted, .by_reason, .by_type' folder.json) || fail "a folder says something else"
# refused for its orphans: they are told, too
export_exit 1 items.jsonl "$URL" -m model.json --max-rejects 100 --max-unrouted 100 --orphans fail --summary sum.json
equal "orphans of a refused load" "$(jq -c '.orphans_by | map([.constraint, .count])' sum.json)" '[["orders_customer_id_fkey",2]]'
# appended to what is there
head -1 items.jsonl >one.jsonl
sed -n '6,8s/O#/O#1/; 6,8p' items.jsonl >more.jsonl
export_ok one.jsonl "$URL" -m model.json --schema other
export_ok more.jsonl "$URL" -m model.json --schema other --mode append --summary sum.json
equal "orphans of what is appended" "$(jq -c '[.orphans, (.orphans_by | map([.table, .count]))]' sum.json)" '[2,[["orders",2]]]'
