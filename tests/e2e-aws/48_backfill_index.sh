#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An index on the new attributes, there before the backfill or made after it, answers what the
# templates say; verify proves it, and finds what was spoilt since.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
items=${ITEMS:-$([ "$SCALE" = full ] && echo 500 || echo 150)}
shop_fill model.json
"$OBJDIR/tests/sim/sim" --generate "$items" --dump items.jsonl

# asked TABLE: the index by Query, every partition key that should be there, and one that should not.
asked() {
    local key
    while read -r key; do
        call Query "{\"TableName\":\"$1\",\"IndexName\":\"GSI1\",\"KeyConditionExpression\":\"GSI1PK = :k\",\"ExpressionAttributeValues\":{\":k\":{\"S\":\"$key\"}}}" |
            jq -c '.Items[]'
    done < <(jq -r .GSI1PK.S right | sort -u; echo STATUS#none)
}

dynalite_start
dynalite_env
dynalite_load before 'PK:S,SK:S GSI1=GSI1PK:S,GSI1SK:S' items.jsonl >/dev/null
ddb_items before | want "$SHOP_WANT" >right
equal "index before" "$(ddb_items before GSI1)" ""
TABLE=before
expect_exit 1 verify_fill >verified.txt 2>&1
fill --workers 2
verify_fill
ddb_items before >after
same_items "table" after right
ddb_items before GSI1 >after
same_items "index, scanned" after right
asked before | python3 "$TESTS/e2e-aws/table.py" sort >after
same_items "index, queried" after right
equal "in order of the sort key" "$(call Query '{"TableName":"before","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :k","ExpressionAttributeValues":{":k":{"S":"STATUS#open"}}}' | jq -r '.Items[].GSI1SK.S')" \
    "$(jq -r 'select(.GSI1PK.S == "STATUS#open") | .GSI1SK.S' right | sort)"

dynalite_load later PK:S,SK:S items.jsonl >/dev/null
TABLE=later
rm -rf state
fill
# made afterwards: DynamoDB Local can, dynalite cannot
if [ -n "${DDB_SERVER:-}" ]; then
    call UpdateTable '{"TableName":"later","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"GSI1PK","AttributeType":"S"},{"AttributeName":"GSI1SK","AttributeType":"S"}],
      "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"GSI1","KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}}]}' >/dev/null
    wait_until "[ \"\$(call DescribeTable '{\"TableName\":\"later\"}' | jq -r '.Table.GlobalSecondaryIndexes[0].IndexStatus')\" = ACTIVE ]"
    ddb_items later GSI1 >after
    same_items "index made later, scanned" after right
    asked later | python3 "$TESTS/e2e-aws/table.py" sort >after
    same_items "index made later, queried" after right
fi

# verify: clean, then one value wrong, one missing, one that should be gone
verify_fill
sed -n '1p;2p' right | jq -c '{PK, SK}' >keys
call UpdateItem "{\"TableName\":\"later\",\"Key\":$(sed -n 1p keys),\"UpdateExpression\":\"SET GSI1PK = :g\",\"ExpressionAttributeValues\":{\":g\":{\"S\":\"wrong\"}}}" >/dev/null
expect_exit 1 verify_fill >verified.txt 2>&1
call UpdateItem "{\"TableName\":\"later\",\"Key\":$(sed -n 2p keys),\"UpdateExpression\":\"REMOVE GSI1SK\"}" >/dev/null
expect_exit 1 "$BIN" verify dynamodb:later -m model.json --backfill --rcu 100000 >verified.txt 2>&1
grep -q "$(sed -n 1p keys | jq -r .SK.S)" verified.txt || fail "it does not say which: $(cat verified.txt)"
grep -q "$(sed -n 2p keys | jq -r .SK.S)" verified.txt || fail "it does not say which: $(cat verified.txt)"
fill
equal "mended" "$(jq .items.changed end.json)" 2
verify_fill

# the simulator counts the index's units as DynamoDB does, and so does renorm
stop "$DYNALITE_PID" || true
live_sim --no-auth --items items.jsonl --describe "$SHOP_INDEX"
rm -rf state
TABLE=shop
fill
booked() { sim_control stats | jq '[.write_units + 0, .index_units + 0]' -c; }
equal "units" "$(jq -c '.units | [.table + 0, .index + 0]' end.json)" "$(booked)"
undo
equal "units with those of the undo" "$(jq -cs '[.[0].units.table + .[1].units.table, .[0].units.index + .[1].units.index]' end.json undo.json)" "$(booked)"

# made after the backfill, here too it has all of them
stop "$SIM_PID"
rm -rf state
live_sim --no-auth --items items.jsonl
fill
sim_control table "{\"describe\":$SHOP_INDEX}" >/dev/null
sim_items >right
python3 "$TESTS/e2e-aws/table.py" scan "$SIM_URL" shop GSI1 >after
same_items "index made later, simulated" after right
