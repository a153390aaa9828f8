#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A source in a bucket (the simulator's) against the same files on the local disk: CPU; and against the
# bandwidth of its connections, 40 MB/s each with 50 ms before the first byte: wall time.
# Usage: s3.sh BIN
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
set -e
scratch
cd "$SCRATCH" || exit 1
sim_only
shop_data
mkdir -p b
ln -s "$DATA" b/data

# bucket OPTION...: the simulator as the bucket.
bucket() {
    sim_start sim --s3 b --credentials AKID:SECRET "$@"
    export AWS_ENDPOINT_URL_S3=$SIM_URL
}
# export_it SOURCE OPTION...
export_it() { rm -rf out && timed "$BIN" export "$1" out -m "$SHOP" --quiet "${@:2}"; }

bucket
for what in gz items.jsonl; do
    local="" remote=""
    for _ in $(seq "$RUNS"); do
        export_it "$DATA/$what"
        local=$(min "$local" "$CPU")
        export_it "s3://data/$what"
        remote=$(min "$remote" "$CPU")
    done
    echo "CPU seconds, $what: S3 $remote, local $local"
    verdict "(a) CPU of S3 / local, $what" "$(ratio "$remote" "$local")" "<=" 1.15
done
stop "$SIM_PID" || true

# Two connections: less than the machine can take, so that they are the bound. The bound is taken
# as two other clients meet it that throw the bytes away, beside what it would be by arithmetic.
bucket --latency-ms 50 --bandwidth 40000000 --no-auth
bytes=$(wc -c <"$DATA/items.jsonl")
half=$((bytes / 2))
# both halves at once
two_clients() {
    curl -sf -o /dev/null -r "0-$half" "$SIM_URL/data/items.jsonl" &
    curl -sf -o /dev/null -r "$((half + 1))-" "$SIM_URL/data/items.jsonl"
    wait $!
}
export -f two_clients
export half SIM_URL
wall="" bound=""
for _ in $(seq "$RUNS"); do
    timed bash -c two_clients
    bound=$(min "$bound" "$WALL")
    export_it s3://data/items.jsonl --workers 1 --transfers 2
    wall=$(min "$wall" "$WALL")
done
echo "wall seconds of $bytes bytes: $wall, two other clients $bound, at 80 MB/s $(ratio "$bytes" 80000000)"
verdict "(b) wall time / bandwidth bound, 50 ms, 40 MB/s a connection" "$(ratio "$wall" "$bound")" "<=" 1.2
