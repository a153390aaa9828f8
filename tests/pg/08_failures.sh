#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# What cannot heal stops at once, with SQLSTATE, message and what to do; a full disk stops the
# load, and it goes on when there is room.
. "$(dirname "$0")/lib.sh"
pg_start
new_db
shop_model >model.json
items 200 >items.jsonl

q "create role locked login password 'sesame'; create role poor login; create role reader login;
   alter role reader set default_transaction_read_only = on" >/dev/null
conf=$PG_DIR/data/pg_hba.conf
{ echo "local all locked scram-sha-256"; cat "$conf"; } >hba && cat hba >"$conf"
q "select pg_reload_conf()" >/dev/null
host="host=$PG_DIR dbname=$DB"
wait_until '! psql -XqAtw -d "$host user=locked" -c "select 1" >/dev/null 2>&1'

# full is not forbidden: it may be free later, and the run waits for that
q "create role crowd login connection limit 1" >/dev/null
q "create database crowded owner crowd" >/dev/null
crowded="host=$PG_DIR dbname=crowded user=crowd"
mkfifo crowd
start crowd psql -XqAt -d "$crowded" -f crowd
exec 8>crowd
wait_until '[ "$(q "select count(*) from pg_stat_activity where usename = '"'crowd'"'")" = 1 ]'
export_exit 3 items.jsonl "$crowded" -m model.json --retry-seconds 1
said 'too many connections for role "crowd"'
said "raise the CONNECTION LIMIT"
start waits "$RENORM" export items.jsonl "$crowded" -m model.json --retry-seconds 60
waits=$STARTED
q "alter role crowd connection limit 20" >/dev/null
wait "$waits" || { cat waits.log; fail "it did not wait for a free connection"; }
exec 8>&-
q "create database narrow connection limit 0" >/dev/null
export_exit 3 items.jsonl "host=$PG_DIR dbname=narrow user=crowd" -m model.json --retry-seconds 1
said 'too many connections for database "narrow"'

PGPASSWORD=wrong export_exit 4 items.jsonl "$host user=locked" -m model.json
said 'password authentication failed for user "locked" (SQLSTATE 28P01)'
if grep LOCATION err.txt; then fail "the server's source lines were told"; fi
said "hint: "
export_exit 4 items.jsonl "$host user=locked password=open-said-me" -m model.json
if grep -r open-said-me out.txt err.txt; then fail "the password was told"; fi
if q "grant create on database \"$DB\" to locked" >/dev/null; then :; fi
PGPASSWORD=sesame export_ok items.jsonl "$host user=locked" -m model.json --schema by_password
printf '*:*:*:locked:sesame\n' >pgpass
chmod 600 pgpass
PGPASSFILE=$SCRATCH/pgpass export_ok items.jsonl "$host user=locked" -m model.json --schema by_file
# nor does the process list show one, whichever way it was written; it opens the door all the same
mkfifo endless
for word in "$host user=locked password='sesame'" "postgresql://locked:sesame@/$DB?host=$PG_DIR" "postgresql:///$DB?host=$PG_DIR&password=sesame&user=locked"; do
    start listed bash -c 'exec "$0" "$@" <endless' "$RENORM" export - "$word" -m model.json --schema by_word --restart
    pid=$STARTED
    exec 7>endless
    head -n 1 items.jsonl >&7
    shown() { tr '\0' ' ' <"/proc/$pid/cmdline"; }
    wait_until 'shown | grep -q "renorm export - .* -m model.json"'
    # it is done with at the very start: before that, the words are as they were written
    wait_until '! shown | grep -q sesame'
    exec 7>&-
    wait "$pid" || { cat "$SCRATCH/listed.log"; fail "not loaded with $word"; }
done
equal "no password in the ledger" "$(pg_dump -d "$URL" -n renorm | grep -c sesame || true)" 0

export_exit 4 items.jsonl "$host user=poor" -m model.json
said "SQLSTATE 42501"
export_exit 2 items.jsonl "$host user=reader" -m model.json
said "read-only"
export_exit 2 items.jsonl "host=$PG_DIR dbname=nowhere user=postgres" -m model.json
said 'database "nowhere" does not exist (SQLSTATE 3D000)'
export_exit 4 items.jsonl "$host user=postgres options='-c work_mem=x'" -m model.json
said "SQLSTATE 22023"
export_exit 2 items.jsonl "host=$PG_DIR dbname=$DB nonsense=1" -m model.json
said "cannot be read"
pg_query "$(pg_url)" "create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'" >/dev/null
export_exit 2 items.jsonl "host=$PG_DIR dbname=latin user=postgres" -m model.json
said "not UTF8"
pg_db stranger >/dev/null
pg_query "$(pg_url stranger)" "create schema renorm; create table renorm.mine (x int)" >/dev/null
export_exit 2 items.jsonl "$(pg_url stranger)" -m model.json
said 'schema "renorm" exists'
equal "nothing was touched" "$(pg_query "$(pg_url stranger)" "select count(*) from pg_tables where schemaname = 'renorm'")" 1

# nobody there: tried for as long as is wanted, and no longer
since=$SECONDS
export_exit 3 items.jsonl "host=$SCRATCH dbname=x user=postgres" -m model.json --retry-seconds 1
said "cannot connect"
[ $((SECONDS - since)) -lt 8 ] || fail "it tried for $((SECONDS - since)) s, not for one"

# the disk is full: a small file system, or where none can be mounted, writes that fail
items 40000 >many.jsonl
mkdir small
if mount -t tmpfs -o size=4m none small 2>/dev/null; then
    at_exit "umount '$SCRATCH/small'"
    at_exit "pg_stop INT"
    chown "$(_pg_user):" small
    chmod 711 "$SCRATCH"
    q "create tablespace small location '$SCRATCH/small'" >/dev/null
    q "alter database \"$DB\" set default_tablespace = small" >/dev/null
    room() { mount -o remount,size=400m "$SCRATCH/small"; }
else
    pg_stop INT
    export NOSPACE_FLAG=$SCRATCH/full LD_PRELOAD=$OBJDIR/tests/preload/nospace.so
    chmod 711 "$SCRATCH"
    pg_run
    unset LD_PRELOAD
    touch full
    room() { rm -f "$SCRATCH/full"; }
fi
export_exit 3 many.jsonl "$URL" -m model.json --schema full --commit-mb 1 -w 2
said "SQLSTATE 53100"
said "free space on the server"
room
export_ok many.jsonl "$URL" -m model.json --schema full --commit-mb 1 -w 2
equal "all orders" "$(q 'select count(*) from "full".orders')" 36000
equal "all lines" "$(q 'select count(*) from "full".order_line')" 72000
