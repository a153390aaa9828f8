#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The load into PostgreSQL beside the least it could cost: two parallel \copy of the same rows from
# ready-made binary files into the same empty tables, plus half the CPU time of inflating and
# parsing the input (both cores are full during the copy). A checkpoint before each side; no
# autovacuum, which would come upon one side or the other by chance.
# Usage: postgres.sh BIN
. "$(dirname "$0")/lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
set -e
scratch
shop_data
pg_start shared_buffers=512MB max_wal_size=16GB checkpoint_timeout=1h autovacuum=off
url=$(pg_db bench)

fresh() { url=$(pg_db bench) && pg_query "$url" checkpoint; }
load() { timed "$BIN" export "${1:-$DATA/gz}" "$url" -m "$SHOP" --quiet --no-constraints; }

fresh
load
first=$RSS
for t in customer orders order_line; do
    psql -Xq "$url" -c "\\copy shop.$t to '$SCRATCH/$t.bin' (format binary)"
done
pg_query "$url" "create schema floor; $(for t in customer orders order_line; do echo "create table floor.$t (like shop.$t);"; done)"
pg_dump -s -n floor "$url" >"$SCRATCH/floor.sql"

cat >"$SCRATCH/copy.sh" <<'SH'
psql -Xq "$1" -c "\\copy floor.order_line from '$2/order_line.bin' (format binary)" &
psql -Xq "$1" -c "\\copy floor.customer from '$2/customer.bin' (format binary)" -c "\\copy floor.orders from '$2/orders.bin' (format binary)"
wait
SH
: >"$SCRATCH/empty"
ours="" copy="" parse="" cpu="" lines=""
for _ in $(seq "$RUNS"); do
    fresh
    psql -Xq "$url" -f "$SCRATCH/floor.sql" >/dev/null
    timed bash "$SCRATCH/copy.sh" "$url" "$SCRATCH"
    copy=$(min "$copy" "$WALL")
    timed "$OBJDIR/tests/bench/floor" "$SCRATCH/empty" "$DATA"/gz/*.gz
    parse=$(min "$parse" "$CPU")
    fresh
    load
    ours=$(min "$ours" "$WALL")
    cpu=$(min "$cpu" "$CPU")
    timed "$BIN" export "$DATA/gz" "$SCRATCH/out" -m "$SHOP" --quiet --level 1
    rm -rf "$SCRATCH/out"
    lines=$(min "$lines" "$CPU")
done
floor=$(awk -v c="$copy" -v p="$parse" 'BEGIN { print c + p / 2 }')
echo "wall seconds: export $ours, \\copy $copy, floor $floor (parsing costs $parse CPU seconds)"
verdict "PostgreSQL load / floor" "$(ratio "$ours" "$floor")" "<=" 1.25
verdict "own CPU / JSON lines at level 1" "$(ratio "$cpu" "$lines")" "<=" 1.6

rm -rf "$SCRATCH/four" && mkdir "$SCRATCH/four"
for i in 1 2 3 4; do for f in "$DATA"/gz/*.gz; do cp "$f" "$SCRATCH/four/$i-${f##*/}"; done; done
fresh
load "$SCRATCH/four"
echo "peak RSS in kB: $first with $ITEMS items, $RSS with four times as many"
verdict "peak RSS, four times the items / once" "$(ratio "$RSS" "$first")" "<=" 1.1

# what people do today
fresh
psql -Xq "$url" -f "$SCRATCH/floor.sql" >/dev/null
mkdir "$SCRATCH/duck"
cat >"$SCRATCH/duck.sh" <<'SH'
set -e
node "$1/bench/duckdb.js" "$2/duck" "$3/gz/*.gz" csv
for t in customer orders order_line; do
    psql -Xq "$4" -c "\\copy floor.$t ($(head -n 1 "$2/duck/$t.csv")) from '$2/duck/$t.csv' (format csv, header)"
done
SH
NODE_PATH=$BUILD/node/node_modules timed bash "$SCRATCH/duck.sh" "$TESTS" "$SCRATCH" "$DATA" "$url"
verdict "DuckDB and \\copy / export, wall" "$(ratio "$WALL" "$ours")" ">=" 2
if /usr/bin/python3 -c 'import boto3' 2>/dev/null; then
    fresh
    psql -Xq "$url" -f "$SCRATCH/floor.sql" >/dev/null
    mkdir -p "$SCRATCH/none" "$SCRATCH/eighth" && cp "$DATA/gz/00.jsonl.gz" "$SCRATCH/eighth/"
    timed /usr/bin/python3 "$TESTS/bench/boto3_copy.py" "$url" "$SCRATCH/none"
    start=$WALL
    timed /usr/bin/python3 "$TESTS/bench/boto3_copy.py" "$url" "$SCRATCH/eighth"
    verdict "boto3 and COPY / export, wall (an eighth of the items, times 8)" \
        "$(awk -v a="$WALL" -v s="$start" -v b="$ours" 'BEGIN { printf "%.2f", ((a - s) * 8 + s) / b }')" ">=" 20
else
    echo "SKIPPED: /usr/bin/python3 has no module boto3, so there is no comparison with it (make deps installs it)"
fi
