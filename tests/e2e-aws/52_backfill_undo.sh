#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An undo of several passes over the same items, longer than a page of it, killed and resumed: every
# item goes back step by step, each step is counted once. The undo of what was never finished; and of what
# others have changed in part.
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

# ---- others changed a part of what was written ---------------------------------------------------
# 60 items have another sort key and keep the rest, 20 have nothing of it left; the undo puts back what is
# still as it was written, names the rest, and leaves it alone, also when it is killed on the way
"${fill[@]}" --state parts -m second.json
sim_control dump | jq -c '.Item | select(.SK.S == "A")' | sed -n 1,80p >theirs
n=0
while read -r item; do
    n=$((n + 1))
    set='SET GSI1SK = :t'
    if [ "$n" -gt 60 ]; then set='SET GSI1SK = :t, GSI1PK = :t, Note = :t'; fi
    curl --fail-with-body --silent --show-error --output put.txt --header 'X-Amz-Target: DynamoDB_20120810.UpdateItem' \
        --data-binary "{\"TableName\":\"shop\",\"Key\":$(jq -c '{PK, SK}' <<<"$item"),\"UpdateExpression\":\"$set\",
            \"ExpressionAttributeValues\":{\":t\":{\"S\":\"theirs\"}}}" "$SIM_URL/" || fail "$(cat put.txt)"
done <theirs
jq -r .PK.S theirs >names
jq -cS --rawfile names names '.PK.S as $pk | ($names | split("\n") | index($pk)) as $i |
    if .SK.S != "A" or $i == null then . elif $i < 60 then .GSI1SK = {S: "theirs"}
    else .GSI1SK = {S: "theirs"} | .GSI1PK = {S: "theirs"} | .Note = {S: "theirs"} end' before | sort >right
for n in 1 $((items / 3)); do killed "$n" "${undo[@]}" parts; done
expect_exit 1 "${undo[@]}" parts 2>told.txt
table >now
cmp right now || fail "the undo of parts left something, or took what was not its own"
equal "books" "$(books)" "[$items,$((items - 80)),0,80,0]"
equal "listed" "$(jq -r '"\(.fate) \(.reason)"' parts/listed.jsonl | sort | uniq -c | awk '{ print $1, $2, $3 }')" \
    $'20 conflicted changed\n60 conflicted changed-in-part'
equal "named" "$(jq -r 'select(.reason == "changed-in-part") | .detail' parts/listed.jsonl | sort -u)" \
    'put back but for what is no longer as it was written: "GSI1SK"'
equal "who" "$(jq -r .key.PK.S parts/listed.jsonl | sort)" "$(sort names)"
