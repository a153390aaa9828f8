#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An undo of several passes over the same items, longer than a page of it, killed and resumed: every
# item goes back step by step, each step is counted once. And the undo of what was never finished.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
items=$([ "$SCALE" = full ] && echo 2000 || echo 1200)

# model FILE NAME: GSI1PK begins with that name; the second also has a sort key, and removes a note.
model() {
    local more=
    if [ "$2" = second ]; then more=', "GSI1SK": "{SK}", "Note": null'; fi
    cat >"$1" <<MODEL
{
  "renorm": 1, "name": "shop",
  "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Any": { "when": { "PK": "CUSTOMER#*" }, "keys": { "PK": "CUSTOMER#{customer}" }, "table": "any",
             "backfill": { "GSI1PK": "$2#{customer}"$more } }
  }
}
MODEL
}
table() { sim_control dump | jq -cS .Item | sort; }
fill=("$BIN" backfill dynamodb:shop --quiet --rcu max --wcu max --workers 2 --segments 8)
undo=("$BIN" backfill dynamodb:shop --quiet --wcu max --summary undo.json --undo)
# books: what the undo says of itself
books() { jq -c '.undo | [.intents, .restored, .already, .conflicted, .failed]' undo.json; }

# killed AFTER COMMAND...: the command is killed behind so many writes. The simulator answers no more
# then; every other of the writes that get no answer is applied.
faults=0
killed() {
    local status=0
    sim_control faults '[{"operation":"UpdateItem","after":'"$1"',"every":2,"action":"stall","apply":true},
        {"operation":"UpdateItem","after":'"$1"',"action":"stall"}]' >/dev/null
    start killed "${@:2}"
    wait_until "[ \$(sim_stat faults) -ge $((faults + 20)) ] || ! kill -0 $STARTED 2>/dev/null" 600
    stop "$STARTED" KILL || status=$?
    equal "exit status of what was killed ($(cat killed.log))" "$status" 137
    sim_control faults '[]' >/dev/null
    faults=$(sim_stat faults)
}

model first.json first
model second.json second
sim_start sim --generate "$items" --no-auth --rcu 100000 --wcu 100000
export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL
table >before

# ---- two passes, one undo of five processes ----------------------------------------------------
"${fill[@]}" --state state -m first.json
table >middle
"${fill[@]}" --state state -m second.json
table >after
cmp -s middle after && fail "the second pass wrote nothing"
for n in 1 $((items / 3)) $((items / 2)) $((items / 3)); do killed "$n" "${undo[@]}" state; done
table >now
cmp -s now before && fail "it was over before it was killed"
expect_exit 2 "${fill[@]}" --state state -m second.json >refused.txt 2>&1
grep -q 'unfinished undo' refused.txt || fail "$(cat refused.txt)"
"${undo[@]}" state
table >now
cmp before now || fail "the undo left something"
equal "books" "$(books)" "[$((2 * items)),$((2 * items)),0,0,0]"
equal "listed" "$(wc -c <state/listed.jsonl)" 0

# ---- a new pass on the same state, and back once more; others have done a part of it ------------
"${fill[@]}" --state state -m first.json
sim_control dump | jq -c '.Item | select(.SK.S == "A") | del(.GSI1PK)' | sed -n 1,50p >theirs
while read -r item; do
    curl --fail-with-body --silent --show-error --output put.txt --header 'X-Amz-Target: DynamoDB_20120810.PutItem' \
        --data-binary "{\"TableName\":\"shop\",\"Item\":$item}" "$SIM_URL/" || fail "$(cat put.txt)"
done <theirs
"${undo[@]}" state
table >now
cmp before now || fail "the second undo left something"
equal "books" "$(books)" "[$items,$((items - 50)),50,0,0]"

# ---- what was never finished --------------------------------------------------------------------
killed $((items / 2)) "${fill[@]}" --state cut -m first.json
table >now
cmp -s now before && fail "nothing was written before the kill"
killed $((items / 4)) "${fill[@]}" --state cut -m second.json --restart
expect_exit 2 "${fill[@]}" --state cut -m first.json >refused.txt 2>&1
grep -q 'by another model' refused.txt || fail "$(cat refused.txt)"
killed $((items / 4)) "${undo[@]}" cut
"${undo[@]}" cut
table >now
cmp before now || fail "the undo of unfinished passes left something"
equal "books" "$(books | jq -c '[.[0] == .[1] + .[2], .[3], .[4]]')" '[true,0,0]'
equal "passes" "$(jq -c '[.passes[] | [.kind, .finished, .abandoned, .undone]]' cut/state.json)" \
    '[["fill",false,true,true],["fill",false,true,true],["undo",true,false,false]]'
