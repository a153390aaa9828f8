#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example loaded into PostgreSQL holds the rows of its JSON-lines export, and its tables are
# those that the statements of check --ddl make in an empty database, as pg_dump sees them.
. "$(dirname "$0")/lib.sh"
new_db
PRINTED=$(pg_db "${DB}_printed")
# catalog URL SCHEMA: keys that rows without a parent left NOT VALID are the only difference there is
catalog() { pg_dump -s -d "$1" -n "$2" | sed -e '/^--/d' -e '/^\\/d' -e 's/ NOT VALID;$/;/'; }
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
    "$RENORM" check "$dir/model.json" --ddl --schema "$name" | psql -Xq -v ON_ERROR_STOP=1 -1 -d "$PRINTED"
    catalog "$PRINTED" "$name" >printed.sql
    catalog "$URL" "$name" >made.sql
    diff -u printed.sql made.sql || fail "$name: check --ddl does not print what is run"
    grep -q 'CREATE TABLE' made.sql || fail "$name: pg_dump saw no table"
    n=$((n + 1))
done
[ "$n" -ge 10 ] || fail "only $n examples"
equal "no staging is left" "$(q "select count(*) from pg_namespace where nspname like 'renorm_run%'")" 0
equal "all published" "$(q "select count(*) from renorm.run where state = 'published'")" "$n"
