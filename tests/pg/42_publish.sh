#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# publish shows what is held, as it is, without the source and the model: in each mode, also what a
# guard of the merge itself stopped. What lacks a step, or is another process's, stays.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "pub", "source": { "type": "T", "key": ["PK"] }, "entities": {
  "A": { "table": "a", "keys": { "PK": "A#{a}" }, "primary_key": "a", "references": [{ "columns": ["b"], "to": "b" }],
         "stages": [{ "explode": { "from": "L", "into": "l" } }, { "extract": { "into": "c", "key": "c", "columns": { "c": "text" } } }],
         "columns": { "a": "text", "n": "bigint", "b": "text" } },
  "B": { "table": "b", "keys": { "PK": "B#{b}" }, "primary_key": "b", "columns": { "b": "text" } } } }
M
items() { seq "$1" | sed 's/.*/{"PK":{"S":"A#&"},"T":{"S":"A"},"n":{"N":"&"},"b":{"S":"&"},"c":{"S":"c"},"L":{"L":[{"S":"x"},{"S":"y"}]}}/'; seq 150 | sed 's/.*/{"PK":{"S":"B#&"},"T":{"S":"B"}}/'; }
items 200 >good.jsonl
{ items 40; echo '{"PK":{"S":"x"},"T":{"S":"Alien"}}'; } >few.jsonl
export_ok good.jsonl "$URL" -m model.json --schema good
pg_rows_of good model.json >good.txt
export_ok few.jsonl "$URL" -m model.json --schema few --max-unrouted 1
pg_rows_of few model.json >few.txt
publish() { expect_exit "$1" "$RENORM" publish "$URL" "${@:2}" >out.txt 2>err.txt; }

publish 2
said "no run is held"
for mode in replace merge; do
    args=(--mode "$mode" --schema "$mode")
    if [ $mode = merge ]; then args+=(--delete-missing); fi
    export_ok good.jsonl "$URL" -m model.json "${args[@]}" --orphans keep
    export_exit 1 few.jsonl "$URL" -m model.json "${args[@]}"
    diff good.txt <(pg_rows_of "$mode" model.json) >diff.txt || fail "$mode: not held"
done
publish 2
said '2 runs are held, of "replace" and "merge"'
for mode in replace merge; do
    publish 0 --schema "$mode"
    said 'it was held: '
    diff few.txt <(pg_rows_of "$mode" model.json) >diff.txt || { head diff.txt; fail "$mode: rows differ"; }
    equal "$mode: published" "$(q "select state, why from renorm.run where target = '$mode' order by run desc limit 1")" 'published|\N'
    publish 2 --schema "$mode"
done
equal "nothing left over" "$(q "select count(*) from pg_namespace where nspname ~ '^renorm_run_'")" 0
# the same constraints, not only the same rows
shape() { q "select conname, contype, convalidated from pg_constraint where connamespace = '$1'::regnamespace and contype in ('p', 'f') order by 1"; }
diff <(shape few) <(shape replace) || fail "other constraints"

# what the server refused lacks steps
{ cat few.jsonl; head -n 1 few.jsonl; } >twice.jsonl
export_exit 1 twice.jsonl "$URL" -m model.json --schema twice --max-unrouted 1
publish 2 --schema twice
said 'is not finished: table "a": 1 rows have a key that another row has'
export_ok twice.jsonl "$URL" -m model.json --schema twice --max-unrouted 1 --duplicates first

# a process works on it
export_exit 1 few.jsonl "$URL" -m model.json --schema busy
run=$(q "select max(run) from renorm.run")
q "create trigger gate before update on renorm.run for each row when (new.state = 'published') execute function public.wait_row()" >/dev/null 2>&1 || {
    wait_function
    q "create trigger gate before update on renorm.run for each row when (new.state = 'published') execute function public.wait_row()" >/dev/null
}
hold "select pg_advisory_lock(4242)"
start first "$RENORM" publish "$URL" --schema busy
pid=$STARTED
waits_at 4242
publish 3 --schema busy
said "run $run is under way on"
tell "select pg_advisory_unlock(4242)"
wait "$pid" || { cat first.log; fail "not published"; }
let_go
diff few.txt <(pg_rows_of busy model.json) >diff.txt || fail "busy: rows differ"

# what an earlier renorm held says too little
q "drop trigger gate on renorm.run" >/dev/null
export_exit 1 few.jsonl "$URL" -m model.json --schema old
q "update renorm.run set held = held - 'tables' where state = 'held'" >/dev/null
publish 2
said "was held by an earlier renorm"
