#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes lie all over the table at any time, though a scan goes through it partition by partition: any few
# of them in a row are of 16 segments, from the first one on, when reading is what limits, with many more
# segments than are open at once, and for several workers together, as long as so many have work left.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
# a sanitizer wants to be the first library; for this one it makes no difference
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
shop_fill model.json

cat >mix.py <<'PY'
"""mix.py STATE SEGMENTS WORKERS ORDER: every 16 intents in a row of one worker, and every 32 requests in a
row of all, are of 16 segments at least, up to where one of the workers has fewer left that need a write."""
import glob, json, sys
state, segments, workers, order = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]


def early(rows):
    """Rows of (segment, worker), without the end of the run."""
    last = {}
    for at, (segment, worker) in enumerate(rows):
        last[segment] = at, worker
    ends = [sorted(at for at, who in last.values() if who == w)[-16] for w in {w for _, w in rows}]
    return rows[:min(ends)]


def check(what, rows, width):
    part = early(rows)
    counts = [len({s for s, _ in part[i:i + width]}) for i in range(len(part) - width)]
    wide = [len({s * 16 // segments for s, _ in part[i:i + 64]}) for i in range(len(part) - 64)]
    print(f"{what}: {len(part)} of {len(rows)} looked at; {width} in a row are of {min(counts)} segments at least, "
          f"64 of {sum(wide) / len(wide):.1f} sixteenths of the table")
    assert len(part) >= 0.6 * len(rows), "the end comes too early to tell"
    assert min(counts) >= 16, (counts.index(min(counts)), part[counts.index(min(counts)):][:width])
    assert sum(wide) / len(wide) >= (14 if what == "sent" else 11)


where, logs = {}, sorted(glob.glob(state + "/log/*.log"))
assert len(logs) == workers, logs
for number, log in enumerate(logs):
    rows = [e for line in open(log) for e in json.loads(line.split(" ", 1)[1]) if "intent" in e]
    where.update((json.dumps(e["key"]), (e["segment"], number)) for e in rows)
    check(log[-7:], [(e["segment"], number) for e in rows], 16)
sent = [line[5:] for line in open(order) if line.startswith("sent ")]
check("sent", [where[json.dumps(json.loads(key))] for key in sent], 32)
PY

# mix NAME SEGMENTS WORKERS OPTION...: with that many of both.
mix() {
    local name=$1 segments=$2 workers=$3
    shift 3
    rm -rf state order
    ORDER_FILE=$SCRATCH/order LD_PRELOAD=$OBJDIR/tests/preload/order.so \
        "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --summary end.json "$@"
    equal "$name: segments" "$(jq '.passes[-1].segments' state/state.json)" "$segments"
    echo "$name, $(jq .seconds end.json) s:"
    python3 mix.py state "$segments" "$workers" order || fail "$name: writes lie close together"
    undo
}
live_sim --generate 6000 --page-bytes 16384 --latency-ms 5
mix "a small table" 16 1 --rcu 100000 --wcu 100000
mix "reading limits" 16 1 --rcu 120 --wcu 100000 --workers 1
mix "few at a time" 48 1 --rcu 100000 --wcu 2000 --segments 48 --workers 1 --in-flight 4
mix "many segments" 200 2 --rcu 100000 --wcu 100000 --segments 200 --workers 2
