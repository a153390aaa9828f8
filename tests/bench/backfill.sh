#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The backfill against the simulator with 5 ms latency: client CPU per 100,000 conditional updates and
# updates a second with default settings, beside boto3 with 16 threads, and beside what the
# connections in use could carry if nothing but latency counted. The simulator is one thread: its own
# time per update is shown, for requests that come together wait for each other there.
# Usage: backfill.sh BIN
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
set -e
scratch
cd "$SCRATCH" || exit 1
UPDATES=${BENCH_UPDATES:-100000}
LATENCY=5
export AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=SECRET AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
export AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
cat >model.json <<'MODEL'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" }, "table": "customer", "primary_key": ["customer_id"] },
    "Order": { "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" }, "table": "orders",
      "primary_key": ["order_id"], "backfill": { "GSI1PK": "STATUS#{Status}", "GSI1SK": "{PlacedAt}#{order_id}" } } } }
MODEL

# table UPDATES: a fresh table of so many orders, a tenth as many customers with them.
table() {
    sim_start sim --generate $(($1 * 10 / 9)) --credentials AKID:SECRET --latency-ms "$LATENCY"
    export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL AWS_ENDPOINT_URL=$SIM_URL
}

# measured UPDATES COMMAND...: sets MADE, CPU_EACH (s per 100,000), RATE (updates/s) and SIM_EACH
# (microseconds of the simulator's CPU for one).
measured() {
    local updates=$1
    shift
    table "$updates"
    timed "$@"
    MADE=$(sim_stat applied)
    CONNECTIONS=$(sim_stat connections)
    [ "$MADE" -ge $((updates - 10)) ] || fail "$MADE of $updates updates were made"
    CPU_EACH=$(awk -v c="$CPU" -v n="$MADE" 'BEGIN { printf "%.3f", c / n * 100000 }')
    SIM_EACH=$(awk -v n="$MADE" -v hz="$(getconf CLK_TCK)" '{ printf "%.0f", ($14 + $15) / hz / n * 1e6 }' "/proc/$SIM_PID/stat")
    RATE=$(awk -v w="$WALL" -v n="$MADE" 'BEGIN { printf "%.0f", n / w }')
    stop "$SIM_PID" || true
}
backfill() {
    rm -rf state
    measured "$UPDATES" "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 10000000 --wcu 10000000 "$@"
}
most() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b > a) ? b : a }'; }

ours="" rate="" narrow=""
for _ in $(seq "$RUNS"); do
    backfill
    ours=$(min "$ours" "$CPU_EACH")
    rate=$(most "$rate" "$RATE")
    connections=$CONNECTIONS
    backfill --workers 1 --in-flight 16
    narrow=$(most "$narrow" "$RATE")
done
echo "simulator: $SIM_EACH microseconds of CPU an update"
echo "CPU seconds per 100,000 updates: $ours; updates a second: $rate over $connections connections, $narrow over 16"
echo "updates a second / latency-bound maximum of 16 in flight: $(ratio "$narrow" $((16 * 1000 / LATENCY)))"
bound=$(awk -v l="$LATENCY" -v s="$SIM_EACH" 'BEGIN { print 16 / (l / 1000 + 16 * s / 1e6) }')
verdict "(i) the same, with the time the simulator takes for 16" "$(ratio "$narrow" "$bound")" ">=" 0.9
if /usr/bin/python3 -c 'import boto3' 2>/dev/null; then
    few=$((UPDATES / 10)) # but not so few that its start counts
    measured $((few > 10000 ? few : 10000)) /usr/bin/python3 "$TESTS/bench/backfill_boto3.py"
    echo "boto3, 16 threads: $CPU_EACH s of CPU, $RATE updates a second"
    verdict "(j) client CPU of boto3 / of the backfill" "$(ratio "$CPU_EACH" "$ours")" ">=" 10
    echo "updates a second, backfill / boto3: $(ratio "$rate" "$RATE")"
else
    echo "boto3 is not there: no comparison"
fi
