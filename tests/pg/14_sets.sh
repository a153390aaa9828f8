#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Designs that other people published, loaded by their models: the rows of the JSON-lines export,
# and verify agrees.
. "$(dirname "$0")/lib.sh"
sets=${RENORM_SHARED:-$ROOT/../shared}/data/sets
[ -d "$sets" ] || skip_scenario "no data sets beside the repository"
new_db
n=0
for model in "$TESTS"/sets/*.json; do
    name=$(basename "$model" .json)
    [ -f "$sets/$name.jsonl" ] || continue
    rm -rf folder
    export_ok "$sets/$name.jsonl" folder -m "$model" --max-rejects 1
    export_ok "$sets/$name.jsonl" "$URL" -m "$model" --schema "$name" --max-rejects 1
    folder_rows folder >want.txt
    pg_rows_of "$name" "$model" >got.txt
    diff -u want.txt got.txt || fail "$name: the tables differ from the files"
    [ -s want.txt ] || fail "$name has no rows"
    expect_exit 0 "$RENORM" verify "$sets/$name.jsonl" "$URL" -m "$model" --schema "$name" >verified.txt
    n=$((n + 1))
done
echo "$n sets"
[ "$n" -ge 15 ] || fail "only $n sets"
