# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scenarios of the backfill share; source it after live.sh.

# sim_items: all items of the simulator, as sorted lines.
sim_items() { sim_control dump | python3 "$TESTS/e2e-aws/table.py" sort; }

# ddb_items TABLE [INDEX]: the same of the real server.
ddb_items() { python3 "$TESTS/e2e-aws/table.py" scan "$DYNALITE_URL" "$@"; }

# call OPERATION BODY: one unsigned request to the server that renorm is led to.
call() { python3 "$TESTS/e2e-aws/table.py" call "$AWS_ENDPOINT_URL_DYNAMODB" "$@"; }

# want SPEC <before >after: see table.py.
want() { python3 "$TESTS/e2e-aws/table.py" want "$1"; }

# same_items WHAT GOT WANT: files of sorted lines.
same_items() {
    cmp -s "$2" "$3" && return 0
    { diff "$3" "$2" || true; } | cut -c1-400 | sed -n 1,20p >&2
    fail "$1: other items"
}

# counts FILE: the balance sheet in a fixed order, and that it adds up.
counts() {
    jq -e '.items | .read == .changed + .already + .skipped + .filtered + .unrouted + .conflicted + .failed' \
        "$1" >/dev/null || fail "does not add up: $(cat "$1")"
    jq -r '.items | "read \(.read) changed \(.changed) already \(.already) skipped \(.skipped) filtered \(.filtered) unrouted \(.unrouted) conflicted \(.conflicted) failed \(.failed)"' "$1"
}

# fill OPTION...: a backfill of the simulator's table, or the one in $TABLE, without limits.
fill() {
    "$BIN" backfill "dynamodb:${TABLE:-shop}" -m model.json --state state --quiet --rcu 100000 --wcu 100000 \
        --summary end.json "$@"
}

undo() { "$BIN" backfill "dynamodb:${TABLE:-shop}" --undo state --quiet --wcu 100000 --summary undo.json "$@"; }

verify_fill() { "$BIN" verify "dynamodb:${TABLE:-shop}" -m model.json --backfill --quiet --rcu 100000 "$@"; }

# thing_fill FILE: the model of a backfill of one attribute from another; what it makes is THING_WANT.
thing_fill() {
    cat >"$1" <<'MODEL'
{ "renorm": 1, "name": "t", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": { "Thing": { "table": "thing", "backfill": { "G1": "{s}!" } } } }
MODEL
}
# shellcheck disable=SC2034
THING_WANT='{"G1": s("s") + "!"}'

# shop_fill FILE: the model of a backfill of the simulator's made-up items; what it makes of them is
# SHOP_WANT.
shop_fill() {
    cat >"$1" <<'MODEL'
{
  "renorm": 1, "name": "shop",
  "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": {
      "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "A" }, "table": "customer", "primary_key": ["customer_id"],
      "backfill": { "GSI1PK": "CITY#{Address.City}", "GSI1SK": "{Name|lower}#{customer_id}", "Note": null }
    },
    "Order": {
      "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" }, "table": "orders",
      "primary_key": ["order_id"],
      "backfill": { "GSI1PK": "STATUS#{Status}", "GSI1SK": "{PlacedAt}#{order_id}" }
    },
    "Item": {
      "keys": { "PK": "ITEM#{number}", "SK": "A" }, "table": "item", "primary_key": ["number"],
      "backfill": { "GSI1PK": "NUMBER#{number}" }
    }
  }
}
MODEL
}
# shellcheck disable=SC2034
SHOP_WANT='{"GSI1PK": "CITY#" + i["Address"]["M"]["City"]["S"], "Note": None,
            "GSI1SK": s("Name").lower() + "#" + s("PK")[9:]} if s("Type") == "Customer" else
           {"GSI1PK": "STATUS#" + s("Status"), "GSI1SK": s("PlacedAt") + "#" + s("SK")[7:]} if s("Type") == "Order" else
           {"GSI1PK": "NUMBER#" + s("PK")[5:]}'
# an index on what the backfill sets
# shellcheck disable=SC2034
SHOP_INDEX='{"GlobalSecondaryIndexes":[{"IndexName":"GSI1","IndexStatus":"ACTIVE","Projection":{"ProjectionType":"ALL"},
  "KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":1000,"WriteCapacityUnits":1000}}],
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},
  {"AttributeName":"GSI1PK","AttributeType":"S"},{"AttributeName":"GSI1SK","AttributeType":"S"}]}'
