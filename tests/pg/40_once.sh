#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Rows without keys are appended once, whoever did it and whoever has heard of it: the same files again
# add nothing, and say so. --again is how to have them twice.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "plain", "source": { "key": ["PK"] },
  "entities": { "Thing": { "when": { "PK": "*" }, "table": "thing", "columns": { "pk": { "type": "text", "from": "PK" } } } } }
M
mkdir in
for i in 1 2 3 4; do seq -f '{"PK":{"S":"'$i'.%g"}}' 25 >in/$i.jsonl; done
echo '{"PK":{"S":"first"}}' >first.jsonl
count() { q "select count(*) from $1.thing"; }
export_ok first.jsonl "$URL" -m model.json --schema other
wait_function
q "create trigger at_marks before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.wait_row()" >/dev/null
load=(export in "$URL" -m model.json --mode append -w 1 --lease-seconds 3)

# the first loader is paused in its commit, a second one finishes, the first is woken
hold "select pg_advisory_lock(4242)"
start first "$RENORM" "${load[@]}" --schema paused
first=$STARTED
waits_at 4242
kill -s STOP "$first"
tell "select pg_advisory_unlock(4242)"
let_go
wait_until '"$RENORM" "${load[@]}" --schema paused >out.txt 2>err.txt'
equal "the second has finished" "$(count paused)" 100
kill -s CONT "$first"
status=0
wait "$first" || status=$?
equal "the first lost its segments" "$status" 3
for i in 1 2 3; do
    export_ok "${load[@]:1}" --schema paused
    said "nothing was added again"
    equal "paused, run again: $i" "$(count paused)" 100
done

# survivors HOW SCHEMA N: one loader has every segment when N others join it; then it is killed or
# paused, and the others go on instead of waiting for each other.
survivors() {
    local how=$1 schema=$2 n=$3 pids=() i first status
    hold "select pg_advisory_lock(4242)"
    start "$schema" "$RENORM" "${load[@]}" --join --schema "$schema"
    first=$STARTED
    waits_at 4242
    for i in $(seq "$n"); do
        start "$schema$i" "$RENORM" "${load[@]}" --join --schema "$schema"
        pids+=("$STARTED")
    done
    wait_until '[ "$(q "select count(*) from renorm.live p join renorm.run r using (run) where r.target = '"'$schema'"'")" = '$((n + 1))' ]'
    # and have seen that nothing is left for them
    wait_until '[ "$(q "select count(*) from pg_stat_activity where datname = current_database() and query ~ '"'s.owner IS NULL OR'"' and pid <> pg_backend_pid()")" = '"$n"' ]'
    if [ "$how" = KILL ]; then stop "$first" KILL || true; else kill -s "$how" "$first"; fi
    tell "select pg_advisory_unlock(4242)"
    let_go
    for i in $(seq "$n"); do
        status=0
        wait_until "! kill -0 ${pids[$((i - 1))]} 2>/dev/null"
        wait "${pids[$((i - 1))]}" || status=$?
        [ "$status" = 0 ] || { cat "$SCRATCH/$schema$i.log"; fail "$schema: survivor $i of $n ended with $status"; }
    done
    equal "$schema: rows" "$(count "$schema")" 100
    if [ "$how" = STOP ]; then
        kill -s CONT "$first"
        wait "$first" || true
    fi
    for i in 1 2; do
        export_ok "${load[@]:1}" --join --schema "$schema"
        said "nothing was added again"
        equal "$schema: the first command again" "$(count "$schema")" 100
    done
}
q "drop trigger at_marks on renorm.segment" >/dev/null
copy_waits thing
survivors KILL killed 2
survivors KILL alone 1
survivors STOP stopped 2
q "drop event trigger at_copy" >/dev/null

# one that slept behind a COMMIT finds that the others have come to the end without it
mkdir many
for i in 1 2; do seq -f '{"PK":{"S":"'$i'.%g"}}' 40000 >many/$i.jsonl; done
q "create constraint trigger at_commit after update on renorm.segment deferrable initially deferred
       for each row when (new.commits > old.commits) execute function public.wait_row()" >/dev/null
load[1]=many
hold "select pg_advisory_lock(4242)"
start slept "$RENORM" "${load[@]}" --schema slept --commit-mb 1
waits_at 4242
kill -s STOP "$STARTED"
tell "select pg_advisory_unlock(4242)"
let_go
q "drop trigger at_commit on renorm.segment" >/dev/null
wait_until '"$RENORM" "${load[@]}" --schema slept >out.txt 2>err.txt'
kill -s CONT "$STARTED"
status=0
wait "$STARTED" || status=$?
[ "$status" = 3 ] || { cat slept.log; fail "slept: status $status, not 3"; }
grep -q "has ended without this process" slept.log || { cat slept.log; fail "slept: not told"; }
equal "slept" "$(count slept)" 80000
load[1]=in

# it is remembered for as long as the tables stand, though the run itself has left the ledger
for i in 1 2 3; do export_ok first.jsonl "$URL" -m model.json --mode append --schema paused --keep-runs 1 --again; done
equal "on request" "$(count paused)" 103
equal "runs that are left" "$(q "select count(*) from renorm.run where target = 'paused'")" 1
export_ok "${load[@]:1}" --schema paused
said "nothing was added again"
equal "the run has left the ledger" "$(count paused)" 103
export_ok "${load[@]:1}" --schema paused --restart
equal "no unfinished run: nothing to abandon" "$(count paused)" 103
q "insert into renorm.run (target, mode, model_hash, source_identity, source_text, options, version, now_us, segments, unlogged, counters)
       select target, mode, 'other', 'other', 'other', options, version, now_us, segments, unlogged, counters from renorm.run where target = 'paused'" >/dev/null
export_ok "${load[@]:1}" --schema paused --restart
said "nothing was added again"
equal "another one was abandoned" "$(count paused)" 103
export_ok "${load[@]:1}" --schema paused --again
equal "again" "$(count paused)" 203
# another content is another source; so is another place
echo '{"PK":{"S":"new"}}' >>in/4.jsonl
export_ok "${load[@]:1}" --schema paused
equal "changed files" "$(count paused)" 304

# what was replaced or dropped since is not there any more
export_ok first.jsonl "$URL" -m model.json --schema paused --keep-old --allow shrink
export_ok "${load[@]:1}" --schema paused
equal "replaced since" "$(count paused)" 102
q "drop table paused.thing" >/dev/null
export_ok "${load[@]:1}" --schema paused
equal "dropped since" "$(count paused)" 101

# if that is true of some of its tables only, neither is right
sed 's/"entities": {/"entities": { "Other": { "when": { "PK": "9*" }, "table": "other", "columns": { "pk": { "type": "text", "from": "PK" } } },/' model.json >two.json
echo '{"PK":{"S":"9"}}' >>first.jsonl
two=(first.jsonl "$URL" -m two.json --mode append --schema half)
export_ok "${two[@]}"
q "drop table half.other" >/dev/null
export_exit 2 "${two[@]}"
said 'and 1 of its 2 tables have been replaced or dropped since'
said '--again appends it to all of them'
equal "refused: nothing added" "$(count half)" 1
export_ok "${two[@]}" --again
equal "half, again" "$(count half) $(q "select count(*) from half.other")" "2 1"
export_ok "${two[@]}"
said "nothing was added again"
export_exit 2 first.jsonl "$URL" -m model.json --again
said "--again goes with --mode append only"
