# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What a backfill writes is part of the model: shown when right, told with its place when wrong.
cat >good.json <<'JSON'
{ "renorm": 1, "source": { "key": ["PK", "SK"] }, "entities": {
  "Order": {
    "keys": { "PK": "CUSTOMER#{customer_id}", "SK": "#ORDER#{order_id}" },
    "table": "orders", "primary_key": "order_id",
    "backfill": { "Type": "Order", "GSI1PK": "STATUS#{status|lower}",
      "Rank": { "type": "N", "value": "{points}" }, "Old": null },
    "backfill_when": { "status": { "exists": true }, "total": { ">": 5 } },
    "backfill_missing": "fail" } } }
JSON
sed 's/"GSI1PK"/"SK"/; s/{points}/#{^points}/; s/"Order", "SK"/"Ordr", "SK"/' good.json >bad.json
renorm check good.json
renorm check bad.json || echo "exit $?"
