# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the key of mask: from a file, its last newline left out, or from the environment
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": { "Customer": { "table": "customer",
  "stages": [ { "mask": "Name" }, { "drop": ["PK"] } ], "columns": { "name": "text" } } } }
M
echo '{"PK":{"S":"1"},"Type":{"S":"Customer"},"Name":{"S":"Ada"}}' >items.jsonl
echo secret >key
renorm export items.jsonl a -m model.json --quiet --mask-key-file key || exit
RENORM_MASK_KEY=secret renorm export items.jsonl b -m model.json --quiet || exit
RENORM_MASK_KEY=other renorm export items.jsonl c -m model.json --quiet || exit
for f in a b c; do zstd -dcq $f/customer/*.zst; done
printf Ada | openssl dgst -sha256 -hmac secret | sed 's/.* //'
# one run has one key: neither resumed nor verified with another
RENORM_MASK_KEY=other renorm verify items.jsonl a -m model.json
echo "[$?]"
renorm verify items.jsonl a -m model.json --mask-key-file key
echo "[$?]"
seq 5000 | sed 's/.*/{"PK":{"S":"&"},"Type":{"S":"Customer"},"Name":{"S":"Ada &"}}/' | gzip >cut.gz
truncate -s -9 cut.gz
try() {
    renorm export items.jsonl cut.gz d -m model.json --quiet --workers 1 "$@" 2>err
    echo "[$?] $(sed 's/ at byte .*//; q' err)"
}
RENORM_MASK_KEY=secret try
RENORM_MASK_KEY=other try
try --mask-key-file key --ttl Expires
try --mask-key-file key
if grep -rl secret a d; then echo 'the key is there'; fi
