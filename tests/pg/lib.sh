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

# shop_model: the model for them.
shop_model() {
    cat <<'MODEL'
{
  "renorm": 1, "name": "shop",
  "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": {
      "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" },
      "table": "customer", "primary_key": ["customer_id"],
      "columns": { "customer_id": "text", "name": "text" }
    },
    "Order": {
      "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" },
      "table": "orders", "primary_key": ["order_id"],
      "references": [ { "columns": ["customer_id"], "to": "customer" } ],
      "stages": [ { "explode": { "from": "lines", "into": "order_line", "ordinal": "line_no",
                                 "columns": { "sku": "text", "qty": "bigint" } } } ],
      "columns": { "order_id": "text", "customer_id": "text", "total": "numeric" }
    }
  }
}
MODEL
}
