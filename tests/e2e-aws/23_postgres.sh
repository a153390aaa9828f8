#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example from a real DynamoDB-compatible server into a real PostgreSQL: the tables hold what the
# items say, verified against the live table and against the items in a file; a second export replaces
# the tables, and what was written meanwhile is a difference before it and none after.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/tools/pg.sh"
if [ -z "${PG_DIR:-}" ]; then pg_start; fi
dynalite_start
dynalite_env
url=$(pg_db "live_$$")

# verified SOURCE NAME ARGS...: the last line of a verify that found no difference.
verified() {
    local source=$1 name=$2
    shift 2
    "$BIN" verify "$source" "$url" -m model.json --schema "$name" "$@" >verified.txt 2>&1 || fail "$name: $(cat verified.txt)"
    tail -n 1 verified.txt
}

n=0
for dir in "$ROOT"/examples/[0-9]*/; do
    name=$(basename "$dir")
    more=() key=()
    if [ -f "$dir/options" ]; then read -ra more <"$dir/options"; fi
    cp "$dir"/* . 2>/dev/null || true
    if [ -f mask.key ]; then key=(--mask-key-file mask.key); fi
    keys=$(model_keys model.json)
    dynalite_load "$name" "${keys//,/:S,}:S" /dev/null >/dev/null
    python3 "$TESTS/e2e-aws/put.py" "$DYNALITE_URL" "$name" "$keys" <items.jsonl >loadable.jsonl
    [ -s loadable.jsonl ] || fail "cannot load $name"
    "$BIN" export "dynamodb:$name" "$url" -m model.json --quiet --segments 7 --schema "$name" --summary live.json "${more[@]}"
    "$BIN" export loadable.jsonl "$name.out" -m model.json --quiet --summary file.json "${more[@]}"
    equal "$name: rows" "$(jq -cS '[.items, (.tables | map_values(.rows))]' live.json)" "$(jq -cS '[.items, (.tables | map_values(.rows))]' file.json)"
    live=$(verified "dynamodb:$name" "$name" "${key[@]}")
    equal "$name: of the file" "$(verified loadable.jsonl "$name" "${key[@]}")" "$live"
    grep -qE '^verified: [0-9]+ rows? in [0-9]+ tables?(; [0-9]+ rejected, [0-9]+ unrouted)?$' <<<"$live" || fail "$name: $live"
    rm -rf ./*.json ./*.jsonl mask.key options
    n=$((n + 1))
done
[ "$n" -ge 10 ] || fail "only $n examples"
equal "all published" "$(pg_query "$url" "select count(*) from renorm.run where state = 'published'")" "$n"

# ---- a table that is written to between two exports ----
shop_model model.json
"$OBJDIR/tests/sim/sim" --generate 500 --dump items.jsonl
dynalite_load shop PK:S,SK:S items.jsonl >/dev/null
go=("$BIN" export dynamodb:shop "$url" -m model.json --quiet --schema again)
"${go[@]}"
grep -m 1 '"S":"Customer"' items.jsonl | sed -E 's/"Name":\{"S":"[^"]*"\}/"Name":{"S":"another"}/' >changed.jsonl
dynalite_load shop PK:S,SK:S changed.jsonl >/dev/null
status=0
"$BIN" verify dynamodb:shop "$url" -m model.json --schema again >verified.txt 2>&1 || status=$?
equal "verify after a write ($(cat verified.txt))" "$status" 1
grep -qxF 'read again: 0 equal now, 0 changed since, 1 different; not read again: 0' verified.txt || fail "$(cat verified.txt)"
"${go[@]}"
equal "after the second export" "$(verified dynamodb:shop again)" 'verified: 600 rows in 4 tables'
equal "the new value" "$(pg_query "$url" "select count(*) from again.customer where name = 'another'")" 1
