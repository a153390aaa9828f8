# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# check asks for the table's key where neither the model nor the source says it, and tells whose rows
# have more in them than before: entities that explain their key not at all or in part
cat >model.json <<'M'
{ "renorm": 1, "source": { "indexing": ["PK", "SK"] },
  "entities": { "A": { "keys": { "PK": "A#{a}" }, "table": "a", "primary_key": ["a"] } } }
M
echo '{"PK":{"S":"A#1"},"SK":{"S":"x#2"},"Type":{"S":"A"}}' >items.jsonl
sed 's/"indexing"/"key": ["PK", "SK"], "indexing"/' model.json >keyed.json
sed 's/"keys"/"rest": "reject", "keys"/' keyed.json >strict.json
sed 's/"primary_key"/"stages": [{ "drop": "SK" }], "primary_key"/' keyed.json >silent.json
for model in model keyed silent; do
    echo "-- $model"
    renorm check $model.json | grep '^advice'
    renorm check $model.json items.jsonl --workers 1 | grep '^index\|^of these\|^    SK\|^advice'
    renorm check $model.json --quiet
    renorm export items.jsonl $model -m $model.json --quiet
    zstd -dcq $model/a/*.zst
done
renorm check strict.json | grep '^advice'
