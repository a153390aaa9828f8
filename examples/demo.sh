#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make demo` shows: single-table designs on their way back to tables, as JSON lines under
# build/demo and in a PostgreSQL server of its own that is gone afterwards. BIN names the binary.
# shellcheck source=../tests/lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source=../tests/tools/pg.sh
. "$TESTS/tools/pg.sh"

bin=${BIN:-$BUILD/renorm}
[[ $bin = /* ]] || bin=$ROOT/$bin
scratch
mkdir "$SCRATCH/bin"
ln -s "$bin" "$SCRATCH/bin/renorm"
PATH=$SCRATCH/bin:$PATH
demo=$BUILD/demo
rm -rf "$demo" && mkdir -p "$demo"
for e in 03_customer_orders 05_movies 10_duplicated_data; do
    mkdir "$demo/${e#*_}"
    cp "$ROOT/examples/$e"/{items.jsonl,model.json} "$demo/${e#*_}"
done
mkdir "$demo/unknown"
cp "$ROOT/examples/05_movies/items.jsonl" "$demo/unknown"

say() { printf '\n== %s\n' "$*"; }

# run 'COMMAND': shows it, then does it; a demo that fails stops.
run() {
    printf '\n$ %s\n' "$1"
    eval "$1" || fail "exit status $?"
}

# tables: a few rows of each table of ./out, in columns.
tables() {
    local d t
    for d in out/*/; do
        t=$(basename "$d")
        case $t in rejects | unrouted) continue ;; esac
        printf '\n%s\n' "$t"
        # shellcheck disable=SC2016
        zstd -dcq "$d"*.zst | head -n 4 | jq -rs '(map(keys_unsorted) | add | unique_by(.)) as $k
            | (.[0] | keys_unsorted) as $o | ($o + ($k - $o)) as $c
            | $c, (.[] | [.[$c[]] | if . == null then "-" elif type == "object" or type == "array" then tojson else tostring end])
            | map(.[0:34]) | @tsv' | column -t -s $'\t' | sed 's/^/    /'
    done
}

say "a file that nobody documented: one command makes a model and the tables"
cd "$demo/unknown" || exit 1
run "head -n 4 items.jsonl | cut -c 1-150"
run "renorm export items.jsonl out"
tables
run "head -n 24 items.model.json"
run "renorm check items.model.json --svg >tables.svg"

cd "$demo/customer_orders" || exit 1
say "items of a single-table design: customers and their orders share keys and a table"
run "head -n 4 items.jsonl | cut -c 1-150"

say "the model says what they are; these are the tables it makes"
run "renorm check model.json"

say "to JSON lines; one order contradicts its own key and is kept aside, with the reason"
run "renorm export items.jsonl out -m model.json --max-rejects 1"
tables
run "zstd -dcq out/rejects/*.zst | cut -c 1-150"

say "an adjacency list: movies, actors and the roles between them"
cd "$demo/movies" || exit 1
run "renorm export items.jsonl out -m model.json"
tables

say "copies of data that disagree: one row each, and what lost in a table of its own"
cd "$demo/duplicated_data" || exit 1
run "renorm export items.jsonl out -m model.json"
tables

say "to PostgreSQL: typed columns, keys and foreign keys, published in one transaction"
cd "$demo/customer_orders" || exit 1
pg_start || fail "no PostgreSQL"
PGURL=$(pg_db shop) || fail "no database"
export PAGER=cat PGURL PGOPTIONS="-c search_path=shop,public"
# shellcheck disable=SC2016
{
    run 'renorm export items.jsonl "$PGURL" -m model.json --max-rejects 1'
    run 'psql -X "$PGURL" -c "\\d orders"'
    run 'psql -X "$PGURL" -c "select c.name, o.order_id, l.sku, l.qty, l.price from customer c join orders o using (customer_id) join order_line l using (order_id) order by 2, l.line_no"'
    run 'renorm verify items.jsonl "$PGURL" -m model.json'
}

say "what to try next"
cat <<TXT
    xdg-open build/demo/unknown/tables.svg                              the tables of the unknown file, drawn
    build/renorm explain examples/03_customer_orders/model.json examples/03_customer_orders/items.jsonl --pk CUSTOMER#c-100
    build/renorm export dynamodb:TABLE out/ -m model.json --dry-run     what a scan of your own table would cost
    build/renorm backfill dynamodb:TABLE -m model.json --dry-run        what new attributes would cost, and change
    ls build/demo; ls examples                                          all other designs, each with its rows
    build/renorm --manual | man -l -; less docs/model.md               everything a model can say
TXT
