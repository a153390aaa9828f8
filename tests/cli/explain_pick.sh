# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# which items of a source are explained: by sort key, those that are rejected, so many
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"Ada"}}
{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"A"},"Type":{"S":"Customer"}}
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#7"},"Type":{"S":"Order"},"Total":{"N":"3"}}
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#x"},"Type":{"S":"Order"}}
{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"ORDER#y"},"Type":{"S":"Order"}}
{"PK":{"S":"CUSTOMER#3"}}
{"PK":{"S":
I
model=$TESTS/data/small.json
shown() {
    echo "== $*"
    renorm explain "$model" items.jsonl "$@" 2>&1 | grep -E '^[{0-9r]|^hint|^no item|rejected'
    echo "[${PIPESTATUS[0]}]"
}
shown --sk A
shown --pk CUSTOMER#1 --sk A
shown --pk CUSTOMER#1 --limit 2
shown --limit 1
shown --rejected
shown --rejected --limit 1
shown --rejected --pk CUSTOMER#2
shown --rejected --sk A
shown --sk nosuch
shown --limit 0
renorm explain "$model" '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' --rejected
echo '{"renorm":1,"source":{"key":["PK"]},"entities":{"A":{"table":"a","columns":{"x":"text"}}}}' >keyless.json
renorm explain keyless.json items.jsonl --sk A 2>&1
echo "[$?]"
