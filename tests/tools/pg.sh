# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A throwaway PostgreSQL cluster for scripts that have sourced lib.sh: made by initdb, reachable
# through a private unix socket only, gone with the script. A suite starts one (pg_start) and its
# scenarios make databases in it (pg_db); a scenario that hurts the server starts its own.

unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGSERVICE PGOPTIONS PGSSLMODE

# The newest server's programs, wherever Debian put them.
_pg_bin() {
    local dir
    dir=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
    if [ -z "$dir" ] && command -v postgres >/dev/null; then dir=$(dirname "$(command -v postgres)"); fi
    [ -x "$dir/initdb" ] || { echo "no PostgreSQL server found (make deps installs it)" >&2; return 1; }
    echo "$dir"
}

# PostgreSQL refuses to run as root: then somebody else runs it.
_pg_user() { if id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi; }

# The words to put before a server program; they end in exec, so that a pid is the server's.
_pg_as() {
    if [ "$(id -u)" != 0 ]; then
        echo env
    else
        local user
        user=$(_pg_user)
        echo "setpriv --reuid=$(id -u "$user") --regid=$(id -g "$user") --clear-groups env"
    fi
}

# pg_start [SETTING=VALUE]...: a new cluster; sets PG_DIR (data, socket, log) and PG_PID.
pg_start() {
    local as
    PG_BIN=$(_pg_bin) || return 1
    # a socket's path has to be short
    PG_DIR=$(mktemp -d /tmp/renorm-pg.XXXXXX) || return 1
    export PG_BIN PG_DIR
    at_exit "rm -rf '$PG_DIR'"
    at_exit "pg_stop INT"
    if [ "$(id -u)" = 0 ]; then chown "$(_pg_user):" "$PG_DIR"; fi
    as=$(_pg_as)
    if ! (cd / && $as "$PG_BIN/initdb" -D "$PG_DIR/data" -U postgres -A trust -E UTF8 --locale=C \
        --no-sync --no-instructions) >"$PG_DIR.initdb" 2>&1; then
        cat "$PG_DIR.initdb" >&2
        rm -f "$PG_DIR.initdb"
        return 1
    fi
    rm -f "$PG_DIR.initdb"
    pg_run "$@"
}

# pg_run [SETTING=VALUE]...: starts the server of PG_DIR, again after pg_stop.
pg_run() {
    local as setting args=()
    as=$(_pg_as)
    for setting in listen_addresses= fsync=off full_page_writes=off max_connections=100 \
        shared_buffers=64MB max_wal_size=2GB log_min_messages=warning "$@"; do
        args+=(-c "$setting")
    done
    scratch
    # shellcheck disable=SC2086
    start postgres $as "$PG_BIN/postgres" -D "$PG_DIR/data" -k "$PG_DIR" "${args[@]}"
    PG_PID=$STARTED
    export PG_PID
    if ! wait_until "pg_up || ! kill -0 $PG_PID 2>/dev/null" || ! pg_up; then
        cat "$SCRATCH/postgres.log" >&2
        echo "PostgreSQL did not start" >&2
        return 1
    fi
}

pg_up() { "$PG_BIN/pg_isready" -q -h "$PG_DIR" -U postgres; }

# pg_stop [SIGNAL=INT]: INT ends the server at once but clean, QUIT as a crash would.
pg_stop() {
    if [ -n "${PG_PID:-}" ]; then stop "$PG_PID" "${1:-INT}" || true; fi
    PG_PID=""
}

# pg_url [DATABASE=postgres]
pg_url() { echo "postgresql://postgres@/${1:-postgres}?host=$PG_DIR"; }

# pg_db NAME: makes an empty database (dropping an old one) and prints its URL.
pg_db() {
    psql -XqAt -v ON_ERROR_STOP=1 -d "$(pg_url)" -c "set client_min_messages = error" \
        -c "drop database if exists \"$1\" with (force)" -c "create database \"$1\"" >&2 || return 1
    pg_url "$1"
}

# pg_query URL SQL: rows as text, columns apart by '|', NULL as \N.
pg_query() { psql -XqAt -P 'null=\N' -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }
