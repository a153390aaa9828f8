# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# all items of a partition key, from a source
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"Ada"}}
{"PK":{"S":"CUSTOMER#10"},"SK":{"S":"A"},"Type":{"S":"Customer"}}
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#7"},"Type":{"S":"Order"},"Total":{"N":"3"}}
I
renorm explain "$TESTS/data/small.json" items.jsonl --pk 'CUSTOMER#1'
renorm explain "$TESTS/data/small.json" items.jsonl --pk 'CUSTOMER#9'
echo "[$?]"
echo '{"renorm":1,"entities":{"A":{"table":"a","columns":{"x":"text"}}}}' >keyless.json
renorm explain keyless.json items.jsonl --pk 'CUSTOMER#1'
echo "[$?]"
: >empty.jsonl
renorm explain keyless.json empty.jsonl
