# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
# What benchmarks share: data made once, sides measured in turn, minima, ratios.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
BIN=$1
[[ $BIN = /* ]] || BIN=$ROOT/$BIN
RUNS=${BENCH_RUNS:-5}
ITEMS=${BENCH_ITEMS:-1000000}
DATA=$BUILD/bench/$ITEMS
GEN=$OBJDIR/tests/tools/gen
SHOP=$TESTS/data/shop.json
mkdir -p "$BUILD/bench"

# shop_data: $DATA/items.jsonl and $DATA/gz/N.jsonl.gz, eight of them.
shop_data() {
    [ -e "$DATA/done" ] && return 0
    rm -rf "$DATA" && mkdir -p "$DATA/gz"
    "$GEN" "$ITEMS" >"$DATA/items.jsonl"
    split -n l/8 -d --additional-suffix=.jsonl "$DATA/items.jsonl" "$DATA/gz/"
    gzip -1 "$DATA"/gz/*.jsonl
    touch "$DATA/done"
}

# timed COMMAND...: sets WALL, USER, SYS, CPU (seconds) and RSS (kB) of it.
timed() {
    local log
    log=$(mktemp)
    if ! /usr/bin/time -o "$log" -f '%e %U %S %M' "$@" >"$log.out" 2>&1; then
        cat "$log.out" >&2
        fail "$*"
    fi
    # shellcheck disable=SC2034
    read -r WALL USER SYS RSS < <(tail -n 1 "$log")
    CPU=$(awk -v u="$USER" -v s="$SYS" 'BEGIN { print u + s }')
    rm -f "$log" "$log.out"
}

min() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b < a) ? b : a }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# verdict NAME VALUE OPERATOR LIMIT: prints the line; a limit that is missed is said, not hidden.
verdict() {
    awk -v n="$1" -v v="$2" -v o="$3" -v l="$4" 'BEGIN {
        met = o == "<=" ? v <= l : v >= l
        printf "%-60s %8s  (%s %s: %s)\n", n, v, o, l, met ? "met" : "MISSED" }'
}
