#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Without synchronous commit a server that crashes forgets commits it has told us of: whatever it
# forgot, in the middle of a segment or behind the last one, is loaded again, and nothing else.
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
settings=(wal_writer_delay=10s wal_buffers=64MB bgwriter_delay=10s autovacuum=off)
pg_start "${settings[@]}"
new_db
shop_model >model.json
items 20000 >items.jsonl
whole_load items.jsonl

# every commit of a segment waits for the lock of its number, 1, 2, ...
q "create function public.gate() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(77, least(new.commits, 9)::int); return new; end';
   create trigger gate before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.gate()" >/dev/null

# close_gates N...
close_gates() { hold "$(printf 'select pg_advisory_lock(77, %s); ' "$@")"; }
open_gate() { tell "select pg_advisory_unlock(77, $1)"; }
at_gate() { waits_at "$1" 1 77; }
commits() { q "select sum(commits) from renorm.segment where run = (select max(run) from renorm.run)"; }
crash() {
    let_go
    pg_stop QUIT
    pg_run "${settings[@]}"
}
# ends SCHEMA: the load ends well, or with trouble that the same command mends
ends() {
    local status=0
    if [ -n "$pid" ]; then wait "$pid" || status=$?; fi
    if [ "$status" != 0 ]; then
        cat "$SCRATCH/load.log"
        equal "$1: status" "$status" 3
        export_ok items.jsonl "$URL" -m model.json --schema "$1" "${how[@]}"
    fi
    diff want.txt <(pg_rows_of "$1" model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json --schema "$1" --quiet
}
how=(--commit-mb 1 -w 1 --synchronous-commit off)

# the first commit is safe, the second is told and forgotten, the third is under way
close_gates 2 3
start load "$RENORM" export items.jsonl "$URL" -m model.json --schema middle "${how[@]}"
pid=$STARTED
at_gate 2
q "create table public.flushed ()" >/dev/null
open_gate 2
at_gate 3
equal "told of" "$(commits)" 2
crash
equal "remembered" "$(commits)" 1
wait "$pid" || { cat load.log; fail "the reader did not go back"; }
pid=
ends middle

# the same of a live table, whose segments are read many at a time
sim_only
cat >live.json <<'M'
{ "renorm": 1, "name": "live", "source": { "key": ["PK", "SK"] },
  "entities": { "Thing": { "when": { "PK": "*" }, "table": "thing", "primary_key": ["pk", "sk"],
    "columns": { "pk": { "type": "text", "from": "PK" }, "sk": { "type": "text", "from": "SK" } } } } }
M
sim_start sim --credentials AKID:SECRET --generate 4000 --page-bytes 16384
export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL
live=(dynamodb:shop "$URL" -m live.json -w 1 --segments 6 --rcu 100000 --commit-seconds 1)
export_ok "${live[@]}" --schema live_whole
q "select md5(string_agg(t::text, ',' order by t::text)), count(*) from live_whole.thing t" >want_live.txt
close_gates 2 3
start load "$RENORM" export "${live[@]}" --schema live --rcu 150 --synchronous-commit off
pid=$STARTED
at_gate 2
q "create table public.flushed_live ()" >/dev/null
open_gate 2
at_gate 3
before=$(commits)
crash
equal "the server forgot" "$([ "$(commits)" -lt "$before" ] && echo yes)" yes
status=0
wait "$pid" || status=$?
if [ "$status" != 0 ]; then
    cat load.log
    equal "live: status" "$status" 3
    export_ok "${live[@]}" --schema live --synchronous-commit off
fi
equal "live: rows" "$(q "select md5(string_agg(t::text, ',' order by t::text)), count(*) from live.thing t")" "$(cat want_live.txt)"

# all of it is told of, and the list of steps is next: the server forgets the end of the load
q "create function public.late() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(77, 20); return new; end';
   create trigger late before insert on renorm.step for each statement
       execute function public.late()" >/dev/null
close_gates 20
start load "$RENORM" export items.jsonl "$URL" -m model.json --schema late "${how[@]}"
pid=$STARTED
at_gate 20
equal "all done" "$(q "select bool_and(done) from renorm.segment where run = (select max(run) from renorm.run)")" t
crash
equal "not all done" "$(q "select bool_and(done) from renorm.segment where run = (select max(run) from renorm.run)")" f
ends late
