#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# SIGKILL at random moments of a load, in each mode, then the same command again: no row is
# missing, none is there twice. KILLS says how often (3; make torture: 20).
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
if [ "$SCALE" = full ]; then n=30000; else n=6000; fi
mkdir in
items $n | split -l $((n / 12)) - in/part- --additional-suffix=.jsonl
export_ok in "$URL" -m model.json --schema whole
pg_rows_of whole model.json >want.txt
KILLS=${KILLS:-3}

# killed_load SCHEMA MODEL ARGS...: kills the load KILLS times, then lets it end.
killed_load() {
    local schema=$1 model=$2 began us kills=0 pid
    shift 2
    # how long it takes when left alone
    began=$(date +%s%N)
    export_ok in "$URL" -m "$model" --schema "t_$schema" --commit-mb 1 -w 3 "$@"
    us=$((($(date +%s%N) - began) / 1000))
    while [ $kills -lt "$KILLS" ]; do
        start load "$RENORM" export in "$URL" -m "$model" --schema "$schema" --commit-mb 1 -w 3 "$@"
        pid=$STARTED
        sleep "$(awk -v us=$us -v r=$RANDOM 'BEGIN { printf "%.3f", us / 1e6 * r / 32768 }')"
        stop "$pid" KILL || true
        kills=$((kills + 1))
        # a load that had ended before the kill is whole: the next one begins anew
        if [ "$schema" != replaced ] && [ "$(q "select count(*) from renorm.run where target = '$schema' and state = 'published'")" = 1 ]; then break; fi
    done
    if [ "$(q "select count(*) from renorm.run where target = '$schema' and state = 'loading'")" = 1 ] ||
        [ "$(q "select count(*) from renorm.run where target = '$schema'")" = 0 ]; then
        export_ok in "$URL" -m "$model" --schema "$schema" --commit-mb 1 -w 3 "$@"
    fi
    equal "$schema: nothing left over" "$(q "select count(*) from pg_namespace where nspname ~ '^renorm_run_'")" 0
}

killed_load replaced model.json
diff want.txt <(pg_rows_of replaced model.json) >diff.txt || { head diff.txt; fail "replace: rows differ"; }
killed_load added model.json --mode append
diff want.txt <(pg_rows_of added model.json) >diff.txt || { head diff.txt; fail "append: rows differ"; }
killed_load merged model.json --mode merge
diff want.txt <(pg_rows_of merged model.json) >diff.txt || { head diff.txt; fail "merge: rows differ"; }
killed_load bare model.json --no-constraints
diff want.txt <(pg_rows_of bare model.json) >diff.txt || { head diff.txt; fail "without keys: rows differ"; }
killed_load quick model.json --unlogged --synchronous-commit off
diff want.txt <(pg_rows_of quick model.json) >diff.txt || { head diff.txt; fail "unlogged: rows differ"; }
