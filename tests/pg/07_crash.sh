#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The server goes away in the middle of loads: a clean restart and a crash are sat out by the same
# process, and nothing is lost or doubled. An unlogged load begins anew after a crash.
. "$(dirname "$0")/lib.sh"
pg_start
new_db
if [ "$SCALE" = full ]; then n=60000; else n=8000; fi
shop_files $n 10
whole_load in
CRASHES=${CRASHES:-2}

# crashed_load SCHEMA ARGS...: the server is stopped CRASHES times while it runs.
crashed_load() {
    local schema=$1 pid i signal commits
    shift
    start load "$RENORM" export in "$URL" -m model.json --schema "$schema" --commit-mb 1 -w 2 "$@"
    pid=$STARTED
    for i in $(seq "$CRASHES"); do
        commits=$i
        wait_until '[ "$(q "select coalesce(sum(s.commits), 0) from renorm.run r join (select * from renorm.segment union all select * from renorm.segment_unlogged) s using (run) where r.target = '"'$schema'"'")" -ge '"$commits"' ] || ! kill -0 '"$pid"' 2>/dev/null'
        if [ $((i % 4)) != 2 ]; then signal=QUIT; else signal=INT; fi
        pg_stop $signal
        pg_run
    done
    local status=0
    wait "$pid" || status=$?
    # an unlogged load cannot go on with half of it gone, and says so
    if [ "$status" != 0 ]; then
        cat "$SCRATCH/load.log"
        [ "$status" = 3 ] || [ "$status" = 130 ] || fail "$schema: exit status $status"
        export_ok in "$URL" -m model.json --schema "$schema" --commit-mb 1 -w 2 "$@"
    fi
    pg_rows_of "$schema" model.json >got.txt
    diff want.txt got.txt >diff.txt || { head diff.txt; fail "$schema: rows differ"; }
    equal "$schema: published once" "$(q "select count(*) from renorm.run where target = '$schema' and state = 'published'")" 1
}

crashed_load replaced
crashed_load added --mode append
crashed_load merged --mode merge
items 300 | sed -e 's/CUSTOMER#/CUSTOMER#other-/' -e 's/ORDER#/ORDER#other-/' >other.jsonl
export_ok other.jsonl "$URL" -m model.json --schema pruned
q "delete from renorm.run where target = 'pruned'" >/dev/null
crashed_load pruned --mode merge --delete-missing --allow shrink
crashed_load quick --unlogged
crashed_load careless --synchronous-commit off

# a backend that is cancelled or ended is no reason to stop
start load "$RENORM" export in "$URL" -m model.json --schema cut -w 2 --commit-mb 1
pid=$STARTED
for what in pg_cancel_backend pg_terminate_backend; do
    wait_until '[ "$(q "select count('$what'(pid)) from pg_stat_activity where application_name like '"'renorm run % worker %'"'")" != 0 ] || ! kill -0 '"$pid"' 2>/dev/null'
done
wait "$pid" || { cat "$SCRATCH/load.log"; fail "a lost backend stopped the load"; }
diff want.txt <(pg_rows_of cut model.json) >diff.txt || { head diff.txt; fail "rows differ"; }
