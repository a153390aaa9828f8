#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same items make the same model, byte for byte, whatever the number of workers and the order of the lines; the model
# takes every item that a model can take: of the examples (which come without their models) and of real tables.
. "$(dirname "$0")/../lib.sh"
scenario
bin=$1
shared=${RENORM_SHARED:-$ROOT/../shared}

# lost NAME: items that no model can load.
lost() {
    case $1 in
    12_types) echo 6 ;;
    corner-all-types) echo 1 ;; # a set with a member twice
    *) echo 0 ;;
    esac
}

# one NAME ITEMS
one() {
    local name=$1 items=$2 n
    "$bin" infer "$items" -o "$name.json" --quiet -w 1 2>"$name.err"
    "$bin" infer "$items" -w 3 --quiet 2>"$name.err" | cmp - "$name.json" || fail "$name: another model with three workers"
    sort -r "$items" >"$name.jsonl"
    "$bin" infer "$name.jsonl" --quiet 2>"$name.err" >"$name.turned"
    cmp <(sed 's/"name": "[^"]*",$//' "$name.turned") <(sed 's/"name": "[^"]*",$//' "$name.json") || fail "$name: another model for another order"
    "$bin" check "$name.json" --quiet
    n=$(lost "$name")
    "$bin" export "$items" "$name.out" -m "$name.json" --ttl off --quiet --summary "$name.sum" --max-rejects "$n"
    equal "$name" "$(jq -c '[.items.rejected, .items.unrouted]' "$name.sum")" "[$n,0]"
}

for f in "$ROOT"/examples/*/items.jsonl; do one "$(basename "$(dirname "$f")")" "$f"; done
for f in "$shared"/data/sets/*.jsonl; do
    if [ -f "$f" ]; then one "$(basename "$f" .jsonl)" "$f"; fi
done
