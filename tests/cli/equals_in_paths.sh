# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# an equals sign makes no connection string of a path: only libpq's own keys do; what could be
# both is refused, and ./ makes a path of it
try() {
    echo "\$ renorm $*"
    renorm "$@" 2>&1
    echo "[$?]"
}
export PGHOST=$PWD/nowhere # whatever is taken for a database would be looked for here
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >items.jsonl
cp items.jsonl a=b.jsonl
cp items.jsonl user=5.jsonl
mkdir -p year=2024/month=01
cp items.jsonl year=2024/month=01/items.jsonl
try export items.jsonl year=2024/out -m small.json --quiet
try export a=b.jsonl k=v -m small.json --quiet
try export year=2024/month=01 out -m small.json --quiet
try verify a=b.jsonl year=2024/out -m small.json
try check small.json a=b.jsonl --quiet
renorm status year=2024/out >/dev/null && renorm status k=v >/dev/null && echo "status of both"
try export items.jsonl user=5/out -m small.json --quiet
try export user=5/items.jsonl out -m small.json --quiet
try export items.jsonl a=b.jsonl user=5.jsonl out -m small.json --quiet
try verify items.jsonl user=5/out -m small.json
try status user=5/out
try status 'user=5/out password=secret here'
try export ./user=5.jsonl ./user=5/out -m small.json --quiet
try status user=5
# what each kind of address cannot be used for
try export null: out -m small.json
try export 's3://bucket/in?a=b' out -m small.json
try export items.jsonl dynamodb:shop -m small.json
try export items.jsonl - -m small.json
try verify items.jsonl dynamodb:shop -m small.json
try status null:
try export items.jsonl postgresql://localhost/shop out -m small.json
ls
