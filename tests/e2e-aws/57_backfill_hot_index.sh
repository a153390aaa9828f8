#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A hot partition of an index: the writes that go there, spread over the whole table, are slowed down
# to what it takes, and no others.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"

thing_fill model.json
python3 - >items.jsonl <<'PY'
import json
for i in range(600):
    s = "hot" if i % 5 == 0 else f"v{i}"
    print(json.dumps({"PK": {"S": f"k{i}"}, "SK": {"S": "A"}, "Type": {"S": "Thing"}, "s": {"S": s}}))
PY
index='{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},
  {"AttributeName":"G1","AttributeType":"S"}],"GlobalSecondaryIndexes":[{"IndexName":"byG1","IndexStatus":"ACTIVE",
  "KeySchema":[{"AttributeName":"G1","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}'

# all_cold: true when all items but the hot ones are written; how many hot ones are then is in hot.txt.
all_cold() {
    sim_control dump | jq -r '.Item.G1.S // empty' >done.txt
    grep -c '^hot!' done.txt >hot.txt || true
    [ "$(grep -vc '^hot!' done.txt)" = 480 ]
}

# a build that is slow gets a partition that is slower still
wcu=15 crews="1 2"
if [ "$MODE" != release ]; then wcu=6 crews=2; fi
# all segments open from the start: one that is not would wait for the hot items of those before it
for workers in $crews; do
    rm -rf state
    live_sim --items items.jsonl --describe "$index" --index-partition-wcu "$wcu" --burst 0.2
    sim_items >before
    want "$THING_WANT" <before >right
    start run "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 \
        --segments $((workers * 16)) --workers "$workers" --summary end.json
    pid=$STARTED
    wait_until "all_cold || ! kill -0 $pid 2>/dev/null" 300
    hot=$(cat hot.txt)
    kill -0 "$pid" || fail "it ended: $(cat run.log)"
    echo "$workers: $hot of 120 writes to the hot partition when the last other one was made"
    [ "$hot" -le 80 ] || fail "the others waited for the hot partition"
    wait "$pid" || fail "exit status $?: $(cat run.log)"
    sim_items >after
    same_items "hot and cold" after right
    equal "counts" "$(counts end.json)" "read 600 changed 600 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
    throttled=$(sim_stat throttled)
    echo "$workers: $throttled throttles for 120 writes, $(jq .seconds end.json) s"
    [ "$throttled" -ge 1 ] || fail "no throttle: there was nothing to be seen"
    [ "$throttled" -le 120 ] || fail "$throttled throttles for 120 writes"
    stop "$SIM_PID"
done
