#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A rehearsal writes nothing and tells what a backfill would do: counts, pairs, units, costs, hot and
# bad keys, and what else the table's description gives reason to say.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
shop_fill model.json

# says PATTERN...: each is in the rehearsal's text.
says() {
    local p
    for p in "$@"; do grep -qE -- "$p" said.txt || fail "it does not say $p: $(cat said.txt)"; done
}

rehearse() { "$BIN" backfill "dynamodb:${TABLE:-shop}" -m model.json --dry-run --rcu 100000 "$@" >said.txt; }

# ---- counts, units and time are those of the backfill that follows ----
live_sim --generate 2000 --describe "$SHOP_INDEX" --pitr
sim_items >before
rehearse --wcu 50 --summary rehearsed.json
equal "writes" "$(sim_stat writes)" 0
sim_items >after
same_items "after a rehearsal" after before
if compgen -G 'renorm-backfill-*' >/dev/null || [ -e state ]; then fail "a rehearsal left a state folder"; fi
equal "rehearsed" "$(counts rehearsed.json)" "read 2000 changed 2000 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
says Customer Order 'USD' 'STATUS#' 'CITY#' '1,?000'
fill
equal "done as rehearsed" "$(counts end.json)" "$(counts rehearsed.json)"
equal "units as rehearsed" "$(jq -c '[.units.table, .units.index]' end.json)" "$(jq -c '[.units.table, .units.index]' rehearsed.json)"
rehearse --summary rehearsed.json
equal "nothing left to do" "$(counts rehearsed.json)" "read 2000 changed 0 already 2000 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
undo
# a part of the table
rm -rf state
rehearse --sample 200 --segments 20 --summary rehearsed.json
jq -e '.items.read >= 200 and .items.read < 2000' rehearsed.json >/dev/null || fail "sampled: $(cat rehearsed.json)"
stop "$SIM_PID"

# ---- what would go wrong, and what the table's description gives reason to say ----
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Thing": { "table": "thing", "backfill": { "set": { "GSI1PK": "{k}", "GSI1SK": "{r}" }, "when": { "k": { "exists": true } } } },
    "Number": { "table": "number", "backfill": { "GSI2PK": "{k}" } },
    "Fat": { "table": "fat", "backfill": { "Copy": "{Payload}" } },
    "Many": { "table": "many", "backfill": { "GSI1PK": "MANY#{n}", "GSI1SK": "x" } }
  } }
MODEL
python3 - >items.jsonl <<'PY'
import json
def out(number, kind, **more):
    print(json.dumps({"PK": {"S": f"{kind}{number}"}, "SK": {"S": "S"}, "Type": {"S": kind}, **{k: {"S": v} for k, v in more.items()}}))
for i in range(50):
    out(i, "Thing", k="HOT" if i % 2 else "COLD", r=str(i))
out(50, "Thing", k="k" * 2049, r="r")
out(51, "Thing", k="k", r="r" * 1025)
out(52, "Thing", k="", r="r")
out(53, "Thing", r="no k")
out(54, "Thing", k="no r")
out(0, "Number", k="text")
out(0, "Fat", Payload="x" * 250000)
for i in range(300):
    out(i, "Many", n=str(i))
out(0, "Stranger")
PY
index() { echo "{\"IndexName\":\"$1\",\"IndexStatus\":\"ACTIVE\",\"Projection\":{\"ProjectionType\":\"ALL\"},\"KeySchema\":[{\"AttributeName\":\"$1PK\",\"KeyType\":\"HASH\"}${2:+,{\"AttributeName\":\"$1SK\",\"KeyType\":\"RANGE\"\}}],\"ProvisionedThroughput\":{\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":5}}"; }
attribute() { echo "{\"AttributeName\":\"$1\",\"AttributeType\":\"$2\"}"; }
live_sim --items items.jsonl --describe "{\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"NEW_IMAGE\"},
  \"Replicas\":[{\"RegionName\":\"eu-west-1\",\"ReplicaStatus\":\"ACTIVE\"}],
  \"GlobalSecondaryIndexes\":[$(index GSI1 range),$(index GSI2)],
  \"AttributeDefinitions\":[$(attribute PK S),$(attribute SK S),$(attribute GSI1PK S),$(attribute GSI1SK S),$(attribute GSI2PK N)]}"
status=0
rehearse --wcu 100 --summary rehearsed.json 2>err.txt || status=$?
equal "exit status: some would fail" "$status" 1
equal "writes" "$(sim_stat writes)" 0
equal "rehearsed" "$(counts rehearsed.json)" "read 358 changed 350 already 0 skipped 1 filtered 1 unrouted 1 conflicted 0 failed 5"
says 'key-too-long +2' 'empty-key +1' 'key-type +1' 'item-too-large +1' 'missing-input +1' 'HOT' '50' \
    'hot partition.*GSI1PK' 'low cardinality.*GSI1PK' '1,000 WCU/s and 3,000 RCU/s' '2,048 and 1,024' '400 KB' \
    '[Ss]tream' '[Rr]eplica' 'point-in-time' 'GSI2'
# the backfill agrees with its rehearsal
expect_exit 1 fill 2>err.txt
equal "done as rehearsed" "$(counts end.json)" "$(counts rehearsed.json)"
equal "no write was refused" "$(sim_stat errors)" 0
equal "what is listed" "$(jq -r '.reason' state/listed.jsonl | sort | uniq -c | sed 's/^ *//' | tr '\n' ',')" \
    "1 empty-key,1 item-too-large,2 key-too-long,1 key-type,"
