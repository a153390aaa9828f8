#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Key content that the model does not name is kept, in tables as in files, and verify sees it; index
# attributes are left out as the model says, counted, and shown where no column says the same.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "social",
  "source": { "key": ["PK", "SK"], "indexing": ["PK", "SK", "GSI*"] },
  "entities": { "follow": { "keys": { "PK": "u#{user_id}" }, "columns": { "user_id": "text" } } } }
M
sed 's/"keys"/"rest": "reject", "keys"/' model.json >strict.json
sed 's/"columns"/"stages": [{ "drop": "SK" }], "columns"/' model.json >silent.json
for to in 2 3; do
    echo '{"PK":{"S":"u#1"},"SK":{"S":"follows#'$to'"},"Type":{"S":"follow"},"GSI1PK":{"S":"ALL#'$to'"},"GSI2PK":{"S":"SINCE#2024-0'$to'"}}'
done >items.jsonl
cat >want.txt <<'W'
follow {"user_id":"1","extra":{"SK":{"S":"follows#2"}}}
follow {"user_id":"1","extra":{"SK":{"S":"follows#3"}}}
W
export_ok items.jsonl folder -m model.json
said 'index attributes left out: follow                            4'
said 'of these in no column: follow                                2'
said '    GSI2PK "SINCE#2024-02"'
export_ok items.jsonl shy -m model.json --no-examples
said 'of these in no column: follow                                2'
! grep -q 2024-02 "$SCRATCH/out.txt" "$SCRATCH/err.txt" || fail "an example all the same"
export_ok items.jsonl "$URL" -m model.json
said 'index attributes left out: follow                            4'
said 'of these in no column: follow                                2'
folder_rows folder >files.txt
pg_rows_of social model.json >tables.txt
diff -u files.txt tables.txt || fail "the tables differ from the files"
diff -u want.txt files.txt || fail "the key is not there"
for sink in folder "$URL"; do
    expect_exit 0 "$RENORM" verify items.jsonl "$sink" -m model.json >/dev/null
done
q "update social.follow set extra = '{\"SK\":{\"S\":\"follows#4\"}}' where extra->'SK'->>'S' = 'follows#3'" >/dev/null
expect_exit 1 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null

# what "rest" rejects is rejected, what the entity drops is dropped
export_exit 1 items.jsonl strict -m strict.json
said 'unknown-attribute'
export_ok items.jsonl dropped -m silent.json
folder_rows dropped >dropped.txt
equal "rows without their key" "$(sort -u dropped.txt)" 'follow {"user_id":"1"}'
