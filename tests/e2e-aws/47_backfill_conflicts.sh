#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What others do between the read and the write, one thing at a time: an input changed, a target set,
# removed or made right, another attribute changed, the item deleted, replaced, or never at rest.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"

cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": { "Thing": { "table": "thing", "keys": { "PK": "T#{id}", "SK": "S" }, "primary_key": ["id"],
    "backfill": { "set": { "G1": "{m.s}#{id}", "G2": "{n}", "Old": null }, "when": { "go": "yes" } } } } }
MODEL
python3 - >items.jsonl <<'PY'
import json
for name in ("still", "input", "nested", "other", "target", "right", "removed", "deleted", "replaced", "narrowed", "bare",
             "restless"):
    print(json.dumps({"PK": {"S": "T#" + name}, "SK": {"S": "S"}, "Type": {"S": "Thing"}, "n": {"N": "7"}, "go": {"S": "yes"},
                      "m": {"M": {"s": {"S": "v"}, "t": {"S": "w"}}}, "Old": {"S": "x"}, "Else": {"S": "e"}}))
PY

# change NAME EXPRESSION [VALUES]: the application's write.
change() {
    call UpdateItem "{\"TableName\":\"shop\",\"Key\":{\"PK\":{\"S\":\"T#$1\"},\"SK\":{\"S\":\"S\"}},\"UpdateExpression\":\"$2\"${3:+,\"ExpressionAttributeValues\":$3}}" >/dev/null
}

# between OPTION...: everything is read; before anything is written, the others come.
between() {
    rm -rf state
    live_sim --no-auth --items items.jsonl --fault '{"operation":"UpdateItem","key_id":"AKID","action":"throttle"}' "$@"
    start fill "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --segments 1 \
        --workers 1 --in-flight 64 --summary end.json
    filler=$STARTED
    wait_until "[ \$(sim_stat throttled) -ge 1 ] || ! kill -0 $filler 2>/dev/null"
    change input 'SET n = :n' '{":n":{"N":"8"}}'
    change nested 'SET m = :m' '{":m":{"M":{"s":{"S":"changed"}}}}'
    change other 'SET Else = :e' '{":e":{"S":"changed"}}'
    change target 'SET G1 = :g' '{":g":{"S":"of the application"}}'
    change right 'SET G1 = :g, G2 = :h REMOVE Old' '{":g":{"S":"v#right"},":h":{"S":"7"}}'
    change removed 'REMOVE Old'
    change narrowed 'SET go = :g' '{":g":{"S":"no"}}'
    change bare 'REMOVE n'
    call DeleteItem '{"TableName":"shop","Key":{"PK":{"S":"T#deleted"},"SK":{"S":"S"}}}' >/dev/null
    call PutItem '{"TableName":"shop","Item":{"PK":{"S":"T#replaced"},"SK":{"S":"S"},"Type":{"S":"Thing"},"go":{"S":"yes"},"m":{"M":{"s":{"S":"new"}}},"n":{"N":"9"}}}' >/dev/null
    sim_items >before
    sim_control faults '{"operation":"UpdateItem","pk":"T#restless","key_id":"AKID","action":"error","error":"ConditionalCheckFailedException"}' >/dev/null
    status=0
    wait "$filler" || status=$?
    equal "exit status" "$status" 1
    equal "counts" "$(counts end.json)" "read 12 changed 7 already 1 skipped 1 filtered 1 unrouted 0 conflicted 2 failed 0"
    want '{"G1": i["m"]["M"]["s"]["S"] + "#" + s("PK")[2:], "G2": s("n"), "Old": None}
          if s("PK") not in ("T#narrowed", "T#bare", "T#restless") else None' <before >right
    sim_items >after
    same_items "after the others" after right
    equal "what is listed" "$(jq -r '.key.PK.S' state/listed.jsonl | sort | tr '\n' ' ')" "T#deleted T#restless "
    # undo takes back what was written and no more: a target that has another value by now stays, by itself
    change input 'SET G2 = :g' '{":g":{"S":"mine now"}}'
    call DeleteItem '{"TableName":"shop","Key":{"PK":{"S":"T#other"},"SK":{"S":"S"}}}' >/dev/null
    sim_control faults '[]' >/dev/null
    status=0
    undo || status=$?
    equal "exit status of the undo" "$status" 1
    equal "undone" "$(jq -c '.undo | [.restored, .conflicted, .failed]' undo.json)" '[5,2,0]'
    sim_items >after
    sim_control dump | jq -r '.Item | select(.PK.S == "T#input") | [.G1.S, .G2.S, .Old.S] | @csv' >input
    equal "changed since" "$(cat input)" ',"mine now","x"'
    equal "named" "$(jq -r '"\(.key.PK.S) \(.reason)"' state/listed.jsonl | sort | tr '\n' ' ')" "T#input changed-in-part T#other deleted "
    if grep -q 'T#other' after; then fail "a deleted item is back"; fi
    grep -v 'T#other\|T#input' before >others
    grep -v 'T#input' after | diff - others >&2 || fail "the undo did not bring back what was there"
    stop "$SIM_PID"
}
between
between --no-failed-item

# an item that somebody gives to an entity further up is no longer this one's: it is not written
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Archived": { "when": { "Flag": "archived" }, "table": "archived" },
    "Thing": { "table": "thing", "keys": { "PK": "T#{id}", "SK": "S" }, "primary_key": ["id"], "backfill": { "G1": "{id}" } } } }
MODEL
rm -rf state
live_sim --no-auth --items items.jsonl --fault '{"operation":"UpdateItem","key_id":"AKID","action":"throttle"}'
start fill "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --summary end.json
filler=$STARTED
wait_until "[ \$(sim_stat throttled) -ge 1 ] || ! kill -0 $filler 2>/dev/null"
change still 'SET Flag = :f' '{":f":{"S":"archived"}}'
sim_control faults '[]' >/dev/null
wait "$filler" || fail "exit status $?: $(cat fill.log)"
equal "counts" "$(counts end.json)" "read 12 changed 11 already 0 skipped 1 filtered 0 unrouted 0 conflicted 0 failed 0"
equal "archived meanwhile" "$(sim_control dump | jq -r '.Item | select(.PK.S == "T#still") | .G1.S')" null
