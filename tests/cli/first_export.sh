# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# from items to rows: key parts, snake names, exact numbers, the rest kept
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": ["PK"] },
  "entities": {
    "Customer": {
      "keys": { "PK": "CUSTOMER#{customer_id}" },
      "table": "customer",
      "primary_key": ["customer_id"],
      "columns": { "customer_id": "text", "name": "text", "credit": "numeric" }
    }
  }
}
M
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"Type":{"S":"Customer"},"Name":{"S":"Ada"},"Credit":{"N":"0.10"}}
{"PK":{"S":"CUSTOMER#2"},"Type":{"S":"Customer"},"Name":{"S":""},"Note":{"NULL":true}}
I
renorm export items.jsonl out -m model.json --quiet || exit
zstd -dcq out/customer/*.zst | sort
