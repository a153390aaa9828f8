#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many tables in random order against the same rows in three: CPU, memory, parts, within 256 descriptors.
# Usage: many_tables.sh BIN [TABLES] [ITEMS]
. "$(dirname "$0")/lib.sh"
set -e
scratch
many=${2:-1000}
items=${3:-1000000}

# make_set TABLES: $SCRATCH/TABLES.json and .jsonl; items differ in their type alone
make_set() {
    jq -n --argjson n "$1" '{renorm: 1, name: "n", source: {key: ["PK"]}, entities: ([range($n) | {key: "t\(.)", value: {
        table: "t\(.)", columns: {id: {type: "text", from: "PK"}, a: {type: "text"}, b: {type: "numeric"}}}}] | from_entries)}' >"$SCRATCH/$1.json"
    awk -v n="$1" -v m="$items" 'BEGIN {
        srand(7)
        for (i = 0; i < m; i++)
            printf "{\"PK\":{\"S\":\"k%08d\"},\"Type\":{\"S\":\"t%d\"},\"a\":{\"S\":\"%08x %08x %08x\"},\"b\":{\"N\":\"%d\"}}\n", i,
                rand() * n, rand() * 3000 * 91177, rand() * 3000 * 91177, rand() * 3000 * 91177, rand() * 1000000 }' >"$SCRATCH/$1.jsonl"
}

# export_set TABLES: each to a folder of its own. Where many inodes were just freed, ext4 takes its time to find one.
outs=0
export_set() {
    outs=$((outs + 1))
    # shellcheck disable=SC2016
    timed bash -c 'ulimit -n 256 && exec "$@"' - "$BIN" export "$SCRATCH/$1.jsonl" "$SCRATCH/out.$outs" -m "$SCRATCH/$1.json" --quiet
}

make_set 3
make_set "$many"
few_cpu="" many_cpu=""
for _ in $(seq "$RUNS"); do
    export_set 3
    few_cpu=$(min "$few_cpu" "$CPU")
    export_set "$many"
    many_cpu=$(min "$many_cpu" "$CPU")
done
echo "CPU seconds: $few_cpu with 3 tables, $many_cpu with $many; $(find "$SCRATCH/out.$outs" -name '*.zst' | wc -l) parts"
verdict "CPU with $many tables / with 3" "$(ratio "$many_cpu" "$few_cpu")" "<=" 1.3
verdict "peak RSS in MB" "$((RSS / 1024))" "<=" 256
