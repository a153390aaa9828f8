#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The whole load into PostgreSQL, keys, references and statistics included, beside a script that
# somebody wrote by hand for these very tables: two connections, binary COPY of ready-made rows, keys
# while the others are still copied, references validated side by side. To its time half the CPU time
# of inflating and parsing the input is added, as in postgres.sh, which the script is spared.
# Usage: postgres_whole.sh BIN
. "$(dirname "$0")/lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
set -e
scratch
shop_data
pg_start shared_buffers=512MB max_wal_size=16GB checkpoint_timeout=1h autovacuum=off
url=$(pg_db bench)

# CPU seconds of the server's processes that have ended
server() { sleep 0.5; awk '{ print ($16 + $17) / 100 }' "/proc/$PG_PID/stat"; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { print b - a }'; }

fresh() { url=$(pg_db bench) && pg_query "$url" checkpoint; }
load() { timed "$BIN" export "$DATA/gz" "$url" -m "$SHOP" --quiet "$@"; }

fresh
load
for t in customer orders order_line; do
    psql -Xq "$url" -c "\\copy shop.$t to '$SCRATCH/$t.bin' (format binary)"
done
pg_query "$url" "create schema floor; $(for t in customer orders order_line; do echo "create table floor.$t (like shop.$t);"; done)"
pg_dump -s -n floor "$url" >"$SCRATCH/floor.sql"
"$BIN" check "$SHOP" --ddl | sed -n '/^-- after the load/,$p' | sed 's/"shop"\./"floor"./g' >"$SCRATCH/ddl.sql"
pick() { sed -n "/$1/p" "$SCRATCH/ddl.sql"; }
pick 'order_line.*PRIMARY KEY' >"$SCRATCH/keys1.sql"
{ pick '"customer".*PRIMARY KEY' && pick '"orders".*PRIMARY KEY' && pick 'CREATE INDEX'; } >"$SCRATCH/keys2.sql"
pick 'NOT VALID' >"$SCRATCH/refer.sql"
{ pick '"order_line" VALIDATE' && pick 'ANALYZE.*order_line'; } >"$SCRATCH/refs1.sql"
{ pick '"orders" VALIDATE' && pick 'ANALYZE.*customer' && pick 'ANALYZE.*orders'; } >"$SCRATCH/refs2.sql"
[ "$(cat "$SCRATCH"/keys?.sql "$SCRATCH/refer.sql" "$SCRATCH"/refs?.sql | wc -l)" = "$(grep -c . "$SCRATCH/ddl.sql" | awk '{ print $1 - 1 }')" ] ||
    fail "the script by hand leaves something out"

cat >"$SCRATCH/hand.sh" <<'SH'
set -e
cd "$2"
psql -Xq "$1" -c "\\copy floor.order_line from 'order_line.bin' (format binary)" -f keys1.sql &
psql -Xq "$1" -c "\\copy floor.customer from 'customer.bin' (format binary)" \
    -c "\\copy floor.orders from 'orders.bin' (format binary)" -f keys2.sql
wait
psql -Xq "$1" -f refer.sql
psql -Xq "$1" -f refs1.sql &
psql -Xq "$1" -f refs2.sql
wait
SH
: >"$SCRATCH/empty"
ours="" hand="" parse="" hand_cpu="" ours_cpu="" own=""
for _ in $(seq "$RUNS"); do
    fresh
    psql -Xq "$url" -f "$SCRATCH/floor.sql" >/dev/null
    before=$(server)
    timed bash "$SCRATCH/hand.sh" "$url" "$SCRATCH"
    hand=$(min "$hand" "$WALL")
    hand_cpu=$(min "$hand_cpu" "$(less "$before" "$(server)")")
    timed "$OBJDIR/tests/bench/floor" "$SCRATCH/empty" "$DATA"/gz/*.gz
    parse=$(min "$parse" "$CPU")
    fresh
    before=$(server)
    load -w 2
    ours=$(min "$ours" "$WALL")
    own=$(min "$own" "$CPU")
    ours_cpu=$(min "$ours_cpu" "$(less "$before" "$(server)")")
done
floor=$(awk -v c="$hand" -v p="$parse" 'BEGIN { print c + p / 2 }')
echo "wall seconds: export $ours, by hand $hand, with parsing $floor"
echo "CPU seconds of the server: export $ours_cpu, by hand $hand_cpu; of renorm itself $own"
echo "where the last of them went (seconds; steps run side by side):"
pg_query "$url" "select format('  %s  %s', to_char(extract(epoch from min(t)), '990.00'), n) from (
    select max(changed) - (select started from renorm.run) as t, 'reading and copying, then' as n from renorm.segment
    union all select finished - started, name from renorm.step where finished - started > interval '0.05 s') as x
    group by n order by min(t) desc"
pg_query "$url" "select format('  %s  all steps', to_char(extract(epoch from max(finished) - min(started)), '990.00')) from renorm.step"
verdict "whole PostgreSQL load / by hand on two connections" "$(ratio "$ours" "$floor")" "<=" 1.25
verdict "the same, parsing not counted" "$(ratio "$ours" "$hand")" "<=" 1.25
