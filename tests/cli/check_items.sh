# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# trying a model on items: the balance sheet, exit 1 for rejects, advice; nothing is written
cp "$TESTS/data/small.json" .
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"Ada"},"Tags":{"SS":["x","y"]}}
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#7"},"Total":{"N":"10.50"}}
{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Test":{"BOOL":true}}
{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}
{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}
{"PK":{"S":"CUSTOMER#4"},"SK":{"S":"A"},"Type":{"S":"Customer"},"TTL":{"N":"1700000000"}}
I
renorm check small.json items.jsonl --workers 1 --now 2024-01-01T00:00:00Z >sheet
status=$?
sed 's/^[0-9.]* s, [0-9]* items\/s$/SPEED/' sheet
ls
exit $status
