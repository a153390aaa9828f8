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
grep -q "under way (pid $first on .* since 2" second.err
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
if ! wait "$pid" && "$BIN" status cut --json 2>/dev/null | grep cut-short >found; then
    sed 's/"email": "text",//' "$SHOP" >other.json
    expect_exit 2 "$BIN" export many.jsonl cut -m other.json --quiet 2>refused.err
    grep -q model refused.err
    grep -q -- --restart refused.err
    expect_exit 2 "$BIN" export items.jsonl cut -m "$SHOP" --quiet 2>refused.err
    grep -q source refused.err
    "$BIN" export items.jsonl cut -m other.json --restart --quiet
    "$BIN" verify items.jsonl cut -m other.json --quiet
fi

# a run that stopped is as of the moment it began, and says so
head -n 1000 items.jsonl >one.jsonl
tail -n 1000 items.jsonl | gzip >two.jsonl.gz
truncate -s 10000 two.jsonl.gz
begun=2026-01-31T12:00:00Z
expect_exit 4 "$BIN" export one.jsonl two.jsonl.gz torn -m "$SHOP" --quiet --workers 1 --now $begun 2>torn.err
grep -q two.jsonl.gz torn.err
expect_exit 2 "$BIN" export one.jsonl two.jsonl.gz torn -m "$SHOP" --quiet --now 2026-02-01T00:00:00Z 2>now.err
grep -q $begun now.err
expect_exit 4 "$BIN" export one.jsonl two.jsonl.gz torn -m "$SHOP" --quiet --now $begun 2>torn.err
expect_exit 4 "$BIN" export one.jsonl two.jsonl.gz torn -m "$SHOP" --quiet --restart --now 2026-02-01T00:00:00Z 2>torn.err
"$BIN" export one.jsonl torn -m "$SHOP" --quiet --restart
"$BIN" verify one.jsonl torn -m "$SHOP" --quiet

# what is not ours is not touched
mkdir theirs
echo precious >theirs/file
expect_exit 2 "$BIN" export items.jsonl theirs -m "$SHOP" --quiet 2>theirs.err
grep -q theirs theirs.err
equal "their file" "$(cat theirs/file)" precious
