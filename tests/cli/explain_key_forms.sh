# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# which form of its keys an item has, and why not the ones before it; a table without a type attribute
here=$TESTS/../examples/15_key_forms
for line in 1 3; do
    sed -n "${line}p" "$here/items.jsonl" >item.jsonl
    renorm explain "$here/model.json" item.jsonl
done
renorm explain "$here/model.json" '{"PK":{"S":"x"},"SK":{"S":"y"}}'
# no form fits an item that is the entity's by another rule; forms of a stage
cat >when.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": { "A": {
  "when": { "n": { "exists": true } },
  "keys": [{ "PK": "USER#{u}" }, { "PK": "u#{u}" }],
  "stages": [{ "keys": [{ "code": "{a}-{b}" }, { "code": "{a}" }] }], "columns": ["u", "a"] } } }
M
renorm explain when.json '{"PK":{"S":"x#1"},"n":{"N":"1"}}'
renorm explain when.json '{"PK":{"S":"u#1"},"n":{"N":"1"},"code":{"S":"q"}}'
renorm check "$here/model.json" | grep '^advice'
