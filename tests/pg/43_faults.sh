#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# System calls of a load fail, or kill it: the tables are those of before or the right ones, and the same
# command goes on. FAULTS of them are tried, spread over all calls; `make torture` tries more.
. "$(dirname "$0")/lib.sh"
# LeakSanitizer does not work under strace
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
strace -qq -e trace=none true 2>err || { echo "strace may not trace here, no faults were tried: $(head -n 1 err)" && exit 77; }
new_db
"$TOOLS/gen" 300 >before.jsonl
"$TOOLS/gen" 500 >items.jsonl
jq '.entities.Order.stages += [{extract: {into: "receipt", key: ["order_id"],
        columns: {order_id: "text", total: "numeric", status: "text"}}}]' "$TESTS/data/shop.json" >model.json
PYTHONPATH=$TESTS/tools PYTHONDONTWRITEBYTECODE=1 python3 "$TESTS/tools/faults.py" "$RENORM" before.jsonl items.jsonl \
    model.json --sample "${FAULTS:-4}" --seed "${SEED:-1}" --url "$URL" --option=--retry-seconds=20
