#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A source that says nothing for now does not keep a run from being stopped.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 3000 >some.jsonl

# caught PID: it has handlers for SIGINT and SIGTERM (signals 2 and 15), and they are its own:
# before it becomes $BIN it is a copy of this shell, with this shell's.
caught() {
    local mask
    [ "/proc/$1/exe" -ef "$BIN" ] || return 1
    mask=$(sed -n 's/^SigCgt:\s*//p' "/proc/$1/status")
    [ -n "$mask" ] && (((16#$mask & 0x4002) == 0x4002))
}

# ended WHAT: the run of $pid ends by itself, with 130, once told to.
ended() {
    local status=0
    wait_until "caught $pid"
    kill -TERM "$pid"
    wait "$pid" || status=$?
    equal "exit status, $1" "$status" 130
    grep -q interrupted stop.err || fail "$1: not told: $(cat stop.err)"
}

mkfifo silent
# opened for both, the pipe has a writer that says nothing and never ends
exec 9<>silent
"$BIN" export - out -m "$SHOP" --quiet --workers 2 <silent 2>stop.err &
pid=$!
ended "standard input without a byte"
[ ! -e out ] || fail "something was written"

printf '{' >&9
"$BIN" export - out -m "$SHOP" --quiet --workers 2 <silent 2>stop.err &
pid=$!
ended "standard input with one byte"

"$BIN" check "$SHOP" silent --workers 1 2>stop.err >/dev/null &
pid=$!
ended "check of a pipe"

# a lot, then silence: the run is under way
"$BIN" export - out -m "$SHOP" --quiet --workers 2 <silent 2>stop.err &
pid=$!
cat some.jsonl >&9
wait_until "[ -e out/.renorm ]"
ended "standard input gone silent"
grep -q 'cannot be read again' stop.err
exec 9>&-

# nobody has opened the other end
mkfifo lonely
"$BIN" export lonely out2 -m "$SHOP" --quiet 2>stop.err &
pid=$!
wait_until "caught $pid && grep -q '^State:\s*S' /proc/$pid/status"
ended "a pipe without a writer"
