#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The ledger as others meet it: none, an older one, one of another version, on a standby; who is
# alive in it; and where a reject stood.
. "$(dirname "$0")/lib.sh"
pg_start
new_db
shop_model >model.json
mkdir in
items 50 >in/a.jsonl
echo '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Nobody"}}' >in/b.jsonl
{ items 10; echo "not json"; } >in/c.jsonl
sed -i 's/#ORDER#/#ORDER#9/; s/CUSTOMER#/CUSTOMER#9/' in/c.jsonl

# refused STATUS TEXT ARGS...: any command
refused() {
    local want=$1 text=$2 status=0
    shift 2
    "$RENORM" "$@" >refused.txt 2>&1 || status=$?
    if [ "$status" != "$want" ] || ! grep -qF -- "$text" refused.txt; then cat refused.txt >&2; fail "$status: $*"; fi
}
# everyone TEXT: all who need a ledger say it
everyone() {
    refused 2 "$1" status "$URL"
    refused 2 "$1" verify in "$URL" -m model.json
    refused 2 "$1" export "$URL" out -m model.json
}
refused 2 "this database has no ledger" status "$URL"
refused 2 "nothing was published" verify in "$URL" -m model.json
refused 2 "there are no rejects to read" export "$URL" out -m model.json

# an item that became no row: whence it came
export_ok in "$URL" -m model.json --max-rejects 1 --max-unrouted 1
equal "files of rejects" "$(q "select kind, regexp_replace(file, '.*/', ''), position > 0 from renorm.reject order by 1")" "reject|c.jsonl|t
unrouted|b.jsonl|f"
export_ok - "$URL" -m model.json --schema piped --max-unrouted 1 <in/b.jsonl
equal "standard input" "$(q "select file from renorm.reject where run = 2")" -
export_ok "$URL" "$URL" -m model.json --run 2 --schema again --max-unrouted 1
equal "no file" "$(q "select count(*) from renorm.reject where run = 3 and file is null")" 1
refused 2 "the ledger has no run 77" status "$URL" --run 77
refused 2 "the ledger has no run 77" status "$URL" --run 77 --json

# somebody else's lock, in another database, is no sign of life
export_exit 1 in "$URL" -m model.json --schema held
q "update renorm.process set ended = null, heartbeat = now(), place = 'elsewhere' where process = (select max(process) from renorm.process)" >/dev/null
process=$(q "select max(process) from renorm.process")
mkfifo hold
start holder psql -XqAt -d "$(pg_db other)" -f hold
exec 7>hold
echo "select pg_advisory_lock(1919249007, $process);" >&7
wait_until '[ "$(q "select count(*) from pg_locks where locktype = '"'advisory'"' and objid = $process")" = 1 ]'
export_ok in "$URL" -m model.json --schema held --max-rejects 1 --max-unrouted 1
exec 7>&-

# a standby shows what it has; it cannot be written to
as=$(_pg_as)
(cd / && $as "$PG_BIN/pg_basebackup" -h "$PG_DIR" -U postgres -D "$PG_DIR/standby" -R -c fast)
# shellcheck disable=SC2086
start standby $as "$PG_BIN/postgres" -D "$PG_DIR/standby" -k "$PG_DIR/standby" -c listen_addresses= -c max_connections=100
standby="host=$PG_DIR/standby user=postgres dbname=$DB"
wait_until 'psql -XqAt -d "$standby" -c "select 1" >/dev/null 2>&1'
"$RENORM" status "$URL" >want.txt
"$RENORM" status "$standby" >got.txt
diff -u want.txt got.txt || fail "a standby tells another story"
"$RENORM" status "$standby" --json | jq -e '.runs | length == 4' >/dev/null
expect_exit 0 "$RENORM" verify in "$standby" -m model.json >/dev/null
export_exit 2 in "$standby" -m model.json
said "SQLSTATE 25006"

# made by another version
q "update renorm.ledger set version = 99" >/dev/null
everyone 'was made by another version of renorm'
export_exit 2 in "$URL" -m model.json
said 'was made by another version of renorm'
q "update renorm.ledger set version = 1; alter table renorm.reject drop file" >/dev/null
everyone 'was made by an earlier version of renorm'
export_exit 2 in "$URL" -m model.json
said 'was made by an earlier version of renorm'
