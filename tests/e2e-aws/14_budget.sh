#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The read budget against the simulator's own books: at 1, 5, 100 and 5000 units a second, with
# large items, many workers and lost answers, no window holds more than the budget allows.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
shop_model model.json
model=model.json

faults='[{"operation":"Scan","every":9,"times":6,"action":"500"},
         {"operation":"Scan","every":7,"times":6,"action":"reset-after"},
         {"operation":"Scan","every":11,"times":6,"action":"reset-in-body"}]'

# within NAME RATE: the books of this simulator hold what a budget of RATE allows. The second of slack is what
# a busy machine may delay a request by between its reservation and its arrival.
within() {
    "$OBJDIR/tests/sim/sim" --check-books "$1.books" --rate "$2" --slack 1 --check-op Scan ||
        fail "$1: more than $2 units a second"
}

# scan NAME RATE WORKERS SEGMENTS SIM-OPTION...: one table of its own, in the background.
scan() {
    local name=$1 rate=$2 workers=$3 segments=$4
    shift 4
    sim_start "$name" --credentials AKID:SECRET --books "$name.books" "$@"
    AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL start "$name.run" "$BIN" export dynamodb:shop "$name.out" -m "$model" \
        --quiet --rcu "$rate" --workers "$workers" --segments "$segments" --summary "$name.json"
    echo "$STARTED $SIM_URL $name $rate" >>running
}

# an item of fifty seconds' worth: two of them are seen, and then it is enough
scan one_big 1 4 3 --generate 6 --item-bytes 409600
mv running big
scan one 1 2 2 --generate 3 --item-bytes 65536
scan one_small 1 4 4 --generate 200 --fault '{"operation":"Scan","nth":3,"action":"throttle"}'
scan five 5 8 4 --generate 3 --item-bytes 409600
scan five_small 5 8 8 --generate 600 --fault '{"operation":"Scan","every":7,"times":2,"action":"reset-after"}'
# nothing seen so far tells what an answer that was lost has cost: small items first, then large ones
python3 - >mixed.jsonl <<'MIXED'
import json
for i in range(2010):
    payload = "x" * (20 if i < 2000 else 390 * 1024)
    print(json.dumps({"PK": {"S": "ITEM#1"}, "SK": {"S": "%05d" % i}, "Type": {"S": "Item"}, "Payload": {"S": payload}}))
MIXED
cat >mixed.model.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": { "Item": { "keys": { "PK": "ITEM#{number}", "SK": "{part}" }, "table": "item",
      "primary_key": ["number", "part"], "columns": { "number": "text", "part": "text" } } } }
MODEL
model=mixed.model.json
scan mixed 20 2 1 --items mixed.jsonl --fault '{"operation":"Scan","after":1,"times":5,"action":"reset-after"}'
model=model.json
scan hundred 100 8 32 --generate 40 --item-bytes 409600 --fault "$faults"
scan hundred_over 100 8 32 --generate 40 --item-bytes 409600 --page-over
scan thousands 5000 8 64 --generate 400 --item-bytes 409600 --latency-ms 50 --fault "$faults"
scan thousands_over 5000 8 64 --generate 400 --item-bytes 409600 --page-over

# a hot key range slows its own segments: the budget of the others stays what it was
hot='{"operation":"Scan","action":"throttle","reason":"TableReadKeyRangeThroughputExceeded"}'
sim_start hot --credentials AKID:SECRET --generate 20000 \
    --fault "$(jq -cn --argjson hot "$hot" '[range(8) | $hot + {segment: .}]')"
hot_url=$SIM_URL
AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL start hot.run "$BIN" export dynamodb:shop hot.out -m model.json --rcu 20 \
    --workers 2 --segments 16 --log json
hot_pid=$STARTED

# big_pages: how many large items were read
big_pages() {
    sim_control flush >/dev/null
    awk -F '\t' '$2 == "Scan" && $4 >= 50 { n++ } END { print n + 0 }' one_big.books
}

while read -r pid url name rate; do
    wait "$pid" || fail "$name: exit status $? ($(cat "$name.run.log"))"
    SIM_URL=$url
    sim_control flush >/dev/null
    within "$name" "$rate"
    equal "$name: items" "$(jq .items.routed "$name.json")" "$(sim_stat items)"
    # what renorm counts is what the service counted, and a whole page for an answer that was lost
    lost=$(awk -F '\t' '$2 == "Scan" && $7 != "-" && $7 != "throttle" { n++ } END { print n + 0 }' "$name.books")
    jq -e --argjson books "$(sim_stat read_units)" --argjson lost "$lost" \
        '.rcu >= $books - 0.1 and .rcu <= $books + $lost * 150 + 0.1' "$name.json" >/dev/null ||
        fail "$name: $(jq .rcu "$name.json") units told, $(sim_stat read_units) booked, $lost answers lost"
done <running

SIM_URL=$hot_url
# hot_throttled: a line of progress tells of every hot segment, and of pages read beside them
hot_throttled() {
    grep '"event":"progress"' hot.run.log >hot.json && jq -es 'any(.throttles >= 8 and .rcu >= 100)' hot.json >/dev/null
}
wait_until hot_throttled 300
kill -INT "$hot_pid" || fail "hot: $(cat hot.run.log)"
wait "$hot_pid" || true
jq -es 'all(.rcu_allowed == 20)' hot.json >/dev/null || fail "hot: $(cat hot.json)"

read -r pid SIM_URL name rate <big
wait_until "[ \$(big_pages) -ge 2 ] || ! kill -0 $pid 2>/dev/null" 600
kill -INT "$pid" || fail "$name: $(cat "$name.run.log")"
status=0
wait "$pid" || status=$?
equal "exit status of $name" "$status" 130
sim_control flush >/dev/null
within "$name" "$rate"
awk -F '\t' '$2 == "Scan" && $4 >= 50 { if (last && $1 - last < 45e6) exit 1; last = $1 }' one_big.books ||
    fail "two large items in less than 45 seconds: $(cat one_big.books)"
