#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Designs that other people published, from a folder beside the repository (or in $RENORM_SHARED):
# each is exported by its model here without a reject and without an unrouted item, verified, and
# its rows are compared where that folder has them. Usage: run.sh BIN [NAME-PART...]
. "$(dirname "$0")/../lib.sh"
scratch
cd "$ROOT" || exit 1

bin=$1
shift
[[ $bin = /* ]] || bin=$ROOT/$bin
sets=${RENORM_SHARED:-$ROOT/../shared}/data/sets
mkdir -p "$LOGS/sets"

wanted() {
    local part name=$1
    shift
    [ $# = 0 ] && return 0
    for part in "$@"; do [[ $name = *"$part"* ]] && return 0; done
    return 1
}

# rejects_of NAME: how many items of the set no program should take.
rejects_of() {
    case $1 in
    corner-all-types) echo 1 ;; # a set with a member twice
    *) echo 0 ;;
    esac
}

# one NAME MODEL ITEMS
one() {
    local out=$SCRATCH/$1 rejects
    rejects=$(rejects_of "$1")
    "$bin" export "$3" "$out" -m "$2" --quiet --summary "$out.summary" --max-rejects "$rejects" || return 1
    equal "$1: items" "$(jq -c '[.items.read, .items.routed, .items.rejected, .items.unrouted]' "$out.summary")" \
        "[$(wc -l <"$3"),$(($(wc -l <"$3") - rejects)),$rejects,0]"
    if [ "$rejects" != 0 ]; then
        zstd -dcq "$out"/rejects/*.zst | jq -e '.renorm.reason == "duplicate-set-member"' || return 1
    fi
    "$bin" verify "$3" "$out" -m "$2" --quiet || return 1
    [ -d "$sets/expected/$1" ] || return 0
    python3 tests/sets/compare.py "$sets/expected" "$1" "$out"
}

for model in tests/sets/*.json; do
    name=$(basename "$model" .json)
    wanted "$name" "$@" || continue
    log=$LOGS/sets/$name.log
    if [ ! -f "$sets/$name.jsonl" ]; then
        skip "$name" "no data set '$name' (RENORM_SHARED names the folder that has data/sets)"
    elif (one "$name" "$model" "$sets/$name.jsonl") >"$log" 2>&1; then
        ok "$name"
    else
        sed 's/^/    /' "$log"
        not_ok "$name" "$log"
    fi
done
# a set without a model is a test that is missing
for items in "$sets"/*.jsonl; do
    name=$(basename "$items" .jsonl)
    if [ -f "$items" ] && [ ! -f "tests/sets/$name.json" ]; then not_ok "$name: no model for this data set"; fi
done
closing
