#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# System calls of an export fail, or kill it: the run says so or is right, and the next one is right. FAULTS
# of them are tried (0: all, as `make torture` does), spread over all calls; MORE where rows wait in a spill,
# and where the export goes on with one that was killed.
. "$(dirname "$0")/lib.sh"
scenario
# LeakSanitizer does not work under strace
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
faults=${FAULTS:-$([ "$SCALE" = full ] && echo 24 || echo 5)} more=${MORE:-$((faults / 4))}
strace -qq -e trace=none true 2>err || { echo "strace may not trace here, no faults were tried: $(head -n 1 err)" && exit 77; }
"$GEN" 300 >before.jsonl
"$GEN" 500 >items.jsonl
# copies are reduced, and items rejected and unrouted
jq '.entities.Order.stages += [{extract: {into: "receipt", key: ["order_id"],
        columns: {order_id: "text", total: "numeric", status: "text"}}}]' "$SHOP" >model.json
export PYTHONPATH=$TESTS/tools PYTHONDONTWRITEBYTECODE=1
# tried ITEMS OPTION...
tried() { python3 "$TESTS/tools/faults.py" "$BIN" before.jsonl "$@" --seed "${SEED:-1}"; }
tried items.jsonl model.json --sample "$faults"
if [ "$more" = 0 ]; then exit 0; fi
tried items.jsonl model.json --sample "$more" --option=--open-parts=1
"$GEN" 6000 >many.jsonl # several commits
tried many.jsonl model.json --sample "$more" --option=--open-parts=1 --cut fdatasync,3
