#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The plan of a scan: dry run, TTL by the table, what is pushed down to the server, and indexes that
# lack what the model names.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 2000 --page-bytes 65536)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}" --rcu 400 --describe '{"AttributeDefinitions":[
    {"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},
    {"AttributeName":"Status","AttributeType":"S"},{"AttributeName":"Email","AttributeType":"S"}],
  "GlobalSecondaryIndexes":[
    {"IndexName":"by-status","KeySchema":[{"AttributeName":"Status","KeyType":"HASH"}],"IndexStatus":"ACTIVE",
     "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["Type"]},
     "ProvisionedThroughput":{"ReadCapacityUnits":90,"WriteCapacityUnits":5},"IndexSizeBytes":100000,"ItemCount":1800},
    {"IndexName":"by-email","KeySchema":[{"AttributeName":"Email","KeyType":"HASH"}],"IndexStatus":"ACTIVE",
     "Projection":{"ProjectionType":"ALL"},
     "ProvisionedThroughput":{"ReadCapacityUnits":1000,"WriteCapacityUnits":5},"IndexSizeBytes":100000,"ItemCount":200}]}'
go=("$BIN" export dynamodb:shop out -m model.json)

# says WHAT FILE
says() { grep -qF -e "$1" "$2" || fail "no \"$1\" in: $(cat "$2")"; }

# ---- dry run ----
"${go[@]}" --dry-run >plan.txt
says 'table            arn:' plan.txt
says 'items            about 2000 ' plan.txt
says 'segments         8' plan.txt
says 'capacity         400 RCU/s provisioned' plan.txt
says 'budget           200 RCU/s' plan.txt
says 'eventually consistent' plan.txt
says 'USD 0.00 ' plan.txt
says '"PK", "SK", "Type"' plan.txt
says 'and all others' plan.txt
[ ! -e out ] || fail "a dry run wrote"
equal "scans of a dry run" "$(sim_stat scans)" 0
"$BIN" export 'dynamodb:shop?index=by-status' out -m model.json --dry-run --rcu-percent 10 >plan.txt 2>err.txt
says 'index            by-status' plan.txt
says 'items            about 1800 ' plan.txt
says 'budget           9 RCU/s' plan.txt
says 'the index does not hold "Tags", "Address"' plan.txt
says 'index "by-status" does not hold what the model names: "Tags", "Address"' err.txt

# ---- strong reads: the requests say so, and cost twice as much ----
units() {
    local before
    before=$(sim_stat read_units)
    rm -rf out
    "${go[@]}" --quiet --rcu 100000 --segments 1 --workers 1 "$@" 2>/dev/null
    jq -n "$(sim_stat read_units) - $before"
}
weak=$(units)
[ "$(jq -n "$weak > 100")" = true ] || fail "only $weak units"
equal "units of strong reads" "$(units --strong)" "$(jq -n "$weak * 2")"
rm -rf out

# ---- an index as the source ----
"$BIN" export 'dynamodb:shop?index=by-email' out -m model.json --quiet 2>err.txt
equal "what is told of a whole index" "$(cat err.txt)" ''
# the model does not say what is indexing: the keys of indexes are, and are no part of the rest
sed -E 's/"Email":\{"S":"[^"]*"\},?//' want.rows >whole.rows
grep -v '^orders ' whole.rows >customers.rows
same_rows "sparse index" out customers.rows
rm -rf out
"$BIN" export 'dynamodb:shop?index=by-status' out -m model.json --quiet --rcu 100000 2>err.txt
says 'holds some attributes only' err.txt
equal "rows of the sparse index" "$(rows out | wc -l)" "$(grep -c '^orders ' want.rows)"

# ---- projection: a model that picks what it wants ----
cat >narrow.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" }, "table": "customer",
      "primary_key": ["customer_id"], "stages": [ { "pick": ["Score"] } ],
      "columns": { "customer_id": "text", "score": "numeric" } },
    "Order": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" }, "table": "orders",
      "primary_key": ["order_id"], "stages": [ { "pick": ["Status", "Total"] } ],
      "columns": { "order_id": "text", "customer_id": "text", "state": { "type": "text", "from": "Status" } } } } }
MODEL
"$BIN" export items.jsonl narrow -m narrow.json --quiet
rows narrow >narrow.rows
"$BIN" export dynamodb:shop out -m narrow.json --dry-run >plan.txt
says 'only: others are not fetched' plan.txt
# an index is asked for what it projects, no more: it refuses the rest, or fetches it from the table
rm -rf out
"$BIN" export 'dynamodb:shop?index=by-status' out -m narrow.json --quiet --rcu 100000 2>err.txt || fail "$(cat err.txt)"
says 'does not hold what the model names: "Score", "Total"' err.txt
equal "rows of the index" "$(rows out)" "$(grep '^orders ' narrow.rows | sed 's/,"extra".*/}/')"
first=$SIM_URL
sim_start local --credentials AKID:SECRET "${table[@]}" --describe '{"LocalSecondaryIndexes":[{"IndexName":"by-total",
    "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"Total","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["Type"]},"IndexSizeBytes":100000,"ItemCount":1800}]}'
AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL "$BIN" export 'dynamodb:shop?index=by-total' local -m narrow.json --quiet --rcu 100000 --segments 1 2>err.txt || fail "$(cat err.txt)"
equal "rows of the local index" "$(rows local | wc -l)" "$(grep -c '^orders ' narrow.rows)"
[ "$(jq -n "$(sim_stat read_units) < 200")" = true ] || fail "the table was read, too: $(sim_stat read_units) units"
SIM_URL=$first
before=$(sim_stat bytes_out)
rm -rf out
"$BIN" export dynamodb:shop out -m narrow.json --quiet --rcu 100000
same_rows "projection" out narrow.rows
narrow=$(($(sim_stat bytes_out) - before))
before=$(sim_stat bytes_out)
rm -rf out
"${go[@]}" --quiet --rcu 100000
same_rows "whole items" out whole.rows
whole=$(($(sim_stat bytes_out) - before))
[ $((narrow * 2)) -lt "$whole" ] || fail "nothing was left out: $narrow bytes"

# ---- projection: the rest dropped, and columns found by short names in every spelling ----
cat >dropped.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] }, "rest": "drop",
  "entities": {
    "Customer": { "keys": { "PK": "CUSTOMER#{number}", "SK": "A" }, "table": "customer", "primary_key": ["number"],
      "stages": [ { "explode": { "from": "Tags", "into": "customer_tag" } } ],
      "columns": { "number": "text", "score": "numeric" } },
    "Order": { "keys": { "PK": "CUSTOMER#{customer}", "SK": "#ORDER#{number}" }, "table": "orders", "primary_key": ["number"],
      "columns": { "number": "text", "customer": "text", "status": "text" } } } }
MODEL
"$BIN" export items.jsonl dropped -m dropped.json --quiet
rows dropped >dropped.rows
"$BIN" export dynamodb:shop out -m dropped.json --dry-run >plan.txt
says 'and for columns found by name ' plan.txt
says '"score", "Score", "SCORE"' plan.txt
says 'only: others are not fetched' plan.txt
before=$(sim_stat bytes_out)
rm -rf out
"$BIN" export dynamodb:shop out -m dropped.json --quiet --rcu 100000
same_rows "projection of spellings" out dropped.rows
[ $((($(sim_stat bytes_out) - before) * 5 / 2)) -lt "$whole" ] || fail "too much was fetched"
# one that cannot be listed: all is fetched, and the plan says why
sed 's/"score": "numeric"/"score": "numeric", "created_at": "timestamptz"/' dropped.json >unlisted.json
"$BIN" export dynamodb:shop out -m unlisted.json --dry-run >plan.txt
says 'and all others' plan.txt
says 'all fetched      for columns found by name, in any spelling: "created_at"; with "from" only' plan.txt

# ---- filter: what no entity takes stays with the server, and is counted ----
for when in '"types": ["Order"]' '"when": {"Type": "Order"}' '"when": {"all": [{"Type": ["Order", "Gone"]}, {"SK": "#ORDER#*"}]}' \
    '"when": {"not": {"any": [{"Type": "Customer"}, {"Status": "missing"}, {"Total": {"<": 0}}]}}'; do
    cat >one.json <<MODEL
{ "renorm": 1, "name": "shop", "source": { "key": ["PK", "SK"] }, "rest": "drop",
  "entities": { "Sale": { $when, "table": "sale", "columns": { "total": { "type": "numeric", "from": "Total" } } } } }
MODEL
    "$BIN" check one.json --quiet 2>err.txt || fail "$when: $(cat err.txt)"
    rm -rf plain out
    "$BIN" export items.jsonl plain -m one.json --quiet --max-unrouted 100%
    rows plain | grep -v '^\["unrouted"' >sale.rows
    "$BIN" export dynamodb:shop out -m one.json --quiet --push-filter --rcu 100000 --summary end.json
    same_rows "filter: $when" out sale.rows
    equal "filter: $when: counts" "$(jq -c '[.items.read, .items.routed, .items.filtered, .items.unrouted]' end.json)" \
        '[2000,1800,200,0]'
done

# ---- filter stages an entity begins with are pushed with its type; others stay here ----
for stages in '{"filter": {"Status": ["open", "paid"]}}' '{"filter": {"drop": {"Status": ["open", "paid"]}}}' \
    '{"filter": {"Total": {">": 2500}}}, {"filter": {"Status": {"exists": true}}}' \
    '{"filter": {"drop": {"Note": "*a*"}}}, {"filter": {"Status": "open"}}' \
    '{"filter": {"order_id": "*7"}}, {"filter": {"Status": "d*"}}' \
    '{"rename": {"Status": "State"}}, {"filter": {"State": "open"}}'; do
    cat >stage.json <<MODEL
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" }, "table": "customer", "columns": { "customer_id": "text" } },
    "Order": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" }, "table": "orders",
      "stages": [ $stages ], "columns": { "order_id": "text", "total": "numeric" } } } }
MODEL
    rm -rf plain out
    "$BIN" export items.jsonl plain -m stage.json --quiet --summary plain.json
    # the keys of this table's indexes are no part of the rest
    "$BIN" export dynamodb:shop out -m stage.json --quiet --rcu 100000
    rows out >stage.rows
    rm -rf out
    before=$(sim_stat bytes_out)
    "$BIN" export dynamodb:shop out -m stage.json --push-filter --rcu 100000 --summary end.json >/dev/null 2>err.txt
    bytes=$(($(sim_stat bytes_out) - before))
    same_rows "filter stage: $stages" out stage.rows
    equal "filter stage: $stages: counts" "$(jq -c .items end.json)" "$(jq -c .items plain.json)"
    says 'the server filters: it sends less and reads as many units' err.txt
    case $stages in
    *rename*) [ "$bytes" -gt $((whole * 9 / 10)) ] || fail "$stages was pushed" ;;
    *) [ "$bytes" -lt $((whole * 9 / 10)) ] || fail "$stages was not pushed: $bytes of $whole bytes" ;;
    esac
done

# ---- TTL: asked of the table where the model is silent ----
stop "$SIM_PID" || true
live_sim "${table[@]}" --ttl ExpiresAt
rm -rf out
"${go[@]}" --rcu 100000 >/dev/null 2>err.txt
says 'items past "ExpiresAt", the table'"'"'s TTL attribute, are filtered' err.txt
rm -rf out
sim_control faults '{"operation":"DescribeTimeToLive","action":"access-denied"}' >/dev/null
"${go[@]}" --rcu 100000 --quiet 2>err.txt
says "the table's TTL attribute is not known" err.txt
rm -rf out
"${go[@]}" --rcu 100000 --quiet --ttl off 2>err.txt
equal "told with --ttl off" "$(cat err.txt)" ''
same_rows "without TTL" out want.rows
