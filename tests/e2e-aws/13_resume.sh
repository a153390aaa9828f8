#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Scans that were stopped go on where they were: killed at any moment, interrupted, refused.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 10000 --page-bytes 32768)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}"
go=("$BIN" export dynamodb:shop out -m model.json --quiet --workers 2)

scans() { sim_stat scans; }

# ---- undisturbed: how many pages there are ----
"${go[@]}" --rcu 100000 --segments 12
same_rows "undisturbed" out want.rows
pages=$(scans)

# ---- killed again and again ----
kills=8
if [ "$SCALE" = small ]; then kills=3; fi
rm -rf out
for _ in $(seq "$kills"); do
    target=$(($(scans) + 25))
    start killed "${go[@]}" --rcu 150 --segments 12 --commit-seconds 1
    pid=$STARTED
    wait_until "[ \$(scans) -ge $target ] || ! kill -0 $pid 2>/dev/null"
    kill -9 "$pid" 2>/dev/null || true
    wait_until "! kill -0 $pid 2>/dev/null"
done
"${go[@]}" --rcu 100000 --summary end.json
same_rows "killed" out want.rows
equal "items, over all processes" "$(jq -c '[.items.read, .items.routed]' end.json)" '[10000,10000]'

# ---- interrupted: nothing that was read is read again, but for what was in flight ----
rm -rf out
before=$(scans)
start stopped "${go[@]}" --rcu 40 --segments 12
pid=$STARTED
wait_until "[ \$(scans) -ge $((before + 40)) ]"
kill -INT "$pid"
status=0
wait "$pid" || status=$?
equal "exit status of an interrupted run" "$status" 130
"${go[@]}" --rcu 100000 --summary end.json
same_rows "interrupted" out want.rows
again=$(($(scans) - before - pages))
[ "$again" -le 12 ] || fail "$again pages were read twice: more than were in flight"
[ "$(jq .resumed_items end.json)" -gt 0 ] || fail "nothing was resumed"

# ---- no worker is without work: each leaves a part of its own ----
sim_control table '{"latency_ms":100}' >/dev/null
for workers in 2 4; do
    rm -rf out
    "$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 8 --workers "$workers"
    equal "workers that worked" "$(compgen -G 'out/orders/part-*' | wc -l)" "$workers"
done
sim_control table '{"latency_ms":0}' >/dev/null
rm -rf out

# ---- the number of segments is the ledger's ----
# fatal: the run ends with the tenth page
halt() { sim_control faults '{"operation":"Scan","nth":10,"action":"access-denied"}' >/dev/null; }
rm -rf out
halt
expect_exit 4 "${go[@]}" --rcu 100000 --segments 12 2>/dev/null
expect_exit 2 "${go[@]}" --rcu 100000 --segments 9 2>err.txt
grep -q 'has 12 segments, --segments says 9' err.txt || fail "$(cat err.txt)"
"${go[@]}" --rcu 100000
same_rows "segments of the ledger" out want.rows

# ---- too old ----
rm -rf out
halt
expect_exit 4 "${go[@]}" --rcu 100000 --now 2026-01-01T00:00:00Z 2>/dev/null
expect_exit 0 "${go[@]}" --rcu 100000 --max-age 1000000
same_rows "within its age" out want.rows
rm -rf out
halt
expect_exit 4 "${go[@]}" --rcu 100000 --now 2026-01-01T00:00:00Z 2>/dev/null
expect_exit 0 "${go[@]}" --rcu 100000
jq -r .supersedes out/manifest.json | grep -q 'gave way: it is too old to go on with, the live table is scanned anew' || fail "not said"
same_rows "scanned anew" out want.rows

# ---- another table of the same name ----
rm -rf out
halt
expect_exit 4 "${go[@]}" --rcu 100000 2>/dev/null
sim_control table '{"deleted":true}' >/dev/null
expect_exit 2 "${go[@]}" --rcu 100000 2>err.txt
grep -q ResourceNotFoundException err.txt || fail "$(cat err.txt)"
sim_control table '{"recreate":true}' >/dev/null
expect_exit 2 "${go[@]}" --rcu 100000 2>err.txt
grep -q 'the source has changed' err.txt || fail "$(cat err.txt)"
"${go[@]}" --rcu 100000 --restart
same_rows "begun anew" out want.rows
