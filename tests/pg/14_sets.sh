#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Designs that other people published, loaded by their models: the rows of the JSON-lines export,
# and verify agrees.
. "$(dirname "$0")/lib.sh"
sets=${RENORM_SHARED:-$ROOT/../shared}/data/sets
[ -d "$sets" ] || skip_scenario "no data sets beside the repository"
new_db

# same NAME SOURCE MODEL: loaded and exported alike
same() {
    rm -rf folder
    export_ok "$2" folder -m "$3" --max-rejects 1
    export_ok "$2" "$URL" -m "$3" --schema "$1" --max-rejects 1
    folder_rows folder >want.txt
    pg_rows_of "$1" "$3" >got.txt
    diff -u want.txt got.txt || fail "$1: the tables differ from the files"
    [ -s want.txt ] || fail "$1 has no rows"
    expect_exit 0 "$RENORM" verify "$2" "$URL" -m "$3" --schema "$1" >verified.txt
}

n=0
for items in "$sets"/*.jsonl; do
    name=$(basename "$items" .jsonl)
    [ -f "$TESTS/sets/$name.json" ] || fail "no model for $name"
    same "$name" "$items" "$TESTS/sets/$name.json"
    n=$((n + 1))
done
echo "$n sets"
[ "$n" -ge 15 ] || fail "only $n sets"

# an export as DynamoDB wrote it, with every type of attribute
cat >export.json <<'M'
{ "renorm": 1, "source": { "key": ["id"] },
  "entities": { "Row": { "when": { "id": "*" }, "table": "made", "primary_key": ["id"],
    "columns": { "id": "text", "baz": "numeric", "a": "boolean", "c": "text[]", "d": "numeric[]", "e": "jsonb", "f": "jsonb", "j": "bytea", "k": "bytea[]" } } } }
M
export=$(find "$sets/../sample-export/dynamodb-export" -name manifest-summary.json -printf '%h')
[ -d "$export" ] || fail "no export in the data"
same sample_export "$export" export.json
