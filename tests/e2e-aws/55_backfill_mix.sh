#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes lie all over the table at any time, though a scan goes through it partition by partition: from
# the first one on, when reading is what limits, and with many more segments than are open at once.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
shop_fill model.json

cat >mix.py <<'PY'
"""mix.py STATE SEGMENTS LEAST: but for the last third, when segments come to their ends, 64 intents in a
row are on average of so many segments, and these of nearly so many sixteenths of the table."""
import sys
sys.path.insert(0, sys.argv[4])
from table import entries
segments, least = map(int, sys.argv[2:4])
seen = [e["segment"] for e in entries(sys.argv[1]) if "intent" in e]
windows = [seen[i:i + 64] for i in range(0, len(seen) * 2 // 3 - 64)]
assert len(windows) > 100, len(seen)
some = sum(len(set(w)) for w in windows) / len(windows)
wide = sum(len({s * 16 // segments for s in w}) for w in windows) / len(windows)
print(f"{len(seen)} intents, 64 in a row are of {some:.1f} segments and {wide:.1f} sixteenths")
assert some >= least and wide >= least - 1, [len(set(w)) for w in windows][::50]
PY

# mix NAME SEGMENTS LEAST OPTION...: with that many segments.
mix() {
    local name=$1 segments=$2 least=$3
    shift 3
    rm -rf state
    "$BIN" backfill dynamodb:shop -m model.json --state state --quiet --workers 1 --summary end.json "$@"
    equal "$name: segments" "$(jq '.passes[-1].segments' state/state.json)" "$segments"
    echo -n "$name: "
    python3 mix.py state "$segments" "$least" "$TESTS/e2e-aws" || fail "$name: writes lie close together"
    undo
}
live_sim --generate 4000 --page-bytes 65536 --latency-ms 5
mix "a small table" 16 10 --rcu 100000 --wcu 100000
mix "reading limits" 16 6 --rcu 120 --wcu 100000
mix "many segments" 200 7 --rcu 100000 --wcu 100000 --segments 200
