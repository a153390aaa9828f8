# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the balance sheet as JSON: it adds up, and is written when items are rejected too
cp "$TESTS/data/small.json" .
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"NULL":true},"Tags":{"SS":["x","y"]}}
{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Test":{"BOOL":true}}
{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}
{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}
I
renorm export items.jsonl out -m small.json --quiet --workers 1 --summary sum.json
echo "[$?]"
jq -S '.tables |= map_values(.bytes = (.bytes > 0)) | .seconds |= type | .idle_percent |= type |
    .started |= type | .ended |= type | .version |= type | .model.hash |= length' sum.json
jq '.items | .read == .routed + .filtered + .unrouted + .rejected' sum.json
renorm export items.jsonl out -m small.json --workers 1 --max-rejects 1 --max-unrouted 1 --summary sum.json |
    sed 's/^[0-9.]* s, [0-9]* items\/s$/SPEED/' | awk '/^(customer|orders)/ { $3 = "BYTES" } { print }'
ls
# a place that cannot be written is found before anything is touched
for place in nowhere/sum.json out; do
    renorm export items.jsonl new -m small.json --workers 1 --summary $place
    echo "[$?] $(ls -d new 2>/dev/null)"
done
renorm export items.jsonl out -m small.json --quiet --max-rejects 1 --max-unrouted 1 --summary /dev/stdout | jq .items.read
