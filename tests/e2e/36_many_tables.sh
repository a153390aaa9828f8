#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# More tables in turn than files are kept open: their rows wait in spills. Descriptors stay within the
# limit, tables have few parts, and a kill at any time costs nothing.
. "$(dirname "$0")/lib.sh"
scenario
tables=60 items=12000
jq -n --argjson n $tables '{renorm: 1, name: "n", source: {key: ["PK"]}, entities: ([range($n) | {key: "t\(.)",
    value: {table: "t\(.)", columns: {id: {type: "text", from: "PK"}}}}] | from_entries)}' >model.json
jq -nc --argjson n $tables --argjson m $items 'range($m) | {PK: {S: "\(.)"}, Type: {S: "t\(. * 7919 % $n)"}}' >items.jsonl
jq -r '"\(.Type.S) \(.PK.S)"' items.jsonl | sort >want
have() { rows "$1" | jq -Rr 'split(" ")[0] as $t | (.[($t | length) + 1:] | fromjson) as $r | "\($t) \($r.id)"' | sort; }
parts() { find "$1" -name '*.zst' | wc -l; }
(
    ulimit -Sn 40 && ulimit -Hn 64
    exec "$BIN" export items.jsonl out -m model.json --quiet --workers 2
)
have out | cmp - want
equal "parts beyond one for a table are those of files kept open" "$(($(parts out) <= tables + 2 * 16))" 1
equal "what is left of the run" "$(find out/.renorm -type f ! -name lock | wc -l)" 0
"$BIN" verify items.jsonl out -m model.json --quiet

# killed while rows wait, and while they are brought to their tables
go() { exec "$BIN" export items.jsonl killed -m model.json --quiet --workers 2 --commit-mb 1 --open-parts 2 --summary killed.json; }
# kill_when PATTERN: kills a run as soon as the ledger has it
kill_when() {
    go &
    local pid=$!
    wait_until "grep -qs '$1' killed/.renorm/run-*/log-* || ! kill -0 $pid 2>/dev/null"
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}
kill_when '"spilled"'
kill_when '"unspilled"'
(go)
have killed | cmp - want
equal "what is left of the killed run" "$(find killed/.renorm -type f ! -name lock | wc -l)" 0

# the soft limit alone stands in nobody's way
(
    ulimit -Sn 20
    exec "$BIN" export items.jsonl soft -m model.json --quiet --workers 2 --open-parts 32
)
equal "rows within the hard limit" "$(rows soft | wc -l)" $items
