#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What was written by a pass is counted as changed and known to the journal, also where it can hardly be
# seen: behind pages of other sizes, where the write itself takes the item out of the model's sight, and
# where others have written over half of it.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
go=("$BIN" backfill dynamodb:shop -m model.json --state state --quiet --wcu 100000 --workers 1 --summary end.json)

# killed CONDITION OPTION...: a process that ends when the condition holds, and not before.
killed() {
    local condition=$1 status=0
    shift
    start killed "${go[@]}" "$@"
    wait_until "$condition || ! kill -0 $STARTED 2>/dev/null"
    stop "$STARTED" KILL || status=$?
    equal "exit status when killed ($(cat killed.log))" "$status" 137
}

# ---- pages that get smaller ----
shop_fill model.json
live_sim --generate 1500 --fault '{"operation":"UpdateItem","after":700,"action":"throttle"}'
killed "[ \$(sim_stat applied) -ge 700 ]" --segments 1 --rcu 100000
killed 'grep -qs "\"mark\"" state/log/0001-0002-000.log' --rcu 2
sim_control faults '[]' >/dev/null
"${go[@]}" --rcu 100000
equal "pages of three sizes" "$(counts end.json)" "read 1500 changed 1500 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
equal "writes" "$(sim_stat applied)" 1500
stop "$SIM_PID"

# ---- a model that reads its own target ----
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "table": "customer", "backfill": { "set": { "GSI1PK": "NAME#{Name}" }, "when": { "GSI1PK": { "missing": true } } } },
    "Order": { "table": "orders", "backfill": { "set": { "GSI1PK": "STATUS#{Status}" }, "when": { "GSI1PK": { "missing": true } } } } } }
MODEL
rm -rf state
live_sim --generate 200 --fault '{"operation":"UpdateItem","every":10,"times":20,"action":"500","apply":true}'
"${go[@]}" --rcu 100000
[ "$(sim_control stats | jq '.rules[0].fired')" -ge 10 ] || fail "no answer was lost"
equal "written, and then filtered" "$(counts end.json)" "read 200 changed 200 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
equal "by entity" "$(jq -c '.entities | [.Customer.changed, .Order.changed]' end.json)" '[20,180]'
stop "$SIM_PID"

cat >model.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Kind", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "table": "customer", "when": { "SK": "A", "Kind": { "missing": true } }, "backfill": { "Kind": "Customer" } },
    "Order": { "table": "orders", "when": { "SK": "#ORDER#*", "Kind": { "missing": true } }, "backfill": { "Kind": "Order" } } } }
MODEL
rm -rf state
live_sim --generate 200 --fault '[{"operation":"UpdateItem","every":10,"action":"stall","apply":true},{"operation":"UpdateItem","after":120,"action":"throttle"}]'
killed "[ \$(sim_stat applied) -ge 100 ]" --rcu 100000 --segments 2
sim_control faults '[]' >/dev/null
"${go[@]}" --rcu 100000
equal "written, and then unrouted" "$(counts end.json)" "read 200 changed 200 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
undo
equal "undone" "$(jq -c '.undo | [.restored + .already, .conflicted, .failed]' undo.json)" '[200,0,0]'
equal "left over" "$(sim_control dump | grep -c '"Kind"' || true)" 0
stop "$SIM_PID"

# ---- an answer that is lost, and one of two targets that others change ----
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": { "Thing": { "table": "thing", "backfill": { "G1": "{s}!", "G2": "{s}?" } } } }
MODEL
echo '{"PK":{"S":"a"},"SK":{"S":"1"},"Type":{"S":"Thing"},"s":{"S":"v"}}' >items.jsonl
theirs='{"PK":{"S":"a"},"SK":{"S":"1"},"Type":{"S":"Thing"},"s":{"S":"v"},"G1":{"S":"v!"},"G2":{"S":"theirs"}}'

# half: the backfill is over; the undo says what it had to leave.
half() {
    equal "$1" "$(counts end.json)" "read 1 changed 1 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
    expect_exit 1 undo 2>/dev/null
    equal "$1: undone" "$(jq -c '.undo | [.restored, .conflicted]' undo.json)" '[1,1]'
    equal "$1: listed" "$(jq -r '.key.PK.S + " " + .reason' state/listed.jsonl)" "a changed-in-part"
    sim_items >after
    jq -c 'del(.G1)' <<<"$theirs" | python3 "$TESTS/e2e-aws/table.py" sort >right
    same_items "$1" after right
    stop "$SIM_PID"
}
rm -rf state
live_sim --no-auth --items items.jsonl --fault "[{\"operation\":\"UpdateItem\",\"nth\":1,\"action\":\"500\",\"apply\":true},
    {\"operation\":\"UpdateItem\",\"nth\":2,\"action\":\"put-item\",\"value\":$(jq -R . <<<"$theirs")}]"
"${go[@]}" --rcu 100000
half "half of it changed at once"

rm -rf state
live_sim --no-auth --items items.jsonl --fault '{"operation":"UpdateItem","action":"stall","apply":true}'
killed "[ \$(sim_stat applied) -ge 1 ]" --rcu 100000
call PutItem "{\"TableName\":\"shop\",\"Item\":$theirs}" >/dev/null
sim_control faults '[]' >/dev/null
"${go[@]}" --rcu 100000
half "half of it changed before it went on"
