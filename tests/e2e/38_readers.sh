#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What readers see of a folder while an export takes another's place, and when it is killed at any step of
# that: by the manifest one whole run; in a table's folder the rows of one run; and the same command
# completes what was begun.
. "$(dirname "$0")/lib.sh"
scenario
show=(--quiet --allow shrink) # tables go, and others come
export PYTHONPATH=$TESTS/tools PYTHONDONTWRITEBYTECODE=1
"$GEN" 300 >old.jsonl
"$GEN" 700 >new.jsonl
# the new result has a table less and one more, so folders are added and taken away, too
jq '.entities.Order.stages += [{extract: {into: "receipt", key: ["order_id"],
        columns: {order_id: "text", total: "numeric"}}}]' "$SHOP" >old.json
jq '.entities.Order.stages += [{extract: {into: "invoice", key: ["order_id"],
        columns: {order_id: "text", total: "numeric"}}}]' "$SHOP" >new.json
"$BIN" export old.jsonl old -m old.json --quiet
"$BIN" export new.jsonl new -m new.json --quiet

# killed before the first rename, before the second, and so on, until there is none left
KILL=$OBJDIR/tests/preload/kill_at.so
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
for ((n = 1;; n++)); do
    rm -rf out && cp -a old out
    status=0
    KILL_NTH=$n LD_PRELOAD=$KILL "$BIN" export new.jsonl out -m new.json "${show[@]}" 2>err || status=$?
    if [ "$status" = 0 ]; then break; fi
    equal "killed at rename $n" "$status" 137
    python3 "$TESTS/tools/folder_reader.py" out old new >>seen || fail "killed at rename $n"
    "$BIN" export new.jsonl out -m new.json "${show[@]}"
    equal "rows after rename $n" "$(rows out | md5sum)" "$(rows new | md5sum)"
done
tables=$(find new -mindepth 1 -maxdepth 1 -type d -not -name .renorm | wc -l)
[ "$n" -gt $((tables + 3)) ] || fail "only $n renames for $tables tables"
# the steps between the first exchange and the manifest are those at which a mixture could be seen
[ "$(grep -c 'old, in motion' seen)" -ge "$tables" ] || fail "no reader looked while tables moved: $(cat seen)"

# a reader that looks all the time while the two take turns
python3 "$TESTS/tools/folder_reader.py" out old new --until "done" >looked 2>&1 &
reader=$!
for ((n = 0; n < 6; n++)); do
    which=$([ $((n % 2)) = 0 ] && echo old || echo new)
    "$BIN" export "$which.jsonl" out -m "$which.json" "${show[@]}"
done
touch "done"
wait "$reader" || fail "a reader saw something else: $(tail -n 5 looked)"
