#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that the wrong model stopped is stopped again, whatever of it the ledger holds.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 200 >items.jsonl
export_ok items.jsonl "$URL" -m model.json --schema shop
pg_rows_of shop model.json >before.txt

pad=$(printf '%0300d' 0) # several commits before the question is put
seq 30000 | sed "s/.*/{\"PK\":{\"S\":\"x&\"},\"SK\":{\"S\":\"$pad\"},\"Type\":{\"S\":\"Alien\"}}/" >alien.jsonl
for workers in 1 1 2; do
    export_exit 4 alien.jsonl "$URL" -m model.json --schema shop --workers "$workers" --commit-mb 1
    said "items were rejected or matched no entity"
done
diff before.txt <(pg_rows_of shop model.json) >diff.txt || { head diff.txt; fail "rows differ"; }
