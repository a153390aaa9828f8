#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A partition that takes nothing holds back its own items and no others; and throttling by real
# buckets, of partitions and of the table, ends in a complete backfill.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"

thing_fill model.json
# 200 items of one partition key among 400 of their own
python3 - >items.jsonl <<'PY'
import json
for i in range(600):
    key = "hot" if i % 3 == 0 else f"cold{i}"
    print(json.dumps({"PK": {"S": key}, "SK": {"S": str(i)}, "Type": {"S": "Thing"}, "s": {"S": f"v{i}"}}))
PY
live_sim --items items.jsonl \
    --fault '{"operation":"UpdateItem","pk":"hot","action":"throttle","reason":"TableWriteKeyRangeThroughputExceeded"}'
sim_items >before
want "$THING_WANT" <before >right
start run "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --segments 16 \
    --workers 1 --in-flight 16 --summary end.json
pid=$STARTED
wait_until "[ \$(sim_stat applied) -ge 400 ] || ! kill -0 $pid 2>/dev/null" 300
kill -0 "$pid" || fail "it ended: $(cat run.log)"
sim_control dump | jq -r '.Item | select(.G1) | .PK.S' | sort -u >done.txt
equal "partitions that are done" "$(wc -l <done.txt)" 400
if grep -q hot done.txt; then fail "a throttled write was made"; fi
sim_control faults '[]' >/dev/null
wait "$pid" || fail "exit status $?: $(cat run.log)"
sim_items >after
same_items "hot and cold" after right
equal "counts" "$(counts end.json)" "read 600 changed 600 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
[ "$(jq .throttles end.json)" -ge 1 ] || fail "no throttle was counted"
stop "$SIM_PID"

# a segment that cannot be read for the time being keeps the others from nothing
rm -rf state
live_sim --items items.jsonl --page-bytes 2048 \
    --fault '{"operation":"Scan","segment":5,"action":"throttle","reason":"TableReadKeyRangeThroughputExceeded"}'
start run "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --segments 16 \
    --workers 1 --summary end.json
pid=$STARTED
wait_until "[ \$(cat state/log/*.log | grep -o '\"done\":true' | wc -l) = 15 ] || ! kill -0 $pid 2>/dev/null" 300
kill -0 "$pid" || fail "it ended: $(cat run.log)"
sim_control faults '[]' >/dev/null
wait "$pid" || fail "exit status $?: $(cat run.log)"
sim_items >after
same_items "a segment that came late" after right
stop "$SIM_PID"

# real buckets; what the server cannot take is refused, and comes again
items=200
shop_fill model.json
for buckets in '--partitions 4 --partition-wcu 80' '--wcu 300 --enforce' '--wcu 300 --enforce --on-demand'; do
    rm -rf state
    # shellcheck disable=SC2086
    live_sim --generate "$items" --burst 0.1 --page-bytes 16384 $buckets
    sim_items >before
    want "$SHOP_WANT" <before >right
    fill
    sim_items >after
    same_items "$buckets" after right
    equal "$buckets" "$(counts end.json)" "read $items changed $items already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
    echo "$buckets: $(jq .throttles end.json) throttles for $items writes in $(jq .seconds end.json) s"
    # by the SDKs' back-off it would be more throttles than this, and half a minute
    [ "$(sim_stat throttled)" -le $((items + 50)) ] || fail "$buckets: $(sim_stat throttled) throttles for $items writes"
    jq -e ".seconds < 15" end.json >/dev/null || fail "$buckets: it took $(jq .seconds end.json) s"
    stop "$SIM_PID"
done

# the table itself can take far less than it is offered: all workers together keep to that, the last writes, too
rm -rf state
live_sim --generate 1500 --burst 0.1 --page-bytes 16384 --wcu 150 --enforce
fill --workers 4 --segments 96
equal "slow table" "$(counts end.json)" "read 1500 changed 1500 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
echo "slow table: $(jq .throttles end.json) throttles for 1500 writes in $(jq .seconds end.json) s"
[ "$(sim_stat throttled)" -le 350 ] || fail "slow table: $(sim_stat throttled) throttles for 1500 writes"
jq -e '.seconds < 20' end.json >/dev/null || fail "slow table: it took $(jq .seconds end.json) s"
stop "$SIM_PID"

# many keys, none of them hot, in one partition that cannot take them all: it sets the pace of its own
# range, is asked hardly more often than it can answer, and the others are done long before
rm -rf state
thing_fill model.json
hot=2000
if [ "$SCALE" = small ]; then hot=600; fi
python3 - 10000 >all.jsonl <<'PY'
import json, sys
for i in range(int(sys.argv[1])):
    print(json.dumps({"PK": {"S": f"key{i}"}, "SK": {"S": "A"}, "Type": {"S": "Thing"}, "s": {"S": f"v{i}"}}))
PY
sim_start parts --no-auth --items all.jsonl
for part in 0 1 2 3; do
    AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL call Scan "{\"TableName\":\"shop\",\"Segment\":$part,\"TotalSegments\":4}" |
        jq -c '.Items[]' >"part$part.jsonl"
done
stop "$SIM_PID"
{
    sed -n "1,${hot}p" part1.jsonl
    for part in 0 2 3; do sed -n 1,60p "part$part.jsonl"; done
} >items.jsonl
live_sim --items items.jsonl --partitions 4 --partition-wcu 200 --burst 0.3 --latency-ms 1
start run "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --summary end.json
pid=$STARTED
wait_until "[ \$(sim_stat applied) -ge $((hot / 2 + 180)) ] || ! kill -0 $pid 2>/dev/null" 300
kill -0 "$pid" || fail "it ended: $(cat run.log)"
sim_control dump | jq -r '.Item | select(.G1) | .PK.S' | sort >done.txt
jq -r '.PK.S' part[023].jsonl | sort >cold.txt
equal "done of the other partitions" "$(comm -12 done.txt cold.txt | wc -l)" 180
wait "$pid" || fail "exit status $?: $(cat run.log)"
equal "counts" "$(counts end.json)" \
    "read $((hot + 180)) changed $((hot + 180)) already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
throttles=$(jq .throttles end.json)
echo "$throttles throttles for $((hot + 180)) writes in $(jq .seconds end.json) s"
[ "$throttles" -le $(((hot + 180) / 5 + 150)) ] || fail "$throttles throttles for $((hot + 180)) writes"
jq -e ".seconds < $hot / 200 * 3" end.json >/dev/null || fail "it took $(jq .seconds end.json) s"
stop "$SIM_PID"
