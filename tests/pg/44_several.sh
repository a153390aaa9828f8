#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Two live tables with keys of their own, and a file, in one run: killed and resumed until it is done, into
# files and the database; the rows are those of the items in files, verify and status know all of it.
. "$(dirname "$0")/lib.sh"
. "$TESTS/sim/sim.sh"
new_db
sim_only
cat >model.json <<'M'
{
  "renorm": 1, "name": "two", "source": { "type": null, "key": ["PK", "SK"] },
  "sources": { "orders": { "key": "id" }, "gone": { "key": "n" } },
  "entities": {
    "User": { "source": "users", "keys": { "PK": "{user_id}", "SK": "{kind}" }, "table": "account", "primary_key": "user_id" },
    "Order": {
      "source": "orders", "keys": { "id": "{order_id}" }, "table": "orders", "primary_key": "order_id",
      "references": [{ "columns": "by", "to": "account" }],
      "columns": { "order_id": "text", "by": "text" }
    },
    "Gone": { "source": "gone", "when": { "n": { "exists": true } }, "table": "account", "primary_key": "user_id",
              "columns": { "user_id": { "type": "text", "from": "n" }, "kind": "text" } }
  }
}
M
n=1200
awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) printf "{\"PK\":{\"S\":\"u%d\"},\"SK\":{\"S\":\"user\"}}\n", i }' >users.jsonl
awk -v n=$n 'BEGIN { for (i = 0; i < 2 * n; i++) printf "{\"id\":{\"S\":\"o%d\"},\"by\":{\"S\":\"u%d\"}}\n", i, i % n }' >orders.jsonl
for i in 1 2 3; do echo "{\"n\":{\"S\":\"g$i\"},\"kind\":{\"S\":\"gone\"}}"; done | gzip >gone.jsonl.gz

# files: each entity's are found by the names of the files
export_ok users.jsonl orders.jsonl gone.jsonl.gz folder -m model.json
folder_rows folder >want.txt
equal "rows" "$(wc -l <want.txt)" $((3 * n + 3))
export_exit 2 users.jsonl gone.jsonl.gz other -m model.json
said 'the items of "Order" are in "orders", which is not read'

sim_start users --credentials AKID:SECRET --table users --key PK,SK --items users.jsonl --page-bytes 2048
users="dynamodb:users?endpoint=$SIM_URL"
sim_start orders --credentials AKID:SECRET --table orders --key id --items orders.jsonl --page-bytes 2048
orders="dynamodb:orders?endpoint=$SIM_URL"
go=("$users" "$orders" gone.jsonl.gz)

# killed again and again, whatever is under way in either table
for to in "$URL" live; do
    for _ in 1 2 3; do
        target=$(($(sim_stat scans) + 8))
        start killed "$RENORM" export "${go[@]}" "$to" -m model.json -w 2 --rcu 15 --commit-seconds 1
        pid=$STARTED
        wait_until "[ \$(sim_stat scans) -ge $target ] || ! kill -0 $pid 2>/dev/null"
        stop "$pid" KILL || true
    done
    export_ok "${go[@]}" "$to" -m model.json -w 3 --summary end.json
    equal "$to: items over all processes" "$(jq -c '[.items.read, .items.routed, .resumed]' end.json)" "[$((3 * n + 3)),$((3 * n + 3)),true]"
    "$RENORM" verify "${go[@]}" "$to" -m model.json --quiet || fail "verify $to"
done
pg_rows_of two model.json >got.txt
diff want.txt got.txt >diff.txt || { head diff.txt; fail "the database differs"; }
folder_rows live >got.txt
diff want.txt got.txt >diff.txt || { head diff.txt; fail "the folder differs"; }
"$RENORM" status "$URL" >status.txt
grep -q 'table "users".*; table "orders".*; "gone.jsonl.gz"' status.txt || fail "$(cat status.txt)"

# other sources are another run; one table alone is read alone; rows without a parent are seen over both
export_ok "$users" gone.jsonl.gz people -m model.json --only User,Gone
equal "one of them" "$(folder_rows people | wc -l)" $((n + 3))
export_exit 2 "$users" "$users" "$URL" -m model.json --only User,Gone
said 'is named twice'
equal "no orphans" "$(q "select convalidated from pg_constraint where conrelid = 'two.orders'::regclass and contype = 'f'")" t
q "delete from two.orders where order_id = 'o7'" >/dev/null
status=0
"$RENORM" verify "${go[@]}" "$URL" -m model.json --quiet >out.txt 2>&1 || status=$?
equal "verify sees a row that is gone" "$status" 1
