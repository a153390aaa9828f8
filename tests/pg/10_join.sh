#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Several processes on one run: segments are leased, everybody sees the end, the result is whole.
. "$(dirname "$0")/lib.sh"
new_db
if [ "$SCALE" = full ]; then n=24000; else n=4000; fi
shop_files $n 40
whole_load in

# no commit gets through before all of them have joined
wait_function
q "create trigger wait before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.wait_row();
   create trigger wait before update on renorm.segment_unlogged for each row
       when (new.commits > old.commits) execute function public.wait_row()" >/dev/null
# and none gets more than 15 of the 40 files, so that each has at least ten
q "create function public.fair() returns trigger language plpgsql as
       'declare n bigint;
        begin
            execute format(''select count(*) from %s where run = \$1 and owner = \$2'', tg_relid::regclass)
                into n using new.run, new.owner;
            return case when n < 15 then new end;
        end';
   create trigger fair before update on renorm.segment for each row
       when (new.owner is distinct from old.owner) execute function public.fair();
   create trigger fair before update on renorm.segment_unlogged for each row
       when (new.owner is distinct from old.owner) execute function public.fair()" >/dev/null

# joined STATUS SCHEMA FOLDER ARGS...: three processes at once, each of which has to end so.
joined() {
    local want=$1 schema=$2 in=$3 pids=() i status
    shift 3
    hold "select pg_advisory_lock(4242)"
    for i in 1 2 3; do
        start "$schema$i" "$RENORM" export "$in" "$URL" -m model.json --schema "$schema" --join -w 2 --commit-mb 1 --lease-seconds 600 "$@"
        pids+=("$STARTED")
    done
    wait_until '[ "$(q "select count(*) from renorm.process p join renorm.run r using (run) where r.target = '"'$schema'"'")" = 3 ]'
    tell "select pg_advisory_unlock(4242)"
    let_go
    for i in 1 2 3; do
        status=0
        wait "${pids[$((i - 1))]}" || status=$?
        [ "$status" = "$want" ] || { cat "$SCRATCH/$schema$i.log"; fail "$schema: process $i ended with $status, not $want"; }
    done
}

joined 0 joined in
diff want.txt <(pg_rows_of joined model.json) >diff.txt || { head diff.txt; fail "rows differ"; }
equal "published once" "$(q "select count(*) from renorm.run where target = 'joined' and state = 'published'")" 1
joined 0 quick in --unlogged
diff want.txt <(pg_rows_of quick model.json) >diff.txt || { head diff.txt; fail "unlogged: rows differ"; }

# what is allowed is judged by what all of them met together: one bad item in each of 40 files
mkdir bad
for f in in/part-*; do
    { cat "$f"; echo '{"PK":{"S":"CUSTOMER#9"},"SK":{"S":"wrong"},"Type":{"S":"Order"}}'; } >"bad/${f##*/}"
done
files=$(find bad -type f | wc -l)
joined 1 bad bad --max-rejects $((files - 1))
equal "held" "$(q "select state from renorm.run where target = 'bad'")" held
for i in 1 2 3; do grep -q "$files items rejected" "$SCRATCH/bad$i.log" || { cat "$SCRATCH/bad$i.log"; fail "process $i knows its own rejects only"; }; done
export_ok bad "$URL" -m model.json --schema bad --max-rejects "$files"
diff want.txt <(pg_rows_of bad model.json) >diff.txt || { head diff.txt; fail "held and published: rows differ"; }
joined 0 enough bad --max-rejects "$files"
diff want.txt <(pg_rows_of enough model.json) >diff.txt || { head diff.txt; fail "allowed: rows differ"; }
