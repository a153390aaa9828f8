#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# System calls of an export fail, or kill it: the run says so or is right, and the next one is right. FAULTS
# of them are tried (0: all, as `make torture` does), spread over all calls.
. "$(dirname "$0")/lib.sh"
scenario
# LeakSanitizer does not work under strace
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
faults=${FAULTS:-$([ "$SCALE" = full ] && echo 30 || echo 5)}
strace -qq -e trace=none true 2>err || { echo "strace may not trace here, no faults were tried: $(head -n 1 err)" && exit 77; }
"$GEN" 300 >before.jsonl
"$GEN" 500 >items.jsonl
# copies are reduced, and items rejected and unrouted
jq '.entities.Order.stages += [{extract: {into: "receipt", key: ["order_id"],
        columns: {order_id: "text", total: "numeric", status: "text"}}}]' "$SHOP" >model.json
PYTHONPATH=$TESTS/tools PYTHONDONTWRITEBYTECODE=1 python3 "$TESTS/tools/faults.py" "$BIN" before.jsonl items.jsonl \
    model.json --sample "$faults" --seed "${SEED:-1}"
