#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# A live table into PostgreSQL: killed again and again it goes on from the ledger, in each mode; a
# scan that was begun too long ago is refused.
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
new_db
sim_only
jq 'del(.entities.Item, .entities.Order.references)' "$TESTS/sim/shop.json" >model.json
n=4000 kills=4
if [ "$SCALE" = small ]; then n=1500 kills=2; fi
table=(--generate "$n" --page-bytes 16384)
"$OBJDIR/tests/sim/sim" "${table[@]}" --dump items.jsonl
export_ok items.jsonl folder -m model.json
folder_rows folder >want.txt
sim_start sim --credentials AKID:SECRET "${table[@]}"
export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL
go=(dynamodb:shop "$URL" -m model.json -w 2 --segments 12 --rcu 100000)
same() {
    pg_rows_of "$1" model.json >got.txt
    diff want.txt got.txt >diff.txt || { head diff.txt; fail "$1: rows differ"; }
}

export_ok "${go[@]}" --schema plain
same plain

# a run under way, seen from another process: the figures move; when it is killed nobody is at work
seen() { "$RENORM" status "$URL" --json >now.json 2>/dev/null && psql -XqAt -d "$URL" -v doc="$(cat now.json)" <<<"select $1 from (select (:'doc')::jsonb->'runs'->0 as d) x where d->>'target' = 'moving'"; }
read_so_far='coalesce((d->$$items$$->>$$read$$)::bigint, 0)'
start under_way "$RENORM" export "${go[@]}" --schema moving --rcu 20 --commit-seconds 1
pid=$STARTED
wait_until "[ \"\$(seen '$read_so_far > 0')\" = t ]"
equal "state" "$(seen "d->>'state', jsonb_array_length(d->'processes'), d->'processes'->0->>'pid'")" "loading|1|$pid"
equal "rates" "$(seen "(d->>'items_per_second')::numeric > 0, (d->>'rows_per_second')::numeric > 0")" "t|t"
first=$(seen "$read_so_far")
wait_until "[ \"\$(seen '$read_so_far > $first')\" = t ]"
"$RENORM" status "$URL" >status.txt
grep -qE "^  at work: .*, pid $pid, " status.txt || fail "$(cat status.txt)"
grep -qE '^  rows a second +[1-9]' status.txt || fail "$(cat status.txt)"
stop "$pid" KILL || true
wait_until '[ "$(seen "jsonb_array_length(d->'"'processes'"')")" = 0 ]'
"$RENORM" status "$URL" >status.txt
if grep -q "at work:" status.txt; then fail "a dead process is at work"; fi
grep -q "nobody is at work on it" status.txt || fail "$(cat status.txt)"
export_ok "${go[@]}" --schema moving
same moving

# killed when so many pages more have been read
for mode in replace append merge; do
    for _ in $(seq "$kills"); do
        target=$(($(sim_stat scans) + 10))
        start killed "$RENORM" export "${go[@]}" --schema "k_$mode" --mode $mode --rcu 150 --commit-seconds 1
        pid=$STARTED
        wait_until "[ \$(sim_stat scans) -ge $target ] || ! kill -0 $pid 2>/dev/null"
        stop "$pid" KILL || true
    done
    export_ok "${go[@]}" --schema "k_$mode" --mode $mode --summary end.json
    same "k_$mode"
    equal "$mode: items, over all processes" "$(jq -c '[.items.read, .items.routed]' end.json)" "[$n,$n]"
done

# too old to go on with: the table is scanned anew, and that is told; --max-age allows more
halt() { sim_control faults '{"operation":"Scan","nth":10,"action":"access-denied"}' >/dev/null; }
for schema in old older; do
    halt
    export_exit 4 "${go[@]}" --schema $schema --now 2026-01-01T00:00:00Z
    equal "nothing published" "$(q "select to_regclass('$schema.orders') is null")" t
done
export_ok "${go[@]}" --schema old
said 'it is too old to go on with, the live table is scanned anew'
same old
expect_exit 0 "$RENORM" verify dynamodb:shop "$URL" -m model.json --schema old
export_ok "${go[@]}" --schema older --max-age 1000000
if grep -q 'too old' "$SCRATCH/out.txt" "$SCRATCH/err.txt"; then fail "scanned anew: $(cat "$SCRATCH/out.txt")"; fi
same older

# an append is not repeated by whoever did not hear of it, but last night's is not tonight's
count() { q "select count(*) from nightly.orders"; }
ago() { q "update renorm.appended set finished = now() - interval '$1' where target = 'nightly'" >/dev/null; }
nightly=("${go[@]}" --schema nightly --mode append --no-constraints)
export_ok "${nightly[@]}"
orders=$(count)
ago '11 hours'
for _ in 1 2; do
    export_ok "${nightly[@]}"
    said "nothing was added again"
    equal "the same load" "$(count)" "$orders"
done
export_ok "${nightly[@]}" --again
equal "again: a new load" "$(count)" $((2 * orders))
ago '13 hours'
export_ok "${nightly[@]}"
equal "too long ago: a new load" "$(count)" $((3 * orders))
