#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a cell costs in items of 500 columns and in items of 10, in instructions: steadier than time. The
# same once more for attributes that no column takes. Usage: wide.sh BIN [CELLS]
. "$(dirname "$0")/lib.sh"
set -e
scratch
cells=${2:-200000}

# model COLUMNS NAMED: N attributes, of which the model names all or none
model() {
    jq -n --argjson n "$1" --argjson named "$2" '{renorm: 1, name: "n", source: {key: ["PK"]},
        entities: {A: {table: "a", columns: ({id: {type: "text", from: "PK"}} + (if $named then
            [range($n) | {key: "c\(.)", value: {type: (if . % 2 == 0 then "numeric" else "text" end)}}] | from_entries
        else {} end))}}}'
}

items() {
    jq -nc --argjson n "$1" --argjson m $((cells / $1)) 'range($m) as $i | {PK: {S: "k\($i)"}, Type: {S: "A"}} +
        ([range($n) | {key: "c\(.)", value: (if . % 2 == 0 then {N: "\($i * 7919 + . * 31)"} else {S: "v\($i * 31 + . * 7919)"} end)}]
            | from_entries)'
}

# cost COLUMNS NAMED: instructions per cell
cost() {
    model "$1" "$2" >"$SCRATCH/model.json"
    items "$1" >"$SCRATCH/items.jsonl"
    rm -rf "$SCRATCH/out"
    valgrind --tool=callgrind --callgrind-out-file="$SCRATCH/callgrind.out" \
        "$BIN" export "$SCRATCH/items.jsonl" "$SCRATCH/out" -m "$SCRATCH/model.json" --quiet --workers 1 2>"$SCRATCH/valgrind.log"
    awk -v n="$cells" '/^summary:|^totals:/ { print int($2 / n); exit }' "$SCRATCH/callgrind.out"
}

for named in true false; do
    narrow=$(cost 10 $named) wide=$(cost 500 $named)
    echo "instructions per cell: $narrow in 10 attributes, $wide in 500"
    verdict "a cell of 500 / of 10, $([ $named = true ] && echo columns || echo 'no column')" "$(ratio "$wide" "$narrow")" "<=" 1.5
done
