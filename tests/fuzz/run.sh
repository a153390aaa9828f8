#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs fuzz targets, JOBS (2) at a time: the corpus of tests/fuzz/corpus/NAME first, then
# FUZZ_SECONDS (20; 0 = until stopped) of new inputs, which stay in the build folder. A finding
# is kept there too, and its path shown. FUZZ_SEED (1) makes runs alike; 0 is a new one each time.
# Usage: run.sh BINARY...
. "$(dirname "$0")/../lib.sh"
fixed_addresses "$@"
cd "$ROOT" || exit 1

# one BINARY: exit status is the fuzzer's; leaves NAME.status
one() {
    local name status=0 work
    name=$(basename "$1" _fuzz)
    work=$BUILD/fuzz/work/$name
    if [ "${FUZZ_SEED:-1}" != 0 ]; then rm -rf "$work"; fi
    mkdir -p "$work/corpus" "$BUILD/fuzz/logs"
    set -- "$1" "$work/corpus"
    if [ -d "tests/fuzz/corpus/$name" ]; then set -- "$@" "tests/fuzz/corpus/$name"; fi
    "$@" -seed="${FUZZ_SEED:-1}" -max_total_time="${FUZZ_SECONDS:-20}" -timeout=60 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$work/" >"$BUILD/fuzz/logs/$name.log" 2>&1 || status=$?
    echo "$status" >"$work/status"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
fi

if [ $# -gt 0 ]; then
    printf '%s\0' "$@" | xargs -0 -P "${JOBS:-2}" -n 1 "$TESTS/fuzz/run.sh" --one
fi
for b in "$@"; do
    name=$(basename "$b" _fuzz)
    log=$BUILD/fuzz/logs/$name.log
    if [ "$(cat "$BUILD/fuzz/work/$name/status" 2>/dev/null)" = 0 ]; then
        ok "$name ($(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs)"
    else
        tail -n 100 "$log" | sed 's/^/    /'
        not_ok "$name" "$log"
    fi
done
closing
