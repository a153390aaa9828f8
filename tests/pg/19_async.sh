#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Without synchronous commit a server that crashes forgets commits it has told us of: whatever it
# forgot, in the middle of a segment or behind the last one, is loaded again, and nothing else.
. "$(dirname "$0")/lib.sh"
settings=(wal_writer_delay=10s wal_buffers=64MB bgwriter_delay=10s autovacuum=off)
pg_start "${settings[@]}"
new_db
shop_model >model.json
items 20000 >items.jsonl
export_ok items.jsonl "$URL" -m model.json --schema whole
pg_rows_of whole model.json >want.txt

# every commit of a segment waits for the lock of its number, 1, 2, ...
q "create function public.gate() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(77, least(new.commits, 9)::int); return new; end';
   create trigger gate before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.gate()" >/dev/null

# hold N...: closes these gates
hold() {
    rm -f hold
    mkfifo hold
    start holder psql -XqAt -d "$URL" -f hold
    exec 7>hold
    local n
    for n in "$@"; do echo "select pg_advisory_lock(77, $n);" >&7; done
    echo "select 'held';" >&7
    wait_until 'grep -q held "$SCRATCH/holder.log"'
}
open_gate() { echo "select pg_advisory_unlock(77, $1);" >&7; }
at_gate() { wait_until '[ "$(q "select count(*) from pg_locks where locktype = '"'advisory'"' and classid = 77 and objid = '"$1"' and not granted")" = 1 ]'; }
commits() { q "select sum(commits) from renorm.segment where run = (select max(run) from renorm.run)"; }
crash() {
    exec 7>&-
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
hold 2 3
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

# all of it is told of, and the list of steps is next: the server forgets the end of the load
q "create function public.late() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(77, 20); return new; end';
   create trigger late before insert on renorm.step for each statement
       execute function public.late()" >/dev/null
hold 20
start load "$RENORM" export items.jsonl "$URL" -m model.json --schema late "${how[@]}"
pid=$STARTED
at_gate 20
equal "all done" "$(q "select bool_and(done) from renorm.segment where run = (select max(run) from renorm.run)")" t
crash
equal "not all done" "$(q "select bool_and(done) from renorm.segment where run = (select max(run) from renorm.run)")" f
ends late
