# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# some entities alone: what is filtered, what the shape report speaks of, and what cannot be parted
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": {
  "User": { "keys": { "PK": "u#{id}" }, "primary_key": "id", "stages": [{ "explode": { "from": "Tags", "into": "tag" } }] },
  "Bot": { "keys": { "PK": "b#{id}" }, "table": "user", "primary_key": "id", "stages": [{ "explode": { "from": "Tags", "into": "tag" } }] },
  "Order": { "keys": { "PK": "o#{order_id}" }, "references": [{ "columns": "by", "to": "user" }],
             "stages": [{ "extract": { "into": "product", "key": "sku", "columns": ["sku", "title"] } }, { "drop": ["gone"] }],
             "columns": ["order_id", "by"] },
  "Gift": { "keys": { "PK": "g#{gift_id}" }, "stages": [{ "extract": { "into": "product", "key": "sku", "columns": ["sku", "title"] } }] } } }
M
cat >items.jsonl <<'I'
{"PK":{"S":"u#1"},"Tags":{"SS":["a"]}}
{"PK":{"S":"o#1"},"by":{"S":"1"},"sku":{"S":"s"},"title":{"S":"t"}}
{"PK":{"S":"x#1"}}
I
run() {
    renorm "$@" 2>&1
    echo "exit $?"
}
echo "-- a table of both kinds"
run export items.jsonl null: -m model.json --only User
run check model.json --only Order
run check model.json --only Usr,Bot
echo "-- two of one table"
run check model.json --only User,Bot | grep -E '^([a-z]|exit)'
run export items.jsonl out -m model.json --only User,Bot --max-unrouted 1 | grep -vE 'items/s'
run export items.jsonl out -m model.json --only User,Bot --fail-on empty-entity --max-unrouted 1 --quiet
run verify items.jsonl out -m model.json --only Order,Gift
run verify items.jsonl out -m model.json --only User,Bot --quiet
