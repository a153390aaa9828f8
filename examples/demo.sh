#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make demo` shows: one single-table design on its way back to tables, as JSON lines and in
# a PostgreSQL server of its own that is gone afterwards. BIN names the renorm binary.
# shellcheck source=../tests/lib.sh
. "$(dirname "$0")/../tests/lib.sh"
# shellcheck source=../tests/tools/pg.sh
. "$TESTS/tools/pg.sh"

bin=${BIN:-$BUILD/renorm}
[[ $bin = /* ]] || bin=$ROOT/$bin
scratch
mkdir "$SCRATCH/bin" "$SCRATCH/shop"
ln -s "$bin" "$SCRATCH/bin/renorm"
PATH=$SCRATCH/bin:$PATH
cp "$ROOT"/examples/03_customer_orders/{items.jsonl,model.json} "$SCRATCH/shop"
cd "$SCRATCH/shop" || exit 1

say() { printf '\n== %s\n' "$*"; }

# run 'COMMAND': shows it, then does it; a demo that fails stops.
run() {
    printf '\n$ %s\n' "$1"
    eval "$1" || fail "exit status $?"
}

say "items of a single-table design: customers and their orders share keys and a table"
run "head -n 4 items.jsonl | cut -c 1-150"

say "the model says what they are; these are the tables it makes"
run "renorm check model.json"

say "to JSON lines; one order contradicts its own key and is kept aside, with the reason"
run "renorm export items.jsonl out -m model.json --max-rejects 1"
run "zstd -dcq out/order_line/*.zst"
run "zstd -dcq out/rejects/*.zst | cut -c 1-150"

say "to PostgreSQL: typed columns, keys and foreign keys, published in one transaction"
pg_start || fail "no PostgreSQL"
PGURL=$(pg_db shop) || fail "no database"
export PAGER=cat PGURL PGOPTIONS="-c search_path=shop,public"
# shellcheck disable=SC2016
{
    run 'renorm export items.jsonl "$PGURL" -m model.json --max-rejects 1'
    run 'psql -X "$PGURL" -c "\\d orders"'
    run 'psql -X "$PGURL" -c "select c.name, o.order_id, l.sku, l.qty, l.price from customer c join orders o using (customer_id) join order_line l using (order_id) order by 2, l.line_no"'
}

say "done: examples/ has eleven more designs"
