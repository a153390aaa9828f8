#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Ledgers of an earlier version, as it left them: whoever reads takes them as they are, whoever writes
# upgrades them first, in one step or not at all, and goes on as if it had begun the run itself.
. "$(dirname "$0")/lib.sh"
V1=$TESTS/data/state-v1
cp -r "$V1/export" "$V1/model.json" .
options=(-m model.json --max-rejects 1 --max-unrouted 1)

# old_db FILE: the scenario's database as an earlier renorm left it.
old_db() { new_db && psql -XqAt -v ON_ERROR_STOP=1 -d "$URL" -f "$V1/$1" >/dev/null; }
versions() { q "select string_agg(version::text, ',' order by version) from renorm.ledger"; }
signed() { q "select count(*) from information_schema.columns where table_schema = 'renorm' and table_name = 'ledger' and column_name = 'renorm'"; }
# made SCHEMA: what a load left there and in the ledger.
made() {
    pg_rows_of "$1" model.json
    q "select kind, entity, reason, file, encode(item, 'escape') from renorm.reject where run = (select max(run) from renorm.run where target = '$1') order by 1, 5"
    q "select name, rows from renorm.table_total where run = (select max(run) from renorm.run where target = '$1') order by 1"
    # those of the data's shape, which have no names, begin with the version that counts them
    q "select i, sum(v) from renorm.run as r join renorm.segment as s using (run), unnest(s.counters) with ordinality as c (v, i) where run = (select max(run) from renorm.run where target = '$1') and i <= cardinality(r.counters) group by 1 order by 1"
}
catalog() { pg_dump --schema-only --no-owner --schema renorm -d "$URL" | sed '/^--/d; /^.restrict /d; /^.unrestrict /d'; }
# hold SQL: a session that runs it in a transaction, until release.
hold() {
    rm -f hold && mkfifo hold
    start holder psql -XqAt -d "$URL" -f hold
    holder=$STARTED
    exec 7>hold
    echo "begin; $1; select 'held';" >&7
    wait_until 'grep -q held "$SCRATCH/holder.log"'
}
release() {
    exec 7>&-
    stop "$holder" || true
}
waiting() { q "select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())"; }

# what a load from nothing gives
new_db
export_ok export "$URL" "${options[@]}"
! grep -q upgraded out.txt err.txt || fail "a new ledger was upgraded"
equal "versions of a new ledger" "$(versions)" 4
equal "who made it" "$(q "select renorm from renorm.ledger")" "$("$RENORM" --version | sed 's/^renorm //')"
made shop >want.txt
catalog >catalog.txt
equal "items" "$(q "select count(*) from shop.orders")" 32

# readers of an older ledger leave it as it is
old_db postgres-half.dump
"$RENORM" status "$URL" | grep -q "^run 2" || fail "status of an older ledger"
expect_exit 2 "$RENORM" verify export "$URL" -m model.json 2>&1 | grep -q "nothing was published"
equal "version after looking" "$(versions)" 1

# somebody is at work in it
q "update renorm.process set ended = null, heartbeat = now() where process = 1" >/dev/null
hold "select pg_advisory_lock(1919249007, 1)"
export_exit 3 export "$URL" "${options[@]}" --schema another
said 'is of an earlier version, and run 1 works in it on host since'
equal "version while in use" "$(versions)" 1
release
q "update renorm.process set ended = now() where process = 1" >/dev/null

# killed in the middle of the upgrade: nothing of it has happened
hold "lock table renorm.ledger in access share mode"
start killed "$RENORM" export export "$URL" "${options[@]}"
pid=$STARTED
wait_until '[ "$(waiting)" = 1 ]'
stop "$pid" KILL || true
release
wait_until '[ "$(q "select count(*) from pg_stat_activity where application_name ~ '"'renorm'"' and datname = current_database()")" = 0 ]'
equal "version after a kill" "$(versions)" 1
equal "columns after a kill" "$(signed)" 0

# two at once, one of which goes on with the run that was cut short: one upgrades, both load
hold "lock table renorm.ledger in access share mode"
start first "$RENORM" export export "$URL" "${options[@]}"
first=$STARTED
start second "$RENORM" export export "$URL" "${options[@]}" --schema second
second=$STARTED
wait_until '[ "$(waiting)" = 2 ]'
release
wait "$first" || { cat first.log; fail "the first of two"; }
wait "$second" || { cat second.log; fail "the second of two"; }
equal "told" "$(cat first.log second.log | grep -c '^renorm: ledger upgraded from version 1 to 4$')" 1
equal "versions" "$(versions)" 1,2,3,4
made shop >got.txt
diff -u want.txt got.txt || fail "the run that went on made something else"
made second >got.txt
diff -u want.txt got.txt || fail "the second run made something else"
equal "runs" "$(q "select string_agg(run || ' ' || state, ', ' order by run) from renorm.run")" "1 published, 2 published, 3 published"
expect_exit 0 "$RENORM" verify export "$URL" -m model.json >/dev/null
expect_exit 0 "$RENORM" verify export "$URL" -m model.json --schema second >/dev/null
catalog >got.txt
diff -u catalog.txt got.txt || fail "an upgraded ledger is not what a new one is"
export_ok export "$URL" "${options[@]}"
! grep -q upgraded out.txt err.txt || fail "it was upgraded twice"

# a load that was over: it can be verified, shown and replaced
old_db postgres-done.dump
expect_exit 0 "$RENORM" verify export "$URL" -m model.json >/dev/null
made shop >got.txt
diff -u want.txt got.txt || fail "the earlier renorm made something else"
"$RENORM" status "$URL" >before.txt
equal "version after looking at a load that was over" "$(versions)" 1
printf '%s\n' '{"PK":{"S":"CUSTOMER#0"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >one.jsonl
export_ok one.jsonl "$URL" -m model.json --schema fresh
said 'renorm: ledger upgraded from version 1 to 4'
"$RENORM" status "$URL" --run 1 >after.txt
diff -u before.txt after.txt || fail "another status"
export_ok export "$URL" "${options[@]}"
made shop >got.txt
diff -u want.txt got.txt || fail "replaced by something else"

# what was appended before the ledger remembered it is not appended again, if it is still there
as_appended="update renorm.run set mode = 'append'"
old_db postgres-done.dump
q "$as_appended" >/dev/null
export_ok export "$URL" "${options[@]}" --mode append
said 'renorm: ledger upgraded from version 1 to 4'
said 'nothing was added again'
made shop >got.txt
diff -u want.txt got.txt || fail "appended twice"
old_db postgres-done.dump
q "$as_appended; drop table shop.order_line" >/dev/null
export_exit 2 export "$URL" "${options[@]}" --mode append
said 'have been replaced or dropped since'
old_db postgres-done.dump
q "$as_appended; insert into renorm.run (target, mode, state, model_hash, source_identity, source_text, options, version, now_us, segments, unlogged, counters)
       select target, 'replace', 'published', 'other', source_identity, source_text, options, version, now_us, segments, unlogged, counters from renorm.run" >/dev/null
export_ok one.jsonl "$URL" -m model.json --schema fresh
equal "replaced since" "$(q "select count(*) from renorm.appended")" 0

# of the second version, held: what was kept aside has no more to show, and all else is as if new
new_db && psql -XqAt -v ON_ERROR_STOP=1 -d "$URL" -f "$TESTS/data/state-v2/postgres-held.dump" >/dev/null
"$RENORM" status "$URL" >status.txt
grep -q held status.txt || fail "status of a ledger of version 2"
equal "version after looking" "$(versions)" 2
export_ok export "$URL" "${options[@]}"
said 'renorm: ledger upgraded from version 2 to 4'
said 'rejected: key-template'
said 'unrouted: Nobody'
equal "versions" "$(versions)" 2,3,4
made shop >got.txt
diff -u want.txt got.txt || fail "the run that was held made something else"
catalog >got.txt
diff -u catalog.txt got.txt || fail "a ledger upgraded from version 2 is not what a new one is"
export_ok export "$URL" "${options[@]}" --restart
equal "what is kept aside from now on" "$(q "select count(*) from renorm.reject where run = (select max(run) from renorm.run) and item_json is not null")" 2

# of a renorm that is not written yet
q "insert into renorm.ledger (version, renorm) values (5, '9.8.7')" >/dev/null
for command in "status $URL" "verify export $URL -m model.json" "export $URL out -m model.json" "export export $URL -m model.json"; do
    # shellcheck disable=SC2086
    expect_exit 2 "$RENORM" $command >refused.txt 2>&1
    grep -qF 'was made by another version of renorm: 9.8.7' refused.txt || { cat refused.txt; fail "$command"; }
    grep -qF 'hint: use renorm 9.8.7 or a later one' refused.txt || fail "hint of $command"
done
