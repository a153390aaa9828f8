# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A walk over allocations. Each one fails once, in a run of its own, until there is none left to
# fail: such a run says that memory ran out and exits 3, or it did without and its result is right.
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
STEP=${STEP:-1}
FAILING=$OBJDIR/tests/preload/alloc_fail.so

# allocation_fails K COMMAND...: sets STATUS; fails if the process had no K-th allocation.
allocation_fails() {
    local k=$1
    shift
    rm -f fired
    STATUS=0
    LD_PRELOAD=$FAILING ALLOC_FAIL_AT=$k ALLOC_FAIL_MARK=$PWD/fired timeout -k 5 300 "$@" \
        >fail.out 2>fail.err || STATUS=$?
    [ -e fired ]
}

# told WHAT: a run that failed has said why.
told() {
    equal "$1: exit status ($(head -n 3 fail.err))" "$STATUS" 3
    grep -qi 'out of memory' fail.err || fail "$1: it did not say why: $(cat fail.err)"
}

# walk WHAT CHECK COMMAND...: CHECK is called after every run in which an allocation failed.
walk() {
    local what=$1 check=$2 k=1 runs=0
    shift 2
    while allocation_fails "$k" "$@"; do
        "$check" "$what, allocation $k"
        k=$((k + STEP)) runs=$((runs + 1))
    done
    equal "$what without a failure" "$STATUS" 0
    [ "$runs" -gt 0 ] || fail "$what: no allocation ever failed"
    echo "$what: $runs of about $k allocations failed"
}
