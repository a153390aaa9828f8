#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Instructions per item of an export, by callgrind: steadier than time. Compare with the figure in
# instructions.txt. Usage: instructions.sh BIN [ITEMS]
. "$(dirname "$0")/lib.sh"
set -e
scratch
n=${2:-20000}
"$GEN" "$n" >"$SCRATCH/items.jsonl"
valgrind --tool=callgrind --callgrind-out-file="$SCRATCH/callgrind.out" \
    "$BIN" export "$SCRATCH/items.jsonl" "$SCRATCH/out" -m "$SHOP" --quiet --workers 1 2>"$SCRATCH/valgrind.log"
total=$(awk '/^summary:|^totals:/ { print $2; exit }' "$SCRATCH/callgrind.out")
echo "instructions per item: $((total / n))"
if [ -n "${TOP:-}" ]; then callgrind_annotate "$SCRATCH/callgrind.out" | head -n "$TOP"; fi
