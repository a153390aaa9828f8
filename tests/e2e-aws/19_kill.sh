#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SIGKILL in the middle of a scan, again and again, into a folder and into PostgreSQL. By the
# simulator's books a process that goes on reads no segment from its start that had a committed page,
# and nothing of one that was done; at the end the rows are exact.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/tools/pg.sh"
if [ -z "${PG_DIR:-}" ]; then pg_start; fi
url=$(pg_db "live_kill_$$")

table=(--generate 6000 --page-bytes 16384)
segments=12
kills=6
if [ "$SCALE" = small ]; then kills=3; fi
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}" --books books.tsv

# Each ledger tells of a segment by a line "SEGMENT done|on COMMITS": on = not done, with a page
# committed.
folder_ledger() {
    { cat out/.renorm/run-*/log-* 2>/dev/null || true; } | awk '
        { for (at = $0; match(at, /\{"s":[0-9]+,"e":[0-9]+,"d":(true|false),"r":"[^"]*"/); at = substr(at, RSTART + RLENGTH)) {
              mark = substr(at, RSTART, RLENGTH)
              split(mark, w, /[:,]/)
              commits[w[2]]++
              if (mark ~ /"d":true/) state[w[2]] = "done"
              else if (mark !~ /"r":""$/ && state[w[2]] != "done") state[w[2]] = "on"
        } }
        END { for (k in state) if (state[k]) print k, state[k], commits[k] }' | sort
}
pg_ledger() {
    if [ "$(pg_query "$url" "select to_regclass('renorm.segment') is null")" = t ]; then return 0; fi
    pg_query "$url" "select segment || case when done then ' done ' else ' on ' end || commits from renorm.segment join renorm.run using (run)
        where state = 'loading' and segment >= 0 and (done or length(resume) > 0)" | sort
}

# check_books LEDGER FROM WHAT [all]: what the requests behind line FROM of the books read, by that
# ledger; all: every segment is read to its end.
check_books() {
    sim_control flush >/dev/null
    tail -n +"$(($2 + 1))" books.tsv | awk -F '\t' -v ledger="$1" -v all="${4:-}" '
        BEGIN { while ((getline line < ledger) > 0) { split(line, w, " "); known[w[1]] = w[2] } }
        $2 != "Scan" { next }
        known[$3] == "done" { print "segment " $3 " was done and is read again"; bad = 1 }
        known[$3] == "on" && !($3 in begun) && $9 != "on" { print "segment " $3 " is read from its start again"; bad = 1 }
        known[$3] == "on" { begun[$3] }
        END { for (k in known) if (all && known[k] == "on" && !(k in begun)) { print "segment " k " is not read on"; bad = 1 }
              exit bad }' || fail "$3: $(cat "$1")"
}

# killed NAME LEDGER SINK ARGS...: kills the export whenever it has committed something new.
killed() {
    local name=$1 ledger=$2 pid marker=0 went_on=0 n
    shift 2
    $ledger >before.txt
    for n in $(seq "$kills"); do
        sim_control flush >/dev/null
        marker=$(wc -l <books.tsv)
        start "$name" "$BIN" export dynamodb:shop "$@" -m model.json --quiet --workers 2 --segments "$segments" --rcu 10 --commit-seconds 1
        pid=$STARTED
        wait_until "! cmp -s before.txt <($ledger) || ! kill -0 $pid 2>/dev/null" 300
        local alive=true
        kill -9 "$pid" 2>/dev/null || alive=false
        wait "$pid" 2>/dev/null || true
        check_books before.txt "$marker" "$name, life $n"
        $ledger >before.txt
        $alive || break # it came to its end first
        if grep -q on before.txt; then went_on=$((went_on + 1)); fi
    done
    [ "$went_on" -gt 0 ] || fail "$name: no segment was cut in the middle"
    sim_control flush >/dev/null
    marker=$(wc -l <books.tsv)
    "$BIN" export dynamodb:shop "$@" -m model.json --quiet --workers 2 --rcu 100000 --summary end.json
    check_books before.txt "$marker" "$name, last life" all
    equal "$name: items, over all lives" "$(jq -c '[.items.read, .items.routed]' end.json)" '[6000,6000]'
    "$BIN" verify dynamodb:shop "$@" -m model.json --rcu 100000 >verified.txt 2>&1 || fail "$name: $(cat verified.txt)"
    ! grep -q 'read again' verified.txt || fail "$name: $(cat verified.txt)"
}

killed folder folder_ledger out
same_rows "folder" out want.rows
killed database pg_ledger "$url"
equal "rows in the database" "$(pg_query "$url" 'select (select count(*) from shop.customer), (select count(*) from shop.orders)')" '600|5400'
equal "runs left" "$(pg_query "$url" "select count(*) from pg_namespace where nspname ~ '^renorm_run_'")" 0
