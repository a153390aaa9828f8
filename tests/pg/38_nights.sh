#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that is held or was cut short does not block the next night: a newer source takes its place,
# told in the ledger and in the sheet; an older one is refused.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "n", "source": { "type": "T", "key": ["PK"] }, "entities": {
  "A": { "table": "a", "keys": { "PK": "A#{a}" }, "primary_key": "a", "columns": { "a": "text" } } } }
M
sed 's/"a": "text" }/"a": "text", "more": "text" }/' model.json >other.json
items() { seq "$1" | sed 's/.*/{"PK":{"S":"A#&"},"T":{"S":"A"}}/'; }
items 200 >1.jsonl
items 20 >2.jsonl
items 190 >3.jsonl
{ items 180 && echo '{"PK":{"S":"B"},"T":{"S":"B"}}'; } >4.jsonl
items 170 >5.jsonl
for i in 1 2 3 4 5; do touch -d "2026-01-0${i}T02:00:00Z" $i.jsonl; done
runs() { q "select run, state, why from renorm.run order by run"; }
shows() { equal "rows shown" "$(q "select count(*) from n.a")" "$1"; }

export_ok 1.jsonl "$URL" -m model.json
export_exit 1 2.jsonl "$URL" -m model.json
equal "why it is held" "$(runs | sed -n 2p)" '2|held|table "a" shrank from 200 to 20 rows, by more than 50%'
"$RENORM" status "$URL" >status.txt
grep -qF '  why: table "a" shrank from 200 to 20 rows' status.txt || fail "status does not say why"
equal "status as JSON" "$("$RENORM" status "$URL" --json | jq -r '.runs[0] | .state + " " + .why')" \
    'held table "a" shrank from 200 to 20 rows, by more than 50%'
export_exit 2 1.jsonl "$URL" -m model.json
said "has another source"
export_exit 2 2.jsonl "$URL" -m other.json
said "has another model"
shows 200
export_ok 3.jsonl "$URL" -m model.json
said 'run 2 was superseded by run 3: the source is newer; it was held: table "a" shrank'
equal "the ledger" "$(q "select state, superseded_by, why like 'superseded by run 3: the source is newer; it was held: table%' from renorm.run where run = 2")" 'abandoned|3|t'
equal "its staging is gone" "$(q "select count(*) from pg_namespace where nspname like 'renorm_run_%'")" 0
shows 190

# above the allowance; then a mended model with the next night's source
export_exit 1 4.jsonl "$URL" -m model.json
export_ok 5.jsonl "$URL" -m other.json
shows 170

# cut short in the middle of the load: nobody works on it any more
wait_function
copy_waits a
hold 'select pg_advisory_lock(4242)'
items 160 >6.jsonl
items 150 >7.jsonl
touch -d '2026-01-06T02:00:00Z' 6.jsonl
start cut "$RENORM" export 6.jsonl "$URL" -m other.json --workers 1
pid=$STARTED
waits_at 4242
export_exit 3 7.jsonl "$URL" -m other.json
said "is under way"
stop "$pid" KILL || true
let_go
export_exit 2 1.jsonl "$URL" -m other.json
said "has another source"
export_ok 7.jsonl "$URL" -m other.json
said "run 6 was superseded by run 7: the source is newer"
shows 150
