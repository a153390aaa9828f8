#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory runs out in an export, with copies to reduce and a packed source: it exits 3, and the next
# run completes it.
. "$(dirname "$0")/lib.sh"
scenario
"$BIN" export "$ROOT/examples/10_duplicated_data/items.jsonl" whole -m "$ROOT/examples/10_duplicated_data/model.json" --quiet
rows whole >whole.rows
gzip -c "$ROOT/examples/10_duplicated_data/items.jsonl" >items.jsonl.gz
export_it=("$BIN" export items.jsonl.gz out -m "$ROOT/examples/10_duplicated_data/model.json" --quiet --workers 2)

resumes() {
    [ "$STATUS" = 0 ] || told "$1"
    "${export_it[@]}" || fail "$1: it was not resumed"
    cmp whole.rows <(rows out) || fail "$1: other rows"
    rm -rf out
}
walk "export" resumes "${export_it[@]}"
