# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# examples of rejected and unrouted items show nothing that mask hides; the items themselves are kept whole
cat >model.json <<'M'
{"renorm": 1, "name": "m", "source": {"type": "Type", "key": ["PK", "SK"]}, "entities": {
  "Customer": {"keys": {"PK": "C#{mail}", "SK": "A"}, "table": "customer", "primary_key": ["mail"],
    "stages": [{"mask": {"fields": ["mail", "age"]}}],
    "columns": {"mail": "text", "age": "integer", "size": "integer"}}}}
M
sed 's/"stages": .*/"stages": [{"mask": {"fields": ["mail", "age"], "method": "blank"}}],/' model.json >blank.json
cat >items.jsonl <<'I'
{"PK":{"S":"C#secret-1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"age":{"S":"secret-2"}}
{"PK":{"S":"C#secret-3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"size":{"S":"large"}}
{"PK":{"S":"D#secret-4"},"SK":{"S":"A"},"Type":{"S":"Customer"}}
{"PK":{"S":"C#secret-5"},"SK":{"S":"A"},"Type":{"S":"Customer"},"age":{"N":"secret-6"}}
{"PK":{"S":"secret-7"},"SK":{"S":"A"},"Type":{"S":"Alien"}}
I
head -c 32 /dev/zero >key
try() {
    echo "\$ renorm $*"
    renorm "$@" --mask-key-file key --max-rejects 9 --max-unrouted 9 --summary sum.json --log json >sheet.txt 2>log.txt
    grep -A1 '^rejected: \|^unrouted: ' sheet.txt | sed 's/"[0-9a-f]\{64\}"/"HASH"/g'
    cat sheet.txt sum.json log.txt | grep -c secret
}
try export items.jsonl out -m model.json
try export items.jsonl null: -m model.json
grep -c secret <(zstd -qdc out/rejects/* out/unrouted/*)
try export items.jsonl blank -m blank.json
# nor, where nobody wants them, anything at all
sed 's/"stages": .*/"stages": [],/' model.json >open.json
try export items.jsonl plain -m open.json
try export items.jsonl plain -m open.json --no-examples --restart
echo "all is said"
