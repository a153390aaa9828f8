#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Designs that other people published, from a folder beside the repository (or in $RENORM_SHARED),
# loaded into a real server and exported with 1, 4, 7 and 64 segments: the rows and counts are those of
# the file export of the same items.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
sets=${RENORM_SHARED:-$ROOT/../shared}/data/sets
if [ ! -d "$sets" ]; then
    echo "no data sets (RENORM_SHARED names the folder that has data/sets)"
    exit 77
fi
dynalite_start
dynalite_env

# balance SUMMARY: what must be the same wherever the items come from.
balance() { jq -cS '[.items, .counted, (.tables | map_values(.rows)), .conflicts, .missing_mirrors]' "$1"; }

# keys_of NAME: the key attributes, by the model; the one design without a key there has an id.
keys_of() { grep -v '^ *//' "$TESTS/sets/$1.json" | sed -nE 's/.*"key": \[([^]]*)\].*/\1/p' | sed -n 1p | tr -d '" ' | grep . || echo id; }

# typed KEYS FILE: "PK:S,year:N", by the first item.
typed() {
    local key out=
    for key in ${1//,/ }; do
        out+=${out:+,}$key:$(sed -n 1p "$2" | jq -r --arg k "$key" '(.Item // .)[$k] | keys[0]')
    done
    echo "$out"
}

tried=0
for items in "$sets"/*.jsonl; do
    name=$(basename "$items" .jsonl)
    model=$TESTS/sets/$name.json
    [ -f "$model" ] || fail "no model for $name"
    keys=$(keys_of "$name")
    keyspec=$(typed "$keys" "$items")
    if [ "$(wc -l <"$items")" -gt 1000 ]; then # many, and known to be loadable
        cp "$items" loadable.jsonl
        dynalite_load "$name" "$keyspec" loadable.jsonl >/dev/null
    else # no server takes all of the corner cases
        dynalite_load "$name" "$keyspec" /dev/null >/dev/null
        python3 "$TESTS/e2e-aws/put.py" "$DYNALITE_URL" "$name" "$keys" <"$items" >loadable.jsonl
    fi
    [ -s loadable.jsonl ] || fail "cannot load $name"
    "$BIN" export loadable.jsonl want -m "$model" --quiet --summary want.json
    rows want >want.rows
    for segments in 1 4 7 64; do
        "$BIN" export "dynamodb:$name" got -m "$model" --quiet --segments "$segments" --rcu max --summary got.json
        same_rows "$name, $segments segments" got want.rows
        equal "$name, $segments segments: counts" "$(balance got.json)" "$(balance want.json)"
        rm -rf got
    done
    rm -rf want
    tried=$((tried + 1))
    echo "$name: $(wc -l <loadable.jsonl) items, $(wc -l <want.rows) rows"
done
equal "designs tried" "$tried" "$(find "$TESTS/sets" -name '*.json' | wc -l)"
