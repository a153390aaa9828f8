# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# items that became no rows: reason, place and bytes are kept, and the sheet counts them
cp "$TESTS/data/small.json" .
a='{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}'
kept() {
    for f in out/rejects/*.zst out/unrouted/*.zst; do
        if [ -e "$f" ]; then zstd -dcq "$f"; fi
    done | jq -c '[.renorm.reason, .renorm.file, .renorm.position, .renorm.detail, (.item_base64 // "" | @base64d | .[:40])]'
}
try() {
    echo "-- $1"
    renorm export items.json out -m small.json --workers 1 --max-rejects 9 --max-unrouted 9 | sed '/^items read/,/^$/d; /^table/,/^$/d; /^[0-9.]* s, /d'
    kept
    rm -rf out
}
printf '{"Items":[%s' "$a" >items.json && try 'a document without its end'
printf '{"Items":[%s,%s' "$a" "${a:0:30}" >items.json && try 'cut in an item'
printf '[%s]]' "$a" >items.json && try 'a bracket too many'
{
    echo "$a"
    printf '{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"'
    head -c 17000000 /dev/zero | tr '\0' x
    printf '"}}\n%s\n' "$a"
} >items.json
try 'a line beyond 16 MB'
gzip items.json && mv items.json.gz items.json && try 'the same packed'
{
    echo '{"PK":{"S":"x"},"SK":{"S":"A"},"Type":{"S":"Al\u001b[2Jien"}}'
    echo '{"PK":{"S":"x"},"SK":{"S":"A"},"Type":{"N":"7"}}'
    echo '{"PK":{"S":"x"},"SK":{"S":"A"}}'
    printf "%s\n" "$a" "$a" "$a" "$a" "$a"
} >items.json
try 'types that no entity has'
renorm check small.json items.json | sed '1,/^items read/d; /^[0-9.]* s, /d'
