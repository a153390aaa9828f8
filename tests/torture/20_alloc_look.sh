#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory runs out while a model is checked, items are tried on it and explained.
. "$(dirname "$0")/lib.sh"
scenario
cp "$ROOT"/examples/10_duplicated_data/{model.json,items.jsonl} .

timeless() { sed -E 's|^[0-9.]+ s, .*||'; }
same_or_told() {
    if [ "$STATUS" = 0 ]; then cmp <(timeless <fail.out) <(timeless <want.out); else told "$1"; fi
}
look() {
    "$BIN" "$@" >want.out
    walk "$*" same_or_told "$BIN" "$@"
}
look check model.json
look check model.json items.jsonl
look explain model.json items.jsonl
