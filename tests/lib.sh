# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What test scripts share: source it first. Counting (ok, not_ok, skip, closing), a private folder
# (scratch), processes that end with the script (start, stop), waiting for a condition
# (wait_until), and assertions that end a scenario (fail, equal, expect_exit).
#
# Nothing here sleeps and hopes: wait_until polls, and its limit only ends a hung test.

set -uo pipefail

TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(dirname "$TESTS")
BUILD=${BUILD:-$ROOT/build}
[[ $BUILD = /* ]] || BUILD=$ROOT/$BUILD
OBJDIR=${OBJDIR:-$BUILD/release}
[[ $OBJDIR = /* ]] || OBJDIR=$ROOT/$OBJDIR
MODE=${MODE:-release}
# sanitizer builds are slow: suites use this to shrink their data, never their assertions
if [ -z "${SCALE:-}" ]; then
    if [ "$MODE" = release ]; then SCALE=full; else SCALE=small; fi
fi
LOGS=$OBJDIR/logs
export TESTS ROOT BUILD OBJDIR MODE SCALE LOGS
export LC_ALL=C TZ=UTC
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0:exitcode=99}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$TESTS/tools/lsan.supp:print_suppressions=0}
export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$TESTS/tools/tsan.supp:exitcode=99:second_deadlock_stack=1}

# boto3 was installed for the system's python, which need not be the first in PATH
python3() { /usr/bin/python3 "$@"; }

# fixed_addresses "$@": runs the calling script again without address randomisation where that can
# be: gcc 12's TSan and clang 14's ASan now and then fail to start under the wide one of new kernels.
fixed_addresses() {
    local arch
    arch=$(uname -m)
    if [ -z "${FIXED_ADDRESSES:-}" ] && setarch "$arch" -R true 2>/dev/null; then
        FIXED_ADDRESSES=1 exec setarch "$arch" -R "$0" "$@"
    fi
}

# ---- counting --------------------------------------------------------------------------------
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)) && echo "ok $1"; }

# not_ok NAME [LOG]
not_ok() { failed=$((failed + 1)) && echo "not ok $1${2:+ (log: ${2#"$ROOT"/})}"; }

# skip NAME REASON
skip() { skipped=$((skipped + 1)) && echo "skip $1: $2"; }

# closing_line PASSED FAILED SKIPPED
closing_line() {
    if [ "$3" = 0 ]; then echo "$1 passed, $2 failed"; else echo "$1 passed, $2 failed, $3 skipped"; fi
}

# The last line of a suite; its status is the suite's. No case at all is a failure.
closing() {
    if [ $((passed + failed + skipped)) = 0 ]; then not_ok "no case was run"; fi
    closing_line "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ]
}

# read_closing FILE: sets P, F, S from the last line of a suite's output; fails if it has none.
# shellcheck disable=SC2034
read_closing() {
    local last
    last=$(tail -n 1 "$1")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        P=${BASH_REMATCH[1]} F=${BASH_REMATCH[2]} S=${BASH_REMATCH[4]:-0}
    else
        P=0 F=0 S=0
        return 1
    fi
}

# ---- what ends with the script ---------------------------------------------------------------
_owner=$BASHPID
_pids=() _cleanups=() _own_scratch=""

# scratch: makes the private folder $SCRATCH, removed at exit (KEEP=1 keeps it).
scratch() {
    if [ -n "${SCRATCH:-}" ]; then return 0; fi
    SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/renorm-test.XXXXXX") || exit 1
    _own_scratch=$SCRATCH
    export SCRATCH
}

# at_exit COMMAND: last registered, first run, before processes end and folders go.
at_exit() { _cleanups=("$1" "${_cleanups[@]}"); }

# start NAME COMMAND...: runs it in the background, output in $SCRATCH/NAME.log, pid in $STARTED.
start() {
    local name=$1
    shift
    scratch
    "$@" >"$SCRATCH/$name.log" 2>&1 </dev/null &
    STARTED=$!
    _pids+=("$STARTED")
}

# two_at_once COMMAND...: starts it twice, output in first.log and second.log; each must end with 0,
# or with 3 because the other one is at work.
two_at_once() {
    local pid first status
    start first "$@"
    first=$STARTED
    start second "$@"
    for pid in "$first" "$STARTED"; do
        status=0
        wait "$pid" || status=$?
        case $status in 0 | 3) ;; *) cat "$SCRATCH"/{first,second}.log && fail "exit status $status" ;; esac
    done
}

# stop PID [SIGNAL=TERM]: ends a started process and waits for it; its exit status is returned.
stop() {
    local pid=$1 rest=() p status=0
    kill -s "${2:-TERM}" "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || status=$?
    for p in "${_pids[@]}"; do [ "$p" = "$pid" ] || rest+=("$p"); done
    _pids=("${rest[@]}")
    return "$status"
}

_end_pids() {
    local p
    for p in "${_pids[@]}"; do
        kill -s CONT "$p" 2>/dev/null
        kill -s TERM "$p" 2>/dev/null
    done
    for p in "${_pids[@]}"; do
        wait_until "! kill -0 $p 2>/dev/null || [ \"\$(ps -o stat= -p $p | cut -c1)\" = Z ]" 30 \
            >/dev/null 2>&1 || kill -s KILL "$p" 2>/dev/null
        wait "$p" 2>/dev/null
    done
    _pids=()
}

_at_exit() {
    local status=$? c
    trap - EXIT ERR
    set +eE
    [ "$BASHPID" = "$_owner" ] || exit "$status"
    for c in "${_cleanups[@]}"; do eval "$c"; done
    _end_pids
    grep -lsx "$$" "${TMPDIR:-/tmp}"/renorm-port-* 2>/dev/null | xargs -r rm -f
    if [ -n "$_own_scratch" ] && [ -z "${KEEP:-}" ]; then rm -rf "$_own_scratch"; fi
    exit "$status"
}
trap _at_exit EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

# ---- waiting ---------------------------------------------------------------------------------
# wait_until 'COMMAND' [SECONDS=120]: polls until it succeeds; past the limit says so and fails.
wait_until() {
    local limit=$((SECONDS + ${2:-120}))
    until eval "$1"; do
        if [ "$SECONDS" -ge "$limit" ]; then
            echo "waited ${2:-120} s in vain for: $1" >&2
            return 1
        fi
        sleep 0.05
    done
}

# free_port: prints a TCP port nobody listens on, kept from other test scripts until this one
# ends. It lies below the range that the kernel hands out. Where a server can take port 0, do that.
free_port() {
    local p mark
    while :; do
        p=$((15000 + RANDOM % 15000))
        mark=${TMPDIR:-/tmp}/renorm-port-$p
        if (set -C && echo "$$" >"$mark") 2>/dev/null; then
            if ! (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null; then break; fi
            rm -f "$mark"
        elif ! kill -0 "$(cat "$mark" 2>/dev/null)" 2>/dev/null; then
            rm -f "$mark"
        fi
    done
    echo "$p"
}

# ---- assertions of a scenario ----------------------------------------------------------------
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# equal WHAT GOT WANT
equal() {
    [ "$2" = "$3" ] && return 0
    echo "FAILED: $1" >&2
    diff -u --label want --label got <(printf '%s\n' "$3") <(printf '%s\n' "$2") >&2 || true
    exit 1
}

# expect_exit STATUS COMMAND...: output passes through.
expect_exit() {
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" = "$want" ] || fail "exit status $got, not $want: $*"
}

# scenario: for scripts of tests/scenarios.sh. Ends at the first failing command and says which.
scenario() {
    set -eE
    trap 'echo "FAILED: ${BASH_SOURCE[0]##*/}:$LINENO: $BASH_COMMAND" >&2' ERR
    scratch
    cd "$SCRATCH" || exit 1
}

# skip_scenario REASON
skip_scenario() {
    echo "$1"
    exit 77
}
