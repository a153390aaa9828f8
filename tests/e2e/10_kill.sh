#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An export is killed at random moments, and while it reduces, and resumed each time: the rows are
# exactly those of an undisturbed run, and it did not start over.
. "$(dirname "$0")/lib.sh"
scenario
kills=${KILLS:-$([ "$SCALE" = full ] && echo 20 || echo 3)}
items=${ITEMS:-$([ "$SCALE" = full ] && echo 60000 || echo 6000)}
"$GEN" "$items" >items.jsonl
# copies that are brought together at the end: of all orders, and of places that disagree
jq '.entities.Order.stages += [{extract: {into: "receipt", key: ["order_id"],
        columns: {order_id: "text", total: "numeric", status: "text"}}}]
    | del(.entities.Customer.columns.email)
    | .entities.Customer.stages = [{extract: {into: "place", key: ["zip"], rule: "majority", columns: {
        zip: {type: "text", from: "Address.Zip"}, city: {type: "text", from: "Address.City"}}}}]
        + .entities.Customer.stages' "$SHOP" >model.json
# slow enough for a kill to strike while rows are written, whatever the machine
level=$([ "$SCALE" = full ] && echo 12 || echo 15)
options=(-m model.json --commit-mb 1 --commit-seconds 1 --part-mb 1 --level "$level")

began=$(date +%s%N)
"$BIN" export items.jsonl whole "${options[@]}" --quiet --summary whole.json
took=$(($(date +%s%N) - began))
rows whole >whole.rows
[ "$(summary whole.json .conflicts)" -gt 0 ] || fail "no places disagree: nothing is reduced"

# finished WHAT: it was faster than the kill, and the run is over.
finished() {
    equal "rows after $1" "$(rows out | md5sum)" "$(md5sum <whole.rows)"
    equal "shape after $1" "$(jq -c .shape out/manifest.json)" "$(jq -c .shape whole/manifest.json)"
    rm -rf out
}

# a moment within the time that what is left of the run takes; the first run gets somewhere before
RANDOM=${SEED:-7}
struck=0 missed=0 resumed=0
while [ "$struck" -lt "$kills" ]; do
    left=$((items - $(progress_of out)))
    "$BIN" export items.jsonl out "${options[@]}" --quiet --summary out.json &
    pid=$!
    if [ "$resumed" = 0 ]; then
        wait_until "[ \"\$(progress_of out)\" -gt 0 ] || ! kill -0 $pid 2>/dev/null"
    else
        sleep "$(awk -v t="$took" -v l="$left" -v n="$items" -v r="$RANDOM" \
            'BEGIN { printf "%.3f", t / 1e9 * l / n * r / 32768 * 0.9 }')"
    fi
    status=0
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" || status=$?
    case $status in
    137) struck=$((struck + 1)) ;;
    0) missed=$((missed + 1)) && finished "$struck kills" ;;
    *) fail "exit status $status" ;;
    esac
    if [ "$(progress_of out)" -gt 0 ]; then resumed=1; fi
    [ "$missed" -le $((kills / 2 + 1)) ] || fail "$missed of $((struck + missed)) kills came too late"
done
[ "$resumed" = 1 ] || fail "no run was ever resumed"
before=$(progress_of out)

# a run says when it begins to reduce: it is killed then
mkfifo told
struck=0 missed=0
while [ "$struck" -lt 3 ]; do
    exec 7<>told
    "$BIN" export items.jsonl out "${options[@]}" --log json --summary out.json 2>&7 >/dev/null 7>&- &
    pid=$!
    line=""
    while [[ $line != *reducing* ]] && read -r -t 120 line <&7; do :; done
    [[ $line = *reducing* ]] || fail "it did not say that it reduces"
    kill -KILL "$pid" 2>/dev/null || true
    exec 7>&-
    status=0
    wait "$pid" || status=$?
    case $status in
    137) struck=$((struck + 1)) ;;
    0) missed=$((missed + 1)) && finished "a reduction" ;;
    *) fail "exit status $status" ;;
    esac
    [ "$missed" -le 3 ] || fail "the reduction is too quick to be killed"
done
equal "items before the reduction" "$(progress_of out)" "$items"

"$BIN" export items.jsonl out "${options[@]}" --quiet --summary out.json
equal "rows after all kills" "$(rows out | md5sum)" "$(md5sum <whole.rows)"
equal "shape after all kills" "$(jq -c .shape out/manifest.json)" "$(jq -c .shape whole/manifest.json)"
[ "$(jq '[.shape[] | select(.about == "attribute")] | length' whole/manifest.json)" -gt 0 ] || fail "nothing went to extra"
equal "items read" "$(summary out.json .items.read)" "$items"
[ "$(summary out.json .resumed_items)" -ge "$before" ] || fail "it started over"
"$BIN" verify items.jsonl out -m model.json --quiet
