#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SIGINT and SIGTERM finish the page, commit and exit 130; the next run goes on from there.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 3000 >some.jsonl
mkfifo items
"$BIN" export some.jsonl whole -m "$SHOP" --quiet

# a pipe that is never closed: the run is under way for as long as we like
(cat some.jsonl && exec sleep 1000) >items &
feeder=$!
at_exit "kill $feeder 2>/dev/null"
"$BIN" export items out -m "$SHOP" --quiet --workers 1 2>stop.err &
pid=$!
wait_until "[ -e out/.renorm ] && grep -q '^SigCgt:.*[4567cdef]...\$' /proc/$pid/status"
kill -TERM "$pid"
kill "$feeder"
status=0
wait "$pid" || status=$?
equal "exit status" "$status" 130
grep -q interrupted stop.err

# at the level that takes its time a run of a file, which can be resumed, is under way for long enough;
# the signal comes twice at once, as timeout(1) sends it: that is one signal
"$GEN" "$([ "$SCALE" = full ] && echo 200000 || echo 20000)" >many.jsonl
for signal in INT TERM; do
    rm -rf out
    "$BIN" export many.jsonl out -m "$SHOP" --quiet --commit-mb 1 --level 19 --summary stop.json 2>stop.err &
    pid=$!
    wait_until "[ \"\$(progress_of out)\" -gt 0 ] || ! kill -0 $pid 2>/dev/null"
    kill "-$signal" "$pid"
    kill "-$signal" "$pid"
    status=0
    wait "$pid" || status=$?
    equal "exit status after SIG$signal ($(cat stop.err))" "$status" 130
    equal "rows told" "$(summary stop.json '[.items.read, .tables.customer.rows, .tables.order_line.rows]')" \
        "$("$BIN" status out --json | jq '.runs[0] | [.items.read, .tables.customer.rows, .tables.order_line.rows]')"
    "$BIN" export many.jsonl out -m "$SHOP" --quiet --summary out.json
    [ "$(summary out.json .resumed_items)" -gt 0 ] || fail "it started over"
    "$BIN" verify many.jsonl out -m "$SHOP" --quiet
done
