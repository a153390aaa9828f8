#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An export is killed at random moments and resumed each time: the rows are exactly those of an
# undisturbed run, and it did not start over.
. "$(dirname "$0")/lib.sh"
scenario
kills=${KILLS:-$([ "$SCALE" = full ] && echo 20 || echo 3)}
items=${ITEMS:-$([ "$SCALE" = full ] && echo 60000 || echo 6000)}
"$GEN" "$items" >items.jsonl
options=(-m "$SHOP" --commit-mb 1 --commit-seconds 1 --part-mb 1 --quiet)

began=$(date +%s%N)
"$BIN" export items.jsonl whole "${options[@]}" --summary whole.json
took=$(($(date +%s%N) - began))
rows whole >whole.rows

RANDOM=${SEED:-7}
done_kills=0 resumed=0
while [ "$done_kills" -lt "$kills" ]; do
    "$BIN" export items.jsonl out "${options[@]}" --summary out.json &
    pid=$!
    if [ "$resumed" = 0 ]; then
        # the first one has certainly got somewhere
        wait_until "[ \"\$(progress_of out)\" -gt 0 ] || ! kill -0 $pid 2>/dev/null"
    else
        sleep "$(awk -v t="$took" -v r="$RANDOM" 'BEGIN { printf "%.3f", t / 1e9 * r / 32768 }')"
    fi
    status=0
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" || status=$?
    done_kills=$((done_kills + 1))
    if [ "$status" = 0 ]; then # it was faster than the kill: the run is over
        resumed=1
        equal "rows after $done_kills kills" "$(rows out | md5sum)" "$(md5sum <whole.rows)"
        rm -rf out
        continue
    fi
    if [ "$(progress_of out)" -gt 0 ]; then resumed=1; fi
done
before=$(progress_of out)
"$BIN" export items.jsonl out "${options[@]}" --summary out.json
equal "rows after all kills" "$(rows out | md5sum)" "$(md5sum <whole.rows)"
equal "items read" "$(summary out.json .items.read)" "$items"
if [ "$before" -gt 0 ]; then
    [ "$(summary out.json .resumed_items)" -gt 0 ] || fail "it started over"
fi
[ "$resumed" = 1 ] || fail "no run was ever resumed"
"$BIN" verify items.jsonl out -m "$SHOP" --quiet
