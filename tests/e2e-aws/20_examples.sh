#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example loaded into a real server and exported with 1, 4, 7 and 64 segments: the rows, the
# counts, rejects and unrouted items included, are those of the file export of the same items.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
dynalite_start
dynalite_env

# balance SUMMARY: what must be the same wherever the items come from.
balance() { jq -cS '[.items, .counted, (.tables | map_values(.rows)), .conflicts, .missing_mirrors]' "$1"; }

for dir in "$ROOT"/examples/[0-9]*/; do
    name=$(basename "$dir")
    more=()
    if [ -f "$dir/options" ]; then read -ra more <"$dir/options"; fi
    cp "$dir"/* . 2>/dev/null || true
    keys=$(model_keys model.json)
    dynalite_load "$name" "${keys//,/:S,}:S" /dev/null >/dev/null
    # some examples hold items that no server takes
    python3 "$TESTS/e2e-aws/put.py" "$DYNALITE_URL" "$name" "$keys" <items.jsonl >loadable.jsonl
    [ -s loadable.jsonl ] || fail "cannot load $name"
    "$BIN" export loadable.jsonl want -m model.json --quiet --summary want.json "${more[@]}"
    rows want >want.rows
    for segments in 1 4 7 64; do
        "$BIN" export "dynamodb:$name" "got$segments" -m model.json --quiet --segments "$segments" \
            --summary got.json "${more[@]}"
        same_rows "$name, $segments segments" "got$segments" want.rows
        equal "$name, $segments segments: counts" "$(balance got.json)" "$(balance want.json)"
    done
    rm -rf want got* ./*.json ./*.jsonl want.rows
done
