# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the tables of a model as text for other tools; what their readers make of it is in tests/diagrams
cat >model.json <<'M'
{
  "renorm": 1,
  "name": "shop",
  "source": { "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "C#{customer_id}", "SK": "A" }, "table": "customer", "primary_key": "customer_id",
      "columns": { "customer_id": "text", "tags": "text[]" } },
    "Line": { "keys": { "PK": "O#{order_id}", "SK": "{line:integer}" }, "table": "line", "primary_key": ["order_id", "line"],
      "references": [{ "columns": "customer_id", "to": "customer" }],
      "columns": { "order_id": "text", "line": "integer", "customer_id": "text", "at": "timestamptz" } },
    "Note": { "keys": { "PK": "O#{order_id}", "SK": "NOTE#{line:integer}" }, "table": "note", "primary_key": ["order_id", "line"],
      "references": [{ "columns": ["order_id", "line"], "to": "line" }],
      "columns": { "order_id": "text", "line": "integer", "on": { "type": "boolean", "not_null": true } } }
  }
}
M
for format in mermaid dbml dot svg dbt contract; do
    echo "== $format"
    renorm check model.json --$format --schema night || exit
done
echo "== refused"
renorm check model.json --dbt --mermaid 2>&1 && exit 9
renorm check model.json items.jsonl --dot 2>&1 && exit 9
renorm check model.json --dot --quiet | head -n 1
