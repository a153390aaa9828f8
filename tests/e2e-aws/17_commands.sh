#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The other commands on a live table: verify, check, explain; and progress while a scan goes on.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
shop_model model.json
live_sim --generate 500 --page-bytes 32768

"$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000
"$BIN" verify dynamodb:shop out -m model.json --rcu 100000 >verified.txt
grep -q '^verified: 600 rows in 4 tables' verified.txt || fail "$(cat verified.txt)"
# an item that went away since is a difference
curl -s --fail-with-body --data-binary '{"clear":true}' "$SIM_URL/__sim/table" >/dev/null
expect_exit 1 "$BIN" verify dynamodb:shop out -m model.json --rcu 100000 >verified.txt 2>&1

stop "$SIM_PID" || true
live_sim --generate 500 --page-bytes 32768
"$BIN" check model.json dynamodb:shop --rcu 100000 >checked.txt
grep -qE '^items read +500$' checked.txt || fail "$(cat checked.txt)"
grep -qE '^[0-9.]+ read capacity units, 0 throttles, 0 retries$' checked.txt || fail "$(cat checked.txt)"
"$BIN" explain model.json dynamodb:shop --pk 'CUSTOMER#c00000003' --rcu 100000 >explained.txt
equal "items of the partition" "$(grep -c '^{"PK":{"S":"CUSTOMER#c00000003"}' explained.txt)" 10

# progress: units of those allowed, throttles, retries, segments
rm -rf out
start run "$BIN" export dynamodb:shop out -m model.json --rcu 1 --segments 3 --watch-seconds 1
wait_until "grep -qE 'renorm: [0-9]+ s: .* of 1 RCU/s, 0 throttles, 0 retries, [0-3] of 3 segments, [0-9]+%' run.log" 300
kill -INT "$STARTED"
status=0
wait "$STARTED" || status=$?
equal "exit status" "$status" 130
