#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The ways to a server that libpq has: a service file, and TLS whose certificate is checked. One
# that another authority signed, or that names another host, is not talked to.
. "$(dirname "$0")/lib.sh"
shop_model >model.json
items 50 >items.jsonl

# authority NAME, certificate NAME AUTHORITY HOST
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \
        -keyout "$1.key" -out "$1.crt" -addext basicConstraints=critical,CA:TRUE 2>>openssl.log
}
certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$3" \
        -keyout "$1.key" -out "$1.csr" 2>>openssl.log
    printf 'subjectAltName=DNS:%s\n' "$3" >"$1.ext"
    openssl x509 -req -in "$1.csr" -CA "$2.crt" -CAkey "$2.key" -CAcreateserial -days 2 \
        -extfile "$1.ext" -out "$1.crt" 2>>openssl.log
}
authority ours
authority others
certificate server ours localhost

# a server of its own, on a port of its own
pg_start
pg_stop
cat server.crt >"$PG_DIR/data/server.crt"
cat server.key >"$PG_DIR/data/server.key"
chmod 600 "$PG_DIR/data/server.key"
chown --reference="$PG_DIR/data/postgresql.conf" "$PG_DIR/data/server.crt" "$PG_DIR/data/server.key"
printf 'hostssl all all 127.0.0.1/32 trust\nlocal all all trust\n' >"$PG_DIR/data/pg_hba.conf"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export PGPORT=$port
pg_run listen_addresses=127.0.0.1 "port=$port" ssl=on
new_db

# services: named in the string, in the environment, in a file that the environment names
cat >services.conf <<S
[warehouse]
host=$PG_DIR
port=$port
user=postgres
dbname=$DB
S
unset PGPORT
export PGSERVICEFILE=$SCRATCH/services.conf
export_ok items.jsonl "postgresql://?service=warehouse" -m model.json --schema by_url
PGSERVICE=warehouse export_ok items.jsonl postgresql:// -m model.json --schema by_environment
export PGPORT=$port
equal "by service" "$(q "select (select count(*) from by_url.orders), (select count(*) from by_environment.orders)")" "45|45"
expect_exit 0 "$RENORM" verify items.jsonl "postgresql://?service=warehouse" -m model.json --schema by_url >verify.txt
"$RENORM" status "postgresql://?service=warehouse" >status.txt
grep -q by_url status.txt || fail "status by service"
export_exit 2 items.jsonl "postgresql://?service=nowhere" -m model.json
said 'definition of service "nowhere" not found'

# TLS: full checking, with the right authority and the right name
tls="postgresql://postgres@localhost:$port/$DB?hostaddr=127.0.0.1"
export_ok items.jsonl "$tls&sslmode=verify-full&sslrootcert=$SCRATCH/ours.crt" -m model.json --schema safe
equal "over TLS" "$(q "select count(*) from safe.orders")" 45
PGSSLMODE=verify-full PGSSLROOTCERT=$SCRATCH/ours.crt export_ok items.jsonl "$tls" -m model.json --schema safe
refused() { # STATUS TEXT URL
    export_exit "$1" items.jsonl "$3" -m model.json --schema unsafe
    said "$2"
    said "hint: "
    equal "nothing was made" "$(q "select to_regclass('unsafe.orders') is null")" t
}
refused 4 "certificate verify failed" "$tls&sslmode=verify-full&sslrootcert=$SCRATCH/others.crt"
refused 4 "certificate verify failed" "$tls&sslmode=verify-ca&sslrootcert=$SCRATCH/others.crt"
other="postgresql://postgres@elsewhere:$port/$DB?hostaddr=127.0.0.1&sslrootcert=$SCRATCH/ours.crt"
refused 4 'does not match host name "elsewhere"' "$other&sslmode=verify-full"
refused 2 'root certificate file' "$tls&sslmode=verify-full&sslrootcert=$SCRATCH/nowhere.crt"
export_ok items.jsonl "$other&sslmode=verify-ca" -m model.json --schema authority_only
