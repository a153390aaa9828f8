#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SIGTERM finishes the page, commits and exits 130; the next run goes on from there.
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

for signal in INT TERM; do
    rm -rf out
    "$GEN" "$([ "$SCALE" = full ] && echo 200000 || echo 20000)" >many.jsonl
    "$BIN" export many.jsonl out -m "$SHOP" --quiet --commit-mb 1 --summary stop.json 2>stop.err &
    pid=$!
    wait_until "[ \"\$(progress_of out)\" -gt 0 ] || ! kill -0 $pid 2>/dev/null"
    kill "-$signal" "$pid" 2>/dev/null || true
    status=0
    wait "$pid" || status=$?
    case $status in 0 | 130) ;; *) fail "exit status $status after SIG$signal: $(cat stop.err)" ;; esac
    if [ "$status" = 130 ]; then
        equal "rows told" "$(summary stop.json '[.items.read, .tables.customer.rows, .tables.order_line.rows]')" \
            "$("$BIN" status out --json | jq '.runs[0] | [.items.read, .tables.customer.rows, .tables.order_line.rows]')"
    fi
    "$BIN" export many.jsonl out -m "$SHOP" --quiet --summary out.json
    if [ "$status" = 130 ]; then [ "$(summary out.json .resumed_items)" -gt 0 ] || fail "it started over"; fi
    "$BIN" verify many.jsonl out -m "$SHOP" --quiet
done
