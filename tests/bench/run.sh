#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Speed as ratios within one run; both sides in turn, the minimum of BENCH_RUNS (5). Machines are
# noisy: compare ratios, not seconds. Usage: run.sh BIN [cpu duckdb workers memory NAME...]; NAME
# stands for tests/bench/NAME.sh.
. "$(dirname "$0")/lib.sh"
shift
set -e
scratch
parts=("$@")
if [ "${#parts[@]}" = 0 ]; then
    parts=(cpu duckdb workers memory)
    for s in "$TESTS"/bench/*.sh; do
        case ${s##*/} in run.sh | lib.sh | instructions.sh) ;; *) parts+=("$(basename "$s" .sh)") ;; esac
    done
fi

export_gz() { timed "$BIN" export "$DATA/gz" "$SCRATCH/out" -m "$SHOP" --quiet "$@" && rm -rf "$SCRATCH/out.last" && mv "$SCRATCH/out" "$SCRATCH/out.last"; }

bench_cpu() {
    local ours="" floor=""
    shop_data
    export_gz --summary "$SCRATCH/s.json"
    zstdcat "$SCRATCH"/out.last/{customer,orders,order_line}/*.zst >"$SCRATCH/rows.jsonl"
    for _ in $(seq "$RUNS"); do
        timed "$OBJDIR/tests/bench/floor" "$SCRATCH/rows.jsonl" "$DATA"/gz/*.gz
        floor=$(min "$floor" "$CPU")
        export_gz
        ours=$(min "$ours" "$CPU")
    done
    echo "CPU seconds: export $ours, floor $floor"
    verdict "(a) CPU of the export / floor" "$(ratio "$ours" "$floor")" "<=" 1.5
    echo "bytes out: $(du -cb "$SCRATCH"/out.last/{customer,orders,order_line} | tail -n 1 | cut -f1)"
}

bench_duckdb() {
    local ours="" duck=""
    shop_data
    for _ in $(seq "$RUNS"); do
        rm -rf "$SCRATCH/duck" && mkdir "$SCRATCH/duck"
        NODE_PATH=$BUILD/node/node_modules timed node "$TESTS/bench/duckdb.js" "$SCRATCH/duck" "$DATA/gz/*.gz"
        duck=$(min "$duck" "$WALL")
        export_gz
        ours=$(min "$ours" "$WALL")
    done
    echo "wall seconds: export $ours, DuckDB $duck"
    verdict "(b) DuckDB / export, wall" "$(ratio "$duck" "$ours")" ">=" 5
}

bench_workers() {
    local one="" two="" idle=100
    shop_data
    for _ in $(seq "$RUNS"); do
        export_gz --workers 1
        one=$(min "$one" "$CPU")
        export_gz --workers 2 --summary "$SCRATCH/s.json"
        two=$(min "$two" "$CPU")
        idle=$(min "$idle" "$(jq .idle_percent "$SCRATCH/s.json")")
    done
    verdict "(c) CPU with 2 workers / with 1" "$(ratio "$two" "$one")" "<=" 1.1
    verdict "(c) idle share of the workers, percent" "$idle" "<=" 5
}

bench_memory() {
    local small big
    shop_data
    export_gz
    small=$RSS
    rm -rf "$SCRATCH/four" && mkdir "$SCRATCH/four"
    for i in 1 2 3 4; do for f in "$DATA"/gz/*.gz; do ln "$f" "$SCRATCH/four/$i-${f##*/}" 2>/dev/null || cp "$f" "$SCRATCH/four/$i-${f##*/}"; done; done
    timed "$BIN" export "$SCRATCH/four" "$SCRATCH/out" -m "$SHOP" --quiet
    rm -rf "$SCRATCH/out"
    big=$RSS
    echo "peak RSS in kB: $small with $ITEMS items, $big with four times as many"
    verdict "(d) peak RSS, four times the items / once" "$(ratio "$big" "$small")" "<=" 1.1
    verdict "(d) peak RSS in MB" "$((big / 1024))" "<=" 256
}

for part in "${parts[@]}"; do
    echo "== $part"
    case $part in
    cpu | duckdb | workers | memory) "bench_$part" ;;
    *) bash "$TESTS/bench/$part.sh" "$BIN" ;;
    esac
done
