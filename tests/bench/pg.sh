#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Loading PostgreSQL: renorm (no constraints, fresh tables) against a floor: two psql side by side
# that copy the very same rows from ready-made binary files into the same empty tables, plus half
# the CPU time of inflating and parsing the input (both cores are full during the copy).
. "$(dirname "$0")/lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
set -e
scratch
shop_data
pg_start fsync=on full_page_writes=on shared_buffers=256MB max_wal_size=8GB checkpoint_timeout=1h
URL=$(pg_db bench)
tables=(customer orders order_line)

fresh() { pg_query "$URL" "set client_min_messages = error; drop schema if exists shop cascade; drop schema if exists renorm cascade" && pg_query "$URL" checkpoint; }
load() { timed "$BIN" export "$DATA/gz" "$URL" -m "$SHOP" --schema shop --no-constraints --workers 2 --quiet; }

# ready-made files: each table in two halves
fresh
load
"$BIN" check "$SHOP" --ddl --no-constraints --schema shop | grep -v '^ANALYZE' >"$SCRATCH/ddl.sql"
rows=0
for t in "${tables[@]}"; do
    rows=$((rows + $(pg_query "$URL" "select count(*) from shop.$t")))
    for half in 0 1; do
        psql -XqAt -d "$URL" -c "\\copy (select t.* from shop.$t t where (t.ctid::text::point)[0]::bigint % 2 = $half) to '$SCRATCH/$t.$half' (format binary)"
    done
done
for half in 0 1; do
    for t in "${tables[@]}"; do echo "\\copy shop.$t from '$SCRATCH/$t.$half' (format binary)"; done >"$SCRATCH/half$half.sql"
done
cat >"$SCRATCH/both.sh" <<SH
psql -Xq -d "$URL" -f "$SCRATCH/half0.sql" &
psql -Xq -d "$URL" -f "$SCRATCH/half1.sql" && wait
SH

: >"$SCRATCH/nothing"
ours="" copy="" parse="" cpu="" lines="" rss=0
for _ in $(seq "$RUNS"); do
    timed "$OBJDIR/tests/bench/floor" "$SCRATCH/nothing" "$DATA"/gz/*.gz
    parse=$(min "$parse" "$CPU")
    fresh
    psql -Xq -d "$URL" -f "$SCRATCH/ddl.sql"
    pg_query "$URL" checkpoint
    timed bash "$SCRATCH/both.sh"
    copy=$(min "$copy" "$WALL")
    fresh
    load
    ours=$(min "$ours" "$WALL")
    cpu=$(min "$cpu" "$CPU")
    if [ "$RSS" -gt "$rss" ]; then rss=$RSS; fi
    timed "$BIN" export "$DATA/gz" "$SCRATCH/out" -m "$SHOP" --level 1 --workers 2 --quiet
    lines=$(min "$lines" "$CPU")
    rm -rf "$SCRATCH/out"
done
floor=$(awk -v c="$copy" -v p="$parse" 'BEGIN { print c + p / 2 }')
echo "$rows rows; wall seconds: renorm $ours, two psql $copy, floor $floor; CPU seconds: renorm $cpu, JSON lines $lines"
verdict "(e) load into PostgreSQL / floor, wall" "$(ratio "$ours" "$floor")" "<=" 1.25
verdict "(e) CPU of the load / of JSON lines at level 1" "$(ratio "$cpu" "$lines")" "<=" 1.6
verdict "(e) peak RSS in MB" "$((rss / 1024))" "<=" 256
