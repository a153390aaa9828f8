# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# entities that name where their items are: explain, check, a source that is not read, rejects fed in again
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "sources": { "orders": { "key": "id" } }, "entities": {
  "User": { "source": "users", "keys": { "PK": "{user_id}" }, "columns": { "user_id": "text", "age": "bigint" } },
  "Order": { "source": "orders", "keys": { "id": "{order_id}" } },
  "Any": { "when": { "any": [{ "note": { "exists": true } }] }, "columns": ["note"] } } }
M
echo '{"PK":{"S":"1"},"age":{"S":"old"}}' >users.v1.jsonl
echo '{"id":{"S":"o1"}}' >orders.jsonl
echo '{"id":{"S":"o2"},"note":{"S":"n"},"PK":{"S":"2"}}' >>orders.jsonl
# a user that lies among the orders is nobody's
echo '{"PK":{"S":"3"},"id":{"N":"3"}}' >>orders.jsonl
renorm explain model.json '{"id":{"S":"o1"}}'
renorm check model.json users.v1.jsonl orders.jsonl | grep -E '^(items|routed|rejected|unrouted|advice)'
echo "-- one of them"
renorm export orders.jsonl out -m model.json
renorm export orders.jsonl out -m model.json --only Order --max-unrouted 9 --quiet
renorm check model.json order.jsonl
mv orders.jsonl order.jsonl
renorm check model.json users.v1.jsonl order.jsonl | grep -c column
echo "-- rejects fed in again"
mv order.jsonl orders.jsonl
renorm export users.v1.jsonl orders.jsonl all -m model.json --max-rejects 9 --max-unrouted 9 --quiet
sed -i 's/"age": "bigint"/"age": "text"/' model.json
renorm export all/rejects again -m model.json --quiet
zstd -dcq again/user/*.zst
