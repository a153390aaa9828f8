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
export PYTHONPATH=$TESTS/tools PYTHONDONTWRITEBYTECODE=1
# tried OPTION...: half of the faults in loads with those options
tried() {
    python3 "$TESTS/tools/faults.py" "$RENORM" before.jsonl items.jsonl "$@" --sample "$((${FAULTS:-4} / 2))" \
        --seed "${SEED:-1}" --url "$URL" --option=--retry-seconds=20
}
tried model.json
# rows without keys, which nothing but the ledger keeps from being there twice
append=("$TESTS/data/shop.json" --option=--mode=append --option=--no-constraints)
tried "${append[@]}"
# it knows what it has added by where the files lie: if that cannot be told nothing is added
tried "${append[@]}" --only getcwd --what EIO
