#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A second process on the same output is refused while one runs; a changed model or source is
# refused with the reason, --restart abandons the old run.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 2000 >items.jsonl
mkfifo pipe
start first "$BIN" export pipe out -m "$SHOP" --quiet
first=$STARTED
exec 7>pipe
head -n 1990 items.jsonl >&7 # what comes first decides the format, and the run is under way
wait_until '[ -e out/.renorm/lock ]'
wait_until "! \"$BIN\" export items.jsonl out -m \"$SHOP\" --quiet 2>second.err && grep -q 'under way' second.err"
expect_exit 3 "$BIN" export items.jsonl out -m "$SHOP" --quiet 2>second.err
grep -q 'under way' second.err
tail -n +1991 items.jsonl >&7
exec 7>&-
wait "$first"
equal "rows of the first" "$(rows out | wc -l)" "$("$BIN" export items.jsonl plain -m "$SHOP" --quiet && rows plain | wc -l)"

# an unfinished run of another identity
"$GEN" 40000 >many.jsonl
"$BIN" export many.jsonl cut -m "$SHOP" --quiet --commit-mb 1 &
pid=$!
wait_until "[ -e cut/.renorm/lock ] || ! kill -0 $pid 2>/dev/null"
kill -KILL "$pid" 2>/dev/null || true
if ! wait "$pid" && "$BIN" status cut --json 2>/dev/null | grep -q cut-short; then
    sed 's/"email": "text",//' "$SHOP" >other.json
    expect_exit 2 "$BIN" export many.jsonl cut -m other.json --quiet 2>refused.err
    grep -q model refused.err
    grep -q -- --restart refused.err
    expect_exit 2 "$BIN" export items.jsonl cut -m "$SHOP" --quiet 2>refused.err
    grep -q source refused.err
    "$BIN" export items.jsonl cut -m other.json --restart --quiet
    "$BIN" verify items.jsonl cut -m other.json --quiet
fi

# what is not ours is not touched
mkdir theirs
echo precious >theirs/file
expect_exit 2 "$BIN" export items.jsonl theirs -m "$SHOP" --quiet 2>theirs.err
grep -q theirs theirs.err
equal "their file" "$(cat theirs/file)" precious
