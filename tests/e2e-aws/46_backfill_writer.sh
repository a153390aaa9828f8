#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A live application changes, deletes and inserts thousands of items while the backfill runs: none
# of its changes is lost, nothing deleted is back, every item that remains is right or listed.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
items=${ITEMS:-$([ "$SCALE" = full ] && echo 3000 || echo 500)}
operations=${OPERATIONS:-$([ "$SCALE" = full ] && echo 4000 || echo 600)}
shop_fill model.json

cat >judge.py <<'PY'
import json, sys
log, after, right, listed = sys.argv[1:]
last = json.load(open(log))
key = lambda item: json.dumps([item["PK"]["S"], item["SK"]["S"]])
now = {key(i): i for i in map(json.loads, open(after))}
should = {key(i): i for i in map(json.loads, open(right))}
told = {key(json.loads(line)["key"]) for line in open(listed)} if listed else set()
for k, change in last.items():
    if change is None:
        assert k not in now, f"{k} is back"
    else:
        assert k in now, f"{k} is lost"
        for name, value in change.items():
            assert now[k].get(name) == value, f"{k}: the writer's {name} is lost: {now[k].get(name)}, not {value}"
# an input that was changed behind the backfill's back makes the item stale; then its targets are those
# of one state that it was in, as it was read
stale = json.load(open(log + ".stale"))


def as_read(k):
    other = {name: value for name, value in now[k].items() if name != "GSI1PK"}
    return (k in stale and now[k].get("GSI1PK", {}).get("S") in ["STATUS#" + status for status in stale[k]]
            and other == {name: value for name, value in should[k].items() if name != "GSI1PK"})


wrong = [k for k in now if now[k] != should[k] and k not in told and not as_read(k)]
assert not wrong, f"{len(wrong)} items are neither right nor listed, {wrong[0]}: {now[wrong[0]]}"
left = sum(now[k] != should[k] for k in now)
gone = sum(change is None for change in last.values())
print(f"{len(now)} items, {len(last)} touched by the writer, {gone} deleted, {len(told)} listed, {left} stale or listed")
PY

# sim_quiet: no more faults, where the server is one that has them.
sim_quiet() { if [ "$AWS_ENDPOINT_URL_DYNAMODB" = "${SIM_URL:-}" ]; then sim_control faults '[]' >/dev/null; fi; }

# live ITEMS-COMMAND...: the application and the backfill at once on the server at hand, which
# may have a GATE to open when the application has done its part.
live() {
    rm -rf state stop stop.*
    "$@" >before
    start writer python3 "$TESTS/e2e-aws/writer.py" "$AWS_ENDPOINT_URL_DYNAMODB" "${TABLE:-shop}" before written.json stop "$operations" 4
    writer=$STARTED
    wait_until "[ -e stop.begun ] || ! kill -0 $writer 2>/dev/null"
    start fill "$BIN" backfill "dynamodb:${TABLE:-shop}" -m model.json --state state --quiet --rcu 100000 --wcu $((items / 4)) \
        --summary end.json --segments 32 --workers 2
    filler=$STARTED
    wait_until "[ -e stop.enough ] || ! kill -0 $writer 2>/dev/null" 600
    if [ -n "${GATE:-}" ]; then
        kill -0 "$filler" || fail "the gate was open: $(cat fill.log)"
        sim_control faults '[]' >/dev/null
    fi
    status=0
    wait "$filler" || status=$?
    touch stop
    wait "$writer" || fail "the writer: $(cat writer.log)"
    # deleted meanwhile is a reason to exit 1
    [[ $status = [01] ]] || fail "exit status $status: $(cat fill.log)"
    counts end.json
    "$@" >after
    want "$SHOP_WANT" <after >right
    python3 judge.py written.json after right state/listed.jsonl || fail "the writer and the backfill did not agree"
    cat writer.log
    # nobody disturbs the next one: now all is right
    sim_quiet
    fill
    "$@" >after
    same_items "the next backfill" after right
}

# the backfill works with what it read long ago: answers to its scans come late; some of its writes are
# made although their answers are lost; and one customer is not written before the application is done
GATE='[{"operation":"UpdateItem","key_id":"AKID","pk":"CUSTOMER#c00000000","action":"throttle","reason":"TableWriteKeyRangeThroughputExceeded"},
       {"operation":"Scan","key_id":"AKID","action":"delay","ms":200},
       {"operation":"UpdateItem","key_id":"AKID","probability":0.02,"seed":3,"action":"reset-after"},
       {"operation":"UpdateItem","key_id":"AKID","probability":0.02,"seed":4,"action":"500","apply":true}]'
live_sim --no-auth --generate "$items" --page-bytes 32768 --fault "$GATE"
live sim_items
echo "$(sim_stat conditions_failed) conditions failed"
stop "$SIM_PID"

# a server that does not answer the item of a failed condition
GATE="" TABLE=shop operations=$((operations / 3)) items=$((items / 3))
"$OBJDIR/tests/sim/sim" --generate "$items" --dump items.jsonl
dynalite_start
dynalite_env
dynalite_load shop PK:S,SK:S items.jsonl >/dev/null
live ddb_items shop
