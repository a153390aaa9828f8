#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Command line cases: each tests/cli/NAME.sh runs in an empty folder with `renorm` in its PATH and
# $TESTS naming the tests folder; its output, error output and exit status must be those in
# NAME.out, NAME.err, NAME.exit (absent: empty, empty, 0). The folder's own path reads $SCRATCH.
# Usage: run.sh BIN [--update] [NAME...]
. "$(dirname "$0")/../lib.sh"
scratch

bin=$1 update=""
shift
[[ $bin = /* ]] || bin=$ROOT/$bin
if [ "${1:-}" = --update ]; then update=1 && shift; fi
mkdir -p "$SCRATCH/bin" "$LOGS/cli"
ln -s "$bin" "$SCRATCH/bin/renorm"

# settle EXPECTED GOT: compares, or rewrites what is expected.
settle() {
    if [ -n "$update" ]; then
        if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
    elif [ -f "$1" ]; then
        diff -u --label "${1#"$ROOT"/}" --label got "$1" "$2"
    else
        diff -u --label "${1#"$ROOT"/} (absent: empty)" --label got /dev/null "$2"
    fi
}

case_() {
    local name=$1 base=$TESTS/cli/$1 got=$SCRATCH/got dir=$SCRATCH/work status=0 s bad=0
    rm -rf "$dir" "$got"
    mkdir -p "$dir" "$got"
    (
        cd "$dir" && exec env -i PATH="$SCRATCH/bin:$PATH" HOME="$dir" TMPDIR="$dir" LC_ALL=C TZ=UTC \
            TESTS="$TESTS" OBJDIR="$OBJDIR" ASAN_OPTIONS="$ASAN_OPTIONS" LSAN_OPTIONS="$LSAN_OPTIONS" \
            UBSAN_OPTIONS="$UBSAN_OPTIONS" TSAN_OPTIONS="$TSAN_OPTIONS" \
            timeout -k 10 900 bash "$base.sh"
    ) >"$got/out" 2>"$got/err" </dev/null || status=$?
    sed -i "s|$dir|\$SCRATCH|g; s|$TESTS|\$TESTS|g" "$got/out" "$got/err"
    if [ "$status" = 0 ]; then : >"$got/exit"; else echo "$status" >"$got/exit"; fi
    for s in out err exit; do settle "$base.$s" "$got/$s" || bad=1; done >"$LOGS/cli/$name.log"
    if [ "$bad" = 0 ]; then
        ok "$name"
    else
        sed 's/^/    /' "$LOGS/cli/$name.log"
        not_ok "$name" "$LOGS/cli/$name.log"
    fi
}

for f in "$TESTS"/cli/*.sh; do
    name=$(basename "$f" .sh)
    if [ "$name" = run ]; then continue; fi
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    case_ "$name"
done
closing
