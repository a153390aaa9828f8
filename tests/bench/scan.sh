#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scan of a live table: canned 1 MB pages of the simulator against a file of the same items, with
# and without latency; memory over the size of the table; and against boto3 and a Node client, on those
# pages and on a real server (dynalite, BENCH_DYNALITE items: 20000), which is the slower side of all.
# Usage: scan.sh BIN
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
. "$TESTS/tools/dynalite.sh"
set -e
scratch
cd "$SCRATCH" || exit 1
SIM=$OBJDIR/tests/sim/sim
export AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=SECRET AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
export AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" }, "table": "customer",
      "primary_key": ["customer_id"], "columns": { "customer_id": "text", "name": "text", "score": "numeric" } },
    "Order": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" }, "table": "orders",
      "primary_key": ["order_id"],
      "columns": { "order_id": "text", "customer_id": "text", "status": "text", "total": "numeric" } } } }
MODEL

# canned ITEMS [OPTION...]: a simulator of so many items at full speed.
canned() {
    local items=$1
    shift
    sim_start sim --generate 100000 --canned --canned-items "$items" --credentials AKID:SECRET "$@"
    export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL AWS_ENDPOINT_URL=$SIM_URL
}
scan() { timed "$BIN" export dynamodb:shop null: -m model.json --quiet --rcu 10000000 "$@"; }

canned "$ITEMS"
"$SIM" --generate 100000 --canned --canned-items "$ITEMS" --dump items.jsonl
file="" live="" plain="" late="" small="" big=""
for _ in $(seq "$RUNS"); do
    timed "$BIN" export items.jsonl null: -m model.json --quiet --workers 1
    file=$(min "$file" "$USER")
    scan --workers 1
    live=$(min "$live" "$USER")
    scan --workers 2
    plain=$(min "$plain" "$WALL")
    small=$RSS
    sim_control table '{"latency_ms":20}' >/dev/null
    scan --workers 2
    late=$(min "$late" "$WALL")
    sim_control table '{"latency_ms":0}' >/dev/null
done
echo "user CPU seconds of $ITEMS items: scan $live, file $file; wall with latency $late, without $plain"
verdict "(e) user CPU of the scan / of the file" "$(ratio "$live" "$file")" "<=" 1.25
verdict "(f) throughput with 20 ms latency / without" "$(ratio "$plain" "$late")" ">=" 0.9

# ---- peers: CPU of the client alone, on the same pages ----
canned_peer() { verdict "(g) client CPU of $1 / of the scan" "$(ratio "$CPU" "$ours")" ">=" "$2"; }
dynalite_peer() {
    echo "on dynalite, $1 / the scan: client CPU $(ratio "$CPU" "$ours"), wall $(ratio "$WALL" "$ours_wall")"
}

# peers URL SAY: each peer scans there; SAY NAME LIMIT says what it came to.
peers() {
    if python3 -c 'import boto3' 2>/dev/null; then
        timed python3 "$TESTS/bench/scan_boto3.py" "$1"
        "$2" boto3 20
    else
        echo "boto3 is not there: no comparison"
    fi
    if [ -d "$BUILD/node-bench/node_modules/@shelf/dynamodb-parallel-scan" ]; then
        timed env NODE_PATH="$BUILD/node-bench/node_modules" node "$TESTS/bench/scan_node.js" "$1"
        "$2" "the Node client" 10
    else
        echo "@shelf/dynamodb-parallel-scan is not there: no comparison"
    fi
}
scan --workers 1
ours=$CPU
peers "$SIM_URL" canned_peer
stop "$SIM_PID" || true

dynalite_start
AWS_ENDPOINT_URL_DYNAMODB=$DYNALITE_URL AWS_ENDPOINT_URL=$DYNALITE_URL
head -n "${BENCH_DYNALITE:-20000}" items.jsonl >few.jsonl
dynalite_load shop PK:S,SK:S few.jsonl
scan --workers 1 --segments 8
ours=$CPU ours_wall=$WALL
peers "$DYNALITE_URL" dynalite_peer
dynalite_stop

canned $((ITEMS * 4))
scan --workers 2
big=$RSS
echo "peak RSS in kB: $small with $ITEMS items, $big with four times as many"
verdict "(h) peak RSS, four times the items / once" "$(ratio "$big" "$small")" "<=" 1.1
