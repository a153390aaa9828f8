# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what an export refuses, with exit 2, before anything is written
try() {
    echo "\$ renorm $*"
    renorm "$@" 2>&1
    echo "[$?]"
}
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >items.jsonl
mkdir empty strangers
echo mine >strangers/diary.txt
echo 'PK,SK' >items.csv
cat >masked.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": { "Customer": { "table": "customer",
  "stages": [ { "mask": "Name" }, { "drop": ["PK"] } ], "columns": { "name": "text" } } } }
M
try export items.jsonl out --join
try export items.jsonl
try export items.jsonl out -m small.json --max-rejects few
try export items.jsonl out -m small.json --max-rejects 101%
try export items.jsonl out -m small.json --max-unrouted -1
try export items.jsonl out -m small.json --now soon
try export items.jsonl out -m masked.json
try export items.jsonl out -m masked.json --mask-key-file nowhere
: >nothing.key
try export items.jsonl out -m masked.json --mask-key-file nothing.key
try export nowhere.jsonl out -m small.json
try export empty out -m small.json
try export items.csv out -m small.json
try export items.jsonl strangers -m small.json
try export items.jsonl s3://bucket/out -m small.json
try export items.jsonl host=nowhere -m small.json --mode swap
try verify items.jsonl out -m small.json
try verify items.jsonl out
try status out
try status empty
try check 'postgresql://u:secret@h/db'
find . -type f | sort
