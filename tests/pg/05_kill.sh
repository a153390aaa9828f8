#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# SIGKILL at random moments of a load, in each mode and into tables that hold rows already, then the
# same command again: no row is missing, none is there twice. KILLS says how often (3; make torture: 20).
. "$(dirname "$0")/lib.sh"
new_db
if [ "$SCALE" = full ]; then n=30000; else n=6000; fi
shop_files $n 12
whole_load in
KILLS=${KILLS:-3}
# what is there before: older rows under the keys that come, and rows that nobody brings
items 300 | sed -e 's/"name [0-9]*"/"old"/' -e 's/"N":"[0-9]*\.[0-9]*"/"N":"5"/' >old.jsonl
items 300 | sed -e 's/CUSTOMER#/CUSTOMER#other-/' -e 's/ORDER#/ORDER#other-/' >other.jsonl
export_ok other.jsonl "$URL" -m model.json --schema others
{ cat want.txt && pg_rows_of others model.json; } | sort >both.txt
cat old.jsonl other.jsonl >before.jsonl

published() { [ "$(q "select count(*) from renorm.run where target = '$1' and state = 'published' and source_text !~ 'jsonl'")" != 0 ]; }

# check SCHEMA WANT [verify]
check() {
    diff "$2" <(pg_rows_of "$1" model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    if [ "${3:-}" = verify ]; then expect_exit 0 "$RENORM" verify in "$URL" -m model.json --schema "$1" >verified.txt; fi
    published "$1" || fail "$1: not published"
    equal "$1: nothing left over" "$(q "select count(*) from pg_namespace where nspname ~ '^renorm_run_'")" 0
}

# killed_load NAME BEFORE WANT VERIFY ARGS...: kills the load KILLS times, then lets it end. BEFORE
# is what the tables hold already; a load that had ended before its kill is looked at, and another
# schema is begun.
killed_load() {
    local name=$1 before=$2 want=$3 verify=$4 began us kills=0 pid schema=$1_0
    shift 4
    # how long it takes when left alone
    [ "$before" = none ] || export_ok "$before" "$URL" -m model.json --schema "$schema"
    began=$(date +%s%N)
    export_ok in "$URL" -m model.json --schema "$schema" --commit-mb 1 -w 3 "$@"
    us=$((($(date +%s%N) - began) / 1000))
    check "$schema" "$want" "$verify"
    while [ $kills -lt "$KILLS" ]; do
        if published "$schema"; then
            check "$schema" "$want" "$verify"
            q "set client_min_messages = error; drop schema if exists $schema cascade" >/dev/null
            schema=${name}_$((kills + 1))
            [ "$before" = none ] || export_ok "$before" "$URL" -m model.json --schema "$schema"
        fi
        start load "$RENORM" export in "$URL" -m model.json --schema "$schema" --commit-mb 1 -w 3 "$@"
        pid=$STARTED
        sleep "$(awk -v us=$us -v r=$RANDOM 'BEGIN { printf "%.3f", us / 1e6 * r / 32768 }')"
        stop "$pid" KILL || true
        kills=$((kills + 1))
    done
    # at the worst the server is still at the last COMMIT of what was killed: doing it again is safe
    published "$schema" || "$RENORM" export in "$URL" -m model.json --schema "$schema" --commit-mb 1 -w 3 "$@" >out.txt 2>&1 ||
        { cat out.txt; fail "$schema: not resumed"; }
    check "$schema" "$want" "$verify"
    echo "$name: $kills kills"
}

killed_load replaced before.jsonl want.txt verify
killed_load added other.jsonl both.txt no --mode append
killed_load merged before.jsonl both.txt no --mode merge
killed_load pruned before.jsonl want.txt verify --mode merge --delete-missing
killed_load bare none want.txt verify --no-constraints
killed_load quick none want.txt verify --unlogged --synchronous-commit off
