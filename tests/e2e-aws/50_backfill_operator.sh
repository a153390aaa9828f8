#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A backfill as its operator meets it: rehearsed, run, watched, cut short, resumed, verified, taken
# back; exit statuses, sheets, summaries, and what is said of the table.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
example=$ROOT/examples/13_backfill
model=$example/model.json

# table: the simulator's items in one order and one spelling.
table() { sim_control dump | jq -cS .Item | sort; }
summary() { jq -c "$2" "$1"; }
# says FILE TEXT: the file has that text.
says() { grep -qF -e "$2" "$1" || fail "no \"$2\" in $1: $(cat "$1")"; }

describe='{
  "AttributeDefinitions": [
    {"AttributeName":"PK","AttributeType":"S"}, {"AttributeName":"SK","AttributeType":"S"},
    {"AttributeName":"GSI1PK","AttributeType":"S"}, {"AttributeName":"GSI1SK","AttributeType":"S"}],
  "StreamSpecification": {"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
  "GlobalSecondaryIndexes": [{"IndexName":"GSI1","IndexStatus":"ACTIVE",
    "KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"},
    "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}]}'

# ---- the example, from the rehearsal to the undo -----------------------------------------------
live_sim --items "$example/items.jsonl" --describe "$describe"
table >before

"$BIN" backfill dynamodb:shop -m "$model" --dry-run --summary s.json >dry.txt
says dry.txt '  to change                                 3'
says dry.txt '    missing-input                           1'
says dry.txt '    after  {"GSI1PK":{"S":"STATUS#paid"},"GSI1SK":{"S":"2025-03-09#0002"}'
says dry.txt 'partition key "GSI1PK" of index "GSI1": 4 items'
says dry.txt 'to change        4 items'
says dry.txt 'write units      4 WCU of the table, 4 of its indexes'
says dry.txt 'on demand        about USD 0.00, index writes'
says dry.txt 'index "GSI1" takes 5 WCU/s, fewer than the budget of 500'
grep -qi 'stream' dry.txt || fail "no word of the stream: $(cat dry.txt)"
grep -qi 'point-in-time' dry.txt || fail "no word of point-in-time recovery: $(cat dry.txt)"
equal "rehearsal" "$(summary s.json '[.items.changed, .units.table + 0, .units.index + 0, .dry_run, .ok]')" '[4,4,4,true,true]'
equal "a rehearsal writes nothing" "$(sim_stat writes)" 0
[ ! -e renorm-backfill-shop ] || fail "a rehearsal leaves a state folder"

expect_exit 1 "$BIN" verify dynamodb:shop -m "$model" --backfill --summary v.json >wrong.txt 2>&1
equal "wrong items" "$(grep -c '^wrong: ' wrong.txt)" 4
says wrong.txt '"GSI1PK" is {"S":"STATUS#draft"}, the model says {"S":"STATUS#open"}'
equal "verify's summary" "$(summary v.json '[.verify.wrong, .items.already, .ok]')" '[4,2,false]'

"$BIN" backfill dynamodb:shop -m "$model" --summary s.json >run.txt
equal "items" "$(summary s.json .items)" \
    '{"read":8,"changed":4,"already":2,"skipped":1,"filtered":1,"unrouted":0,"conflicted":0,"failed":0}'
equal "an entity" "$(summary s.json '.entities.Order | [.read, .changed]')" '[6,3]'
equal "units" "$(summary s.json '.units.table + 0')" 4
grep -qE '^changed +4$' run.txt || fail "$(cat run.txt)"
table >after
cmp -s before after && fail "nothing was written"
writes=$(sim_stat writes)

"$BIN" backfill dynamodb:shop -m "$model" --summary s.json >again.txt
equal "the second time" "$(summary s.json '[.items.changed, .items.already]')" '[0,6]'
says again.txt 'nothing was written'
equal "writes of the second time" "$(sim_stat writes)" "$writes"
"$BIN" verify dynamodb:shop -m "$model" --backfill >right.txt
says right.txt 'verified: 8 items read, 6 right, 0 wrong'

"$BIN" status renorm-backfill-shop >status.txt
says status.txt 'pass 1: backfill, finished'
says status.txt 'segments 16 of 16 done'
equal "status" "$("$BIN" status renorm-backfill-shop --json | jq -c '[.passes[] | [.state, .items.read, .items.changed]]')" \
    '[["finished",8,4],["finished",8,0]]'

"$BIN" backfill dynamodb:shop --undo renorm-backfill-shop --summary u.json >undo.txt
equal "undo" "$(summary u.json '.undo')" '{"intents":4,"restored":4,"already":0,"conflicted":0,"failed":0}'
table >back
diff before back || fail "the undo left something"
equal "status after the undo" "$("$BIN" status renorm-backfill-shop --json | jq -c '[.passes[] | [.kind, .state]]')" \
    '[["backfill","undone"],["backfill","undone"],["undo","finished"]]'
expect_exit 2 "$BIN" backfill dynamodb:shop --undo renorm-backfill-shop >nothing.txt 2>&1
says nothing.txt 'nothing to undo'
expect_exit 2 "$BIN" backfill dynamodb:shop --undo no-such-folder >nothing.txt 2>&1
[ ! -e no-such-folder ] || fail "an undo makes a folder"

# ---- what is not right is said, with its status ----------------------------------------------
jq -n '{renorm:1, name:"x", source:{type:"Type", key:["PK","SK"]},
    entities:{Customer:{keys:{PK:"CUSTOMER#{id}", SK:"A"}, table:"c", columns:{id:"text"}, backfill:{Mark:"{id}"}}}}' >customers.json
expect_exit 1 "$BIN" backfill dynamodb:shop -m customers.json --state customers --summary s.json >bad.txt 2>&1
equal "unrouted" "$(summary s.json '[.items.unrouted, .items.changed, .ok]')" '[6,2,false]'
"$BIN" backfill dynamodb:shop -m customers.json --state customers --max-unrouted 75% --quiet
"$BIN" backfill dynamodb:shop --undo customers --quiet
jq '.entities.Customer.backfill = {PK:"x"}' customers.json >faulty.json
expect_exit 2 "$BIN" backfill dynamodb:shop -m faulty.json --state faulty 2>bad.txt
says bad.txt 'faulty.json'
[ ! -e faulty ] || fail "a faulty model leaves a state folder"
jq 'del(.entities.Customer.backfill)' customers.json >none.json
expect_exit 2 "$BIN" backfill dynamodb:shop -m none.json --state none 2>bad.txt
table >back
diff before back || fail "something was written"
stop "$SIM_PID" || true

# ---- items the service would refuse are known beforehand, and listed ---------------------------
item() { printf '{"PK":{"S":"%s"},"SK":{"S":"A"},"Type":{"S":"Thing"}%s}\n' "$1" "$2"; }
{
    item good ',"Note":{"S":"n1"}'
    item long ",\"Note\":{\"S\":\"$(printf 'x%.0s' {1..2049})\"}"
    item empty ',"Note":{"S":""}'
    item large ",\"Note\":{\"S\":\"n2\"},\"Body\":{\"S\":\"$(head -c 409570 /dev/zero | tr '\0' y)\"}"
} >things.jsonl
jq -n '{renorm:1, name:"things", source:{type:"Type", key:["PK","SK"]}, entities:{Thing:{keys:{PK:"{id}"}, table:"t",
    columns:{id:"text"}, backfill:{GSI1PK:"{Note}", GSI1SK:"{id}"}}}}' >things.json
live_sim --items things.jsonl --describe "$describe"
table >before
expect_exit 1 "$BIN" backfill dynamodb:shop -m things.json --state things --dry-run >dry.txt 2>&1
says dry.txt 'warning: 1 item would fail: keys longer than an index takes (2,048 and 1,024 bytes)'
says dry.txt 'warning: 1 item would fail: empty strings as index keys'
says dry.txt 'warning: 1 item would fail: items that would pass 400 KB'
expect_exit 1 "$BIN" backfill dynamodb:shop -m things.json --state things --summary s.json >run.txt 2>&1
equal "refused beforehand" "$(summary s.json '[.items.changed, .items.failed]')" '[1,3]'
equal "and never sent" "$(sim_stat writes)" 1
equal "listed" "$(jq -r '.key.PK.S + " " + .reason' things/listed.jsonl | sort | paste -sd,)" \
    'empty empty-key,large item-too-large,long key-too-long'
says run.txt 'things/listed.jsonl'
"$BIN" backfill dynamodb:shop -m things.json --state things --max-rejects 3 --quiet


# ---- what others change since is neither called wrong nor put back -----------------------------
# when OPERATION KIND VALUE: somebody else does that when the next such request comes.
when() { sim_control faults "$(jq -nc --arg o "$1" --arg a "$2" --arg v "$3" '{operation:$o, times:1, action:$a, value:$v}')" >/dev/null; }
jq '.entities.Thing.backfill = {set:{Mark:"{id}"}, when:{PK:{not:"large"}}}' things.json >marks.json
"$BIN" backfill dynamodb:shop -m marks.json --state marks --quiet
others=$(item good ',"Note":{"S":"n1"},"Mark":{"S":"theirs"}')
when DescribeTable put-item "$others"
when_right=$(item good ',"Note":{"S":"n1"},"Mark":{"S":"good"}')
sim_control add-faults "$(jq -nc --arg v "$when_right" '{operation:"GetItem", times:1, action:"put-item", value:$v}')" >/dev/null
"$BIN" verify dynamodb:shop -m marks.json --backfill >right.txt
says right.txt '1 more were wrong when scanned, and are right now or gone'
when DescribeTable put-item "$others"
expect_exit 1 "$BIN" verify dynamodb:shop -m marks.json --backfill >wrong.txt 2>&1
says wrong.txt 'wrong: {"PK":{"S":"good"},"SK":{"S":"A"}}: "Mark" is {"S":"theirs"}, the model says {"S":"good"}'
expect_exit 1 "$BIN" backfill dynamodb:shop --undo marks --summary u.json >undo.txt 2>&1
equal "undo" "$(summary u.json '[.undo.intents, .undo.restored, .undo.conflicted, .ok]')" '[3,2,1,false]'
says undo.txt 'marks/listed.jsonl'
equal "theirs" "$(table | jq -r 'select(.Mark).Mark.S')" theirs
stop "$SIM_PID" || true

# ---- a sample is extrapolated, and says so ---------------------------------------------------
shop_model shop.json
jq '.entities.Order.backfill = {GSI1PK:"STATUS#{Status}"}' shop.json >fill.json
live_sim --generate 5000 --report-items 1000000 --page-bytes 32768 --pitr
"$BIN" backfill dynamodb:shop -m fill.json --dry-run --sample 400 --rcu 100000 --summary s.json >dry.txt
says dry.txt 'items read of about 1000000'
says dry.txt 'extrapolated'
! grep -qi 'point-in-time' dry.txt || fail "point-in-time recovery is on: $(cat dry.txt)"
says dry.txt 'warning: low cardinality: "GSI1PK"'
says dry.txt 'warning: hot partition: "GSI1PK"'
[ "$(summary s.json .items.read)" -lt 5000 ] || fail "the sample is the whole table"
equal "to change, about" "$(summary s.json '.estimate.to_change > 850000 and .estimate.to_change < 950000')" true
stop "$SIM_PID" || true

# ---- watched, cut short, resumed; the budget follows the table -------------------------------
live_sim --generate 400 --page-bytes 4096 --wcu 2 --rcu 10000
start run "$BIN" backfill dynamodb:shop -m fill.json --state watched --segments 8 --watch-seconds 1
wait_until "grep -qE 'renorm: [0-9]+ s: .* changed, [0-9]+ of 1 WCU/s, .* of 8 segments' run.log" 300
"$BIN" status watched >status.txt
says status.txt "pass 1: backfill, under way (process $STARTED)"
expect_exit 3 "$BIN" backfill dynamodb:shop -m fill.json --state watched 2>busy.txt
says busy.txt 'under way'
kill -INT "$STARTED"
status=0
wait "$STARTED" || status=$?
equal "interrupted" "$status" 130
says <("$BIN" status watched) 'pass 1: backfill, cut short, can be resumed'
jq '.entities.Order.backfill = {GSI1PK:"S#{Status}"}' shop.json >other.json
expect_exit 2 "$BIN" backfill dynamodb:shop -m other.json --state watched 2>other.txt
says other.txt 'another model'
scans=$(sim_stat scans)
start run "$BIN" backfill dynamodb:shop -m fill.json --state watched --watch-seconds 1 --summary s.json
wait_until "[ \"\$(sim_stat scans)\" -gt $scans ]" 300
sim_control table '{"wcu":100000}' >/dev/null
status=0
wait "$STARTED" || status=$?
equal "resumed" "$status" 0
equal "all orders" "$(summary s.json '[.items.read, .items.changed]')" '[400,360]'
equal "written once each" "$(sim_stat applied)" 360
"$BIN" verify dynamodb:shop -m fill.json --backfill --quiet
"$BIN" backfill dynamodb:shop --undo watched --wcu max --quiet
"$OBJDIR/tests/sim/sim" --generate 400 --dump - | jq -cS .Item | sort >before
table >back
cmp before back || fail "the undo left something"
