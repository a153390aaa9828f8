#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several processes on one run: segments are leased, everybody sees the end, the result is whole.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
if [ "$SCALE" = full ]; then n=24000; else n=4000; fi
mkdir in
items $n | split -l $((n / 40)) - in/part- --additional-suffix=.jsonl
export_ok in "$URL" -m model.json --schema whole
pg_rows_of whole model.json >want.txt

pids=()
for i in 1 2 3; do
    start "join$i" "$RENORM" export in "$URL" -m model.json --schema joined --join -w 2 --commit-mb 1 --lease-seconds 30
    pids+=("$STARTED")
done
for i in 1 2 3; do
    wait "${pids[$((i - 1))]}" || { cat "$SCRATCH/join$i.log"; fail "process $i failed"; }
done
diff want.txt <(pg_rows_of joined model.json) >diff.txt || { head diff.txt; fail "rows differ"; }
equal "published once" "$(q "select count(*) from renorm.run where target = 'joined' and state = 'published'")" 1
