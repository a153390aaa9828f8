#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Several processes on one run: segments are leased, everybody sees the end, the result is whole.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
if [ "$SCALE" = full ]; then n=24000; else n=4000; fi
mkdir in
items $n | split -l $((n / 40)) - in/part- --additional-suffix=.jsonl
export_ok in "$URL" -m model.json --schema whole
pg_rows_of whole model.json >want.txt

# no commit gets through before all of them have joined
q "create function public.wait_row() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(4242); return new; end';
   create trigger wait before update on renorm.segment for each row
       when (new.commits > old.commits) execute function public.wait_row()" >/dev/null
mkfifo hold
start holder psql -XqAt -d "$URL" -f hold
exec 7>hold
echo "select pg_advisory_lock(4242), 'held';" >&7
wait_until 'grep -q held "$SCRATCH/holder.log"'

pids=()
for i in 1 2 3; do
    start "join$i" "$RENORM" export in "$URL" -m model.json --schema joined --join -w 2 --commit-mb 1 --lease-seconds 600
    pids+=("$STARTED")
done
joined() { q "select count(*) from renorm.process p join renorm.run r using (run) where r.target = 'joined'"; }
wait_until '[ "$(joined)" = 3 ]'
echo "select pg_advisory_unlock(4242);" >&7
exec 7>&-
for i in 1 2 3; do
    wait "${pids[$((i - 1))]}" || { cat "$SCRATCH/join$i.log"; fail "process $i failed"; }
done
diff want.txt <(pg_rows_of joined model.json) >diff.txt || { head diff.txt; fail "rows differ"; }
equal "published once" "$(q "select count(*) from renorm.run where target = 'joined' and state = 'published'")" 1
