#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that reads a bucket is killed, again and again, and goes on: no row is missing, none is there
# twice, whether a segment is a slice, a packed object or an export's data file. An object that was
# written meanwhile makes it another source, which is read from its start.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

kills=6
if [ "$SCALE" != full ]; then kills=2; fi
cp "$TESTS/data/shop.json" model.json
"$OBJDIR/tests/tools/gen" 30000 >many.jsonl
mkdir -p b/bucket/plain b/bucket/packed
cp many.jsonl b/bucket/plain/many.jsonl
split -n l/6 --additional-suffix=.jsonl many.jsonl part-
make_export b/bucket/export part-*.jsonl
"$BIN" export many.jsonl out -m model.json --quiet
rows out >want.rows
bucket_sim

# written: the bytes of the run under way.
written() { find out -type f -printf '%s\n' 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'; }

for source in s3://bucket/plain s3://bucket/export; do
    rm -rf out
    go=("$BIN" export "$source" out -m model.json --quiet --workers 2 --commit-mb 1)
    # transfers are slow enough to be met under way
    sim_control faults '{"operation":"GetObject","action":"drip","bytes":150000,"ms":10}' >/dev/null
    for _ in $(seq "$kills"); do
        before=$(written || true)
        start export "${go[@]}"
        pid=$STARTED
        wait_until "! kill -0 $pid 2>/dev/null || [ \"\$(written)\" -gt $((before + 300000)) ]"
        stop "$pid" KILL || true
        if [ -e out/manifest.json ]; then break; fi
    done
    sim_control faults '' >/dev/null
    "${go[@]}" || fail "$source: exit status $?"
    same_rows "$source, killed" out want.rows
done

# ---- what was written meanwhile is not the same source any more ----
rm -rf out
sim_control faults '{"operation":"GetObject","action":"drip","bytes":150000,"ms":10}' >/dev/null
go=("$BIN" export s3://bucket/plain out -m model.json --quiet --workers 2 --commit-mb 1)
start export "${go[@]}"
pid=$STARTED
wait_until "[ \"\$(written)\" -gt 300000 ]"
stop "$pid" KILL || true
sim_control faults '' >/dev/null
sed -i '15001,$d' b/bucket/plain/many.jsonl
"$BIN" export b/bucket/plain want -m model.json --quiet
rows want >want.rows
"${go[@]}" || fail "a newer object: exit status $?"
same_rows "a newer object" out want.rows
