#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples, which are golden tests: each examples/NAME is exported and its tables are compared
# with examples/NAME/expected/TABLE.jsonl byte for byte, after sorting; so are the counts of the
# summary. Then the models are held against the JSON Schema. Usage: run.sh BIN [NAME-PART...]
. "$(dirname "$0")/../lib.sh"
scratch
cd "$ROOT" || exit 1

bin=$1
shift
[[ $bin = /* ]] || bin=$ROOT/$bin
mkdir -p "$LOGS/golden"

# rows FOLDER: all rows of a table, sorted by bytes.
rows() {
    local parts=("$1"/part-*.jsonl.zst)
    if [ -e "${parts[0]}" ]; then zstd -dcq "${parts[@]}" | sort; fi
}

# Everything but the tables.
is_table() { [ -d "$1" ] && [[ "$(basename "$1")" != @(rejects|unrouted) ]]; }

# export_example DIR OUT: the options file holds further arguments, paths relative to DIR.
export_example() {
    local more=()
    if [ -f "$1/options" ]; then read -ra more <"$1/options"; fi
    (cd "$1" && "$bin" export items.jsonl "$2" -m model.json --quiet --summary "$2.summary" "${more[@]}")
}

example() {
    local dir=$1 name out table bad=0 got=0
    name=$(basename "$dir")
    out=$SCRATCH/$name
    export_example "$dir" "$out" || got=$?
    if [ "$got" != 0 ]; then
        echo "exit status $got"
        return 1
    fi
    for table in "$dir"/expected/*.jsonl; do
        diff -u --label "$table" --label got "$table" <(rows "$out/$(basename "$table" .jsonl)") || bad=1
    done
    for table in "$out"/*; do
        if ! is_table "$table" || [ -f "$dir/expected/$(basename "$table").jsonl" ]; then continue; fi
        if [ -n "$(rows "$table")" ]; then
            echo "unexpected rows in table $(basename "$table"):"
            rows "$table"
            bad=1
        fi
    done
    diff -u --label "$dir/expected/summary.json" --label got <(jq -cS . "$dir/expected/summary.json") \
        <(jq -cS .items "$out.summary") || bad=1
    return "$bad"
}

wanted() {
    local part name=$1
    shift
    [ $# = 0 ] && return 0
    for part in "$@"; do [[ $name = *"$part"* ]] && return 0; done
    return 1
}

for dir in examples/[0-9]*/; do
    dir=${dir%/}
    name=$(basename "$dir")
    wanted "$name" "$@" || continue
    log=$LOGS/golden/$name.log
    if example "$dir" >"$log" 2>&1; then
        ok "$name"
    else
        sed 's/^/    /' "$log"
        not_ok "$name" "$log"
    fi
done

# ---- the JSON Schema -------------------------------------------------------------------------
# schema WANT FILE...: every file is "ok" or "bad" by the schema.
schema() {
    local want=$1 line
    shift
    while IFS= read -r line; do
        if [ "${line%% *}" = "$want" ]; then ok "schema: ${line#* }"; else not_ok "schema: $line"; fi
    done < <(NODE_PATH=$BUILD/node/node_modules node tests/golden/schema.js docs/model.schema.json "$@" 2>&1)
}

# What the schema refuses the program must refuse as well.
refused() {
    local file status
    for file in "$@"; do
        status=0
        "$bin" check "$file" >"$LOGS/golden/check.log" 2>&1 || status=$?
        if [ "$status" = 2 ]; then ok "check: $file"; else not_ok "check: $file: exit status $status"; fi
    done
}

if [ $# = 0 ]; then
    schema ok examples/*/model.json tests/golden/good/*.json
    schema bad tests/golden/faulty/*.json
    refused tests/golden/faulty/*.json
fi
closing
