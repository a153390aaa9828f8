#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example loaded into PostgreSQL holds the rows of its JSON-lines export.
. "$(dirname "$0")/lib.sh"
new_db
n=0
for dir in "$ROOT"/examples/*/; do
    name=$(basename "$dir")
    [ -f "$dir/items.jsonl" ] || continue
    options=()
    if [ -f "$dir/options" ]; then read -r -a options <"$dir/options"; fi
    rm -rf folder
    (
        cd "$dir"
        export_ok items.jsonl "$SCRATCH/folder" -m model.json "${options[@]}"
        export_ok items.jsonl "$URL" -m model.json --schema "$name" "${options[@]}"
    ) || fail "$name was not loaded"
    folder_rows folder >want.txt
    pg_rows_of "$name" "$dir/model.json" >got.txt
    diff -u want.txt got.txt || fail "$name: the tables differ from the files"
    [ -s want.txt ] || fail "$name has no rows"
    n=$((n + 1))
done
[ "$n" -ge 10 ] || fail "only $n examples"
equal "no staging is left" "$(q "select count(*) from pg_namespace where nspname like 'renorm_run%'")" 0
equal "all published" "$(q "select count(*) from renorm.run where state = 'published'")" "$n"
