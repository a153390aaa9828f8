#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An intent is on disk before its request leaves: what fdatasync has returned for and what was handed to
# the network are written down in their order, by a library between renorm and the system.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
# a sanitizer wants to be the first library; for this one it makes no difference
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
shop_fill model.json
live_sim --generate 600 --page-bytes 16384 --latency-ms 1 \
    --fault '{"operation":"UpdateItem","every":9,"times":20,"action":"reset-after"}'

cat >order.py <<'PY'
"""order.py ORDER [LEAD]: every key that was sent has an intent in a part of a log that was synced before.
With a lead, whether a journal that lags so many lines behind would be found out."""
import json, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
lead = int(sys.argv[2]) if len(sys.argv) > 2 else 0
if lead: # what was sent moves up
    sent = [n for n, line in enumerate(lines) if line.startswith("sent ")]
    for n in sent:
        lines.insert(max(0, n - lead), lines.pop(n))
logs, known, sent, synced = {}, set(), 0, 0
for line in lines:
    word, rest = line.split(" ", 1)
    if word == "synced" and rest.split(" ")[0].endswith(".log"):
        path, size = rest.rsplit(" ", 1)
        before = logs.get(path, 0)
        with open(path, "rb") as file:
            file.seek(before)
            for record in file.read(int(size) - before).decode().splitlines():
                known.update(json.dumps(e["key"]) for e in json.loads(record.split(" ", 1)[1]) if "intent" in e)
        logs[path] = int(size)
        synced += 1
    elif word == "sent":
        sent += 1
        assert json.dumps(json.loads(rest)) in known, f"sent before it was on disk: {rest}"
assert sent >= 600 and synced >= 5, (sent, synced)
print(sent, "requests after", synced, "syncs")
PY
for way in fill undo; do
    rm -f order
    ORDER_FILE=$SCRATCH/order LD_PRELOAD=$OBJDIR/tests/preload/order.so "$way"
    python3 order.py order || fail "$way: a request before its intent"
    if python3 order.py order 100000 2>/dev/null; then fail "$way: this would never be found out"; fi
done
