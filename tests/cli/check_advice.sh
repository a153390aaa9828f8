# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# indexing attributes that say what no column says, or always the same as another
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": ["PK"], "indexing": ["PK", "GSI*"] },
  "entities": { "A": { "keys": { "PK": "A#{a}" }, "table": "a", "primary_key": ["a"] } }
}
M
for i in 1 2 3; do
    echo '{"PK":{"S":"A#'$i'"},"Type":{"S":"A"},"GSI1PK":{"S":"STATE#s'$i'"},"GSI2PK":{"S":"ALL#'$i'"},"GSI3PK":{"S":"ALL#'$i'"}}'
done >items.jsonl
renorm check model.json items.jsonl --workers 1 | grep '^advice'
# what cannot be read twice gets none
renorm check model.json - --workers 1 <items.jsonl >sheet || exit
! grep '^advice' sheet
echo "== examples only where they may be shown"
renorm check model.json items.jsonl --workers 1 --no-examples | grep '^advice'
sed 's/"primary_key"/"stages": [{ "mask": "secret" }], "primary_key"/' model.json >masking.json
RENORM_MASK_KEY=k renorm check masking.json items.jsonl --workers 1 | grep '^advice'
echo "== in brief"
sed 's/"Type":{"S":"A"},//' items.jsonl >untyped.jsonl
cat items.jsonl untyped.jsonl >both.jsonl
renorm check model.json both.jsonl --workers 1 --brief | grep -v 'items/s$'
renorm check "$TESTS/data/small.json" --brief
