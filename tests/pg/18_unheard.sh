#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# A loader killed behind its last COMMIT never told anybody that its rows are in: the same command
# again must not add them twice, unless it says --again.
. "$(dirname "$0")/lib.sh"
new_db
sed 's/"primary_key": \["[a-z_]*"\],//; s/"stages"/"nothing"/' <(shop_model) >/dev/null
cat >model.json <<'M'
{ "renorm": 1, "name": "plain", "source": { "key": ["PK"] },
  "entities": { "Thing": { "when": { "PK": "*" }, "table": "thing", "columns": { "pk": { "type": "text", "from": "PK" } } } } }
M
for i in 1 2 3 4 5; do echo '{"PK":{"S":"'$i'"}}'; done >items.jsonl
echo '{"PK":{"S":"6"}}' >first.jsonl
export_ok first.jsonl "$URL" -m model.json --mode append

# it waits where it clears old runs away: behind the COMMIT that published
q "create function public.wait_row() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(4242); return null; end';
   create trigger wait before delete on renorm.run for each statement
       execute function public.wait_row()" >/dev/null

# killed_late ARGS...: a load that is killed there
killed_late() {
    hold "select pg_advisory_lock(4242)"
    start load "$RENORM" export items.jsonl "$URL" -m model.json --again "$@"
    waits_at 4242
    stop "$STARTED" KILL || true
    let_go
    wait_until '[ "$(q "select count(*) from pg_stat_activity where application_name like '"'renorm%'"'")" = 0 ]'
}
count() { q "select count(*) from plain.thing"; }

killed_late --mode append
equal "published" "$(count)" 6
export_ok items.jsonl "$URL" -m model.json --mode append
said "nothing was added again"
equal "not twice" "$(count)" 6
export_ok items.jsonl "$URL" -m model.json --mode append --again
equal "asked for once more, it is a new load" "$(count)" 11
killed_late --mode append --unlogged
# what files hold does not change with time
q "update renorm.run set finished = finished - interval '10 days'; update renorm.appended set finished = finished - interval '10 days'" >/dev/null
equal "published, unlogged" "$(count)" 16
export_ok items.jsonl "$URL" -m model.json --mode append --unlogged
equal "not twice, unlogged" "$(count)" 16
# other rows are other rows
killed_late --mode append
echo '{"PK":{"S":"7"}}' >other.jsonl
export_ok other.jsonl "$URL" -m model.json --mode append
equal "another source" "$(count)" 22
killed_late --mode append
export_ok items.jsonl "$URL" -m model.json --mode append --restart --again
equal "on request" "$(count)" 32

# trouble behind the COMMIT is told, but the rows are in: nobody is asked to run it again
hold "select pg_advisory_lock(4242)"
start load "$RENORM" export items.jsonl "$URL" -m model.json --mode append --again
wait_until '[ "$(q "select count(pg_cancel_backend(pid)) from pg_locks where locktype = '"'advisory'"' and objid = 4242 and not granted")" = 1 ]'
wait "$STARTED" || { cat load.log; fail "published, but status $?"; }
grep -q "old runs stay in the ledger" load.log || { cat load.log; fail "the trouble was not told"; }
let_go
equal "added once" "$(count)" 37
