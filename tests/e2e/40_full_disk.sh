#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A full disk gives a clear error and exit status 3; with room again the run is completed.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 40000 >items.jsonl
"$BIN" export items.jsonl whole -m "$SHOP" --quiet

in_tmpfs() {
    mkdir -p disk
    mount -t tmpfs -o size=1500k tmpfs disk || return 78
    status=0
    "$BIN" export items.jsonl disk/out -m "$SHOP" --commit-mb 1 --part-mb 1 --quiet 2>full.err || status=$?
    echo "status $status" && cat full.err
    [ "$status" = 3 ] || return 1
    grep -qi 'no space left' full.err || return 1
    mount -o remount,size=200m disk || return 1
    "$BIN" export items.jsonl disk/out -m "$SHOP" --quiet --summary done.json || return 1
    cmp <(rows whole) <(rows disk/out) || return 1
    umount disk
}
if [ "${INSIDE:-}" != 1 ] && unshare -m true 2>/dev/null; then
    INSIDE=1 SCRATCH=$SCRATCH unshare -m bash "$TESTS/e2e/40_full_disk.sh" "$BIN"
    exit
fi
got=0
in_tmpfs || got=$?
if [ "$got" = 78 ]; then
    # no mount allowed here: a limit on the size of files fails the writes in the same place
    status=0
    (trap '' XFSZ && ulimit -f 600 && exec "$BIN" export items.jsonl out -m "$SHOP" --quiet) 2>full.err || status=$?
    equal "exit status" "$status" 3
    grep -qi 'too large' full.err
    "$BIN" export items.jsonl out -m "$SHOP" --quiet
    cmp <(rows whole) <(rows out)
else
    equal "a full disk" "$got" 0
fi
