# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the EXAMPLES of the manual page: those that read files are run as they stand there
cp "$TESTS/data/small.json" model.json
sed 's/:bigint}/}/; s/"order_id": "bigint"/"order_id": "text"/' model.json >better.json
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"Ada"}}
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#7"},"Type":{"S":"Order"},"Total":{"N":"3"}}
I
{ cat items.jsonl && echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#x"},"Type":{"S":"Order"}}'; } >night.jsonl
renorm --manual >renorm.1
grep -A 2000 '^\.SH EXAMPLES' renorm.1 | sed '/^\.SH EXIT/,$d' | sed -n '/^\.nf/,/^\.fi/p' |
    grep -v '^\.' | sed 's/\\-/-/g; s/\\e/\\/g' >commands
grep -c '^renorm' commands
grep -v dynamodb: commands | grep -v 'undo' >local
while read -r line; do
    echo "== $line"
    eval "$line" >sheet 2>&1 || { cat sheet && exit 9; }
    grep -c . sheet >/dev/null || exit 8
done <local
zstd -dcq rest/orders/*.zst
# of the others the words are known: nothing is opened before the model is read
grep -e dynamodb: -e undo commands | while read -r line; do
    eval "${line/model.json/nosuch.json}" 2>&1 | grep -e 'no option' -e 'has no' -e 'no command'
done
true
