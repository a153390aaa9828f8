# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the PostgreSQL scenarios share: source it first, with the binary as $1.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
RENORM=$1
[[ $RENORM = /* ]] || RENORM=$ROOT/$RENORM
TOOLS=$OBJDIR/tests/tools
scenario
# a database of its own in the suite's server; alone, a scenario starts one
if [ -z "${PG_DIR:-}" ]; then pg_start; fi
DB=db_$(basename "$0" .sh | tr -c 'a-z0-9\n' _)_$$

# new_db: makes the scenario's database, sets URL.
new_db() { URL=$(pg_db "$DB"); }

# q SQL: rows of a query
q() { pg_query "$URL" "$1"; }

# export_ok ARGS...: renorm export, which must succeed; its output in out.txt.
export_ok() {
    local status=0
    "$RENORM" export "$@" >"$SCRATCH/out.txt" 2>"$SCRATCH/err.txt" || status=$?
    if [ "$status" != 0 ]; then cat "$SCRATCH/out.txt" "$SCRATCH/err.txt" >&2; fail "exit status $status: export $*"; fi
}

# export_exit STATUS ARGS...: the same with another status.
export_exit() {
    local want=$1 status=0
    shift
    "$RENORM" export "$@" >"$SCRATCH/out.txt" 2>"$SCRATCH/err.txt" || status=$?
    if [ "$status" != "$want" ]; then cat "$SCRATCH/out.txt" "$SCRATCH/err.txt" >&2; fail "exit status $status, not $want: export $*"; fi
}

# said TEXT: it stands in what the last export printed.
said() { grep -qF -- "$1" "$SCRATCH/out.txt" "$SCRATCH/err.txt" || { cat "$SCRATCH/out.txt" "$SCRATCH/err.txt" >&2; fail "it did not say: $1"; }; }

# hold SQL: a session in the background runs it and stays, until let_go; tell SQL has it run more.
hold() {
    rm -f hold
    mkfifo hold
    start holder psql -XqAt -d "$URL" -f hold
    exec 7>hold
    tell "$1; select 'held'"
    # shellcheck disable=SC2016
    wait_until 'grep -q held "$SCRATCH/holder.log"'
}
tell() { echo "$1;" >&7; }
let_go() { exec 7>&-; }

# waits_for CONDITION [N=1]: until N or more wait for locks that CONDITION on pg_locks tells;
# waits_at NUMBER [N [CLASS]]: for the advisory lock of that number.
waits_for() {
    local here="database = (select oid from pg_database where datname = current_database())"
    wait_until "[ \"\$(q \"select count(*) from pg_locks where not granted and $here and $1\")\" -ge ${2:-1} ]"
}
waits_at() { waits_for "locktype = 'advisory' and objid = $1 and classid = ${3:-0}" "${2:-1}"; }

# wait_function: public.wait_row(), a trigger's function that waits while lock 4242 is held.
wait_function() {
    q "create function public.wait_row() returns trigger language plpgsql as
           'begin perform pg_advisory_xact_lock_shared(4242); return new; end'" >/dev/null
}

# copy_waits TABLE: so does each COPY into TABLE of a load that begins from now on.
copy_waits() {
    q "create function public.hook() returns event_trigger language plpgsql as '
           declare c record;
           begin
               for c in select * from pg_event_trigger_ddl_commands() loop
                   if c.object_identity ~ ''^renorm_run_.*\.$1\$'' then
                       execute format(''create trigger at_copy before insert on %s for each statement
                                        execute function public.wait_row()'', c.object_identity);
                   end if;
               end loop;
           end';
       create event trigger at_copy on ddl_command_end when tag in ('CREATE TABLE')
           execute function public.hook()" >/dev/null
}

# no_nulls: drops members that are null, which a database cannot tell from missing ones.
no_nulls() { sed -E 's/"[^"]*":null(,|\})/\1/g; s/\{,/{/g; s/,+/,/g; s/,\}/}/g'; }

# folder_rows DIR: "TABLE JSON" of a JSON-lines folder, sorted.
folder_rows() {
    local t
    for t in "$1"/*/; do
        t=$(basename "$t")
        case $t in _* | rejects | unrouted) continue ;; esac
        find "$1/$t" -name '*.zst' -exec zstd -dcq {} + | sed "s/^/$t /"
    done | no_nulls | sort
}

# pg_rows_of SCHEMA MODEL: the same of the database.
pg_rows_of() { "$TOOLS/pg_rows" "$URL" "$1" "$2" | no_nulls | sort; }

# items N: N orders of N/10 customers as DynamoDB JSON lines, the same each time.
items() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n; i++) {
            c = int(i / 10)
            if (i % 10 == 0)
                printf "{\"PK\":{\"S\":\"CUSTOMER#%d\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},\"name\":{\"S\":\"name %d\"},\"note\":{\"S\":\"%d\"}}\n", c, c, i * 7919
            else
                printf "{\"PK\":{\"S\":\"CUSTOMER#%d\"},\"SK\":{\"S\":\"#ORDER#%d\"},\"Type\":{\"S\":\"Order\"},\"total\":{\"N\":\"%d.%02d\"},\"lines\":{\"L\":[{\"M\":{\"sku\":{\"S\":\"s%d\"},\"qty\":{\"N\":\"%d\"}}},{\"M\":{\"sku\":{\"S\":\"t%d\"},\"qty\":{\"N\":\"1\"}}}]}}\n", c, i, i, i % 100, i % 97, i % 9, i % 31
        }
    }'
}

# shop_files N FILES: N of them in so many files of the folder in, and model.json.
shop_files() {
    shop_model >model.json
    mkdir in
    items "$1" | split -l $(($1 / $2)) - in/part- --additional-suffix=.jsonl
}

# whole_load SOURCE: a load that nothing disturbs, into the schema whole; its rows in want.txt.
whole_load() {
    export_ok "$1" "$URL" -m model.json --schema whole
    pg_rows_of whole model.json >want.txt
}

# shop_model: the model for them.
shop_model() { cat "$TESTS/pg/shop.json"; }
