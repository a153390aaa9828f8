# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the shape of the data: by itself, beside the last run, as a contract
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": ["PK"] },
  "entities": {
    "Customer": {
      "keys": { "PK": "CUSTOMER#{customer_id}" },
      "table": "customer",
      "primary_key": ["customer_id"],
      "columns": { "customer_id": "text", "name": "text", "age": "text", "fax": "text" },
      "stages": [ { "mask": { "fields": ["Email"], "method": "blank" } }, { "drop": ["Legacy"] } ]
    },
    "Order": { "keys": { "PK": "ORDER#{order_id}" }, "table": "orders" }
  }
}
M
# item N TYPE NAME EXTRA
item() { printf '{"PK":{"S":"CUSTOMER#%s"},"Type":{"S":"Customer"},"Name":{"S":"n"}%s,"Email":{"S":"ada@example.org"}%s}\n' "$1" "$2" "$3"; }
for i in {1..30}; do item "$i" ',"Age":{"N":"7"}' ',"Note":{"N":"1"}'; done >items.jsonl
cp items.jsonl first.jsonl
go() {
    echo "\$ $*"
    renorm export items.jsonl out -m model.json --summary sum.json "$@" 2>&1 | sed -n '/^[a-z]*-[a-z]* *[A-Za-z]/p; /^held/p; /^column/,/^$/p; /^renorm:/p; /^hint:/p'
    echo "[${PIPESTATUS[0]}]"
}
shown() { jq -c '[.items.read, (.shape | length > 5)]' out/manifest.json; }
go
go --no-examples
jq -c '.shape[] | select(.about == "attribute")' sum.json
{ for i in {1..20}; do item "$i" ',"Age":{"S":"seven"}' ',"Note":{"N":"1"}'; done
  for i in {21..31}; do item "$i" '' ',"New":{"BOOL":true}'; done; } >items.jsonl
go --fail-on new-attribute,type-change
shown
go --fail-on new-attributes
go
shown
jq -c '.shape[] | select(.about == "finding") | [.finding, .place, .name, .text // ""]' out/manifest.json
renorm check model.json first.jsonl --fail-on empty-column -q
echo "[$?]"
