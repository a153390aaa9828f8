# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# check refuses what can only fail later, says what may be meant, and tells one mistake once; an
# export, which may go to a place that does not mind, is not kept from it
model() {
    printf '{ "renorm": 1, "source": { "key": ["PK", "SK"] }, "entities": {\n%s\n} }\n' "$1" >model.json
    renorm check model.json 2>&1 | grep -v '^advice'
    echo "[${PIPESTATUS[0]}]"
}
echo "== names of the server, floats without their rule, two columns for one attribute"
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "id",
  "stages": [{ "explode": { "from": "L", "into": "l", "columns": { "ctid": "text" } } }],
  "columns": { "xmin": "text", "d": "double precision", "x": { "type": "text", "from": "Full.Name" }, "Full_Name": "text",
    "ok": { "type": "double precision", "lossy": "float" } } }'
echo '{"PK":{"S":"A#1"},"SK":{"S":"A"},"Type":{"S":"A"},"xmin":{"S":"x"}}' >items.jsonl
renorm export items.jsonl out -m model.json --quiet 2>&1 && zstd -dcq out/a/*.zst
model '"A": { "keys": { "PK": "A#{id}" }, "table": "renorm:a", "primary_key": "id" }'
echo '{ "renorm": 1, "name": "pg_shop", "source": { "key": ["PK"] }, "entities": { "A": { "table": "a", "columns": { "a": "text" } } } }' >named.json
renorm check named.json 2>&1
renorm check named.json --schema shop --quiet && echo "another schema will do"
echo "== one mistake, one error, and what may be meant"
b='"B": { "keys": { "PK": "B#{customer_id}" }, "table": "b", "primary_key": "customer_id" }'
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "idd", "stages": [{ "explode": { "from": "L", "into": "l", "columns": { "x": "text" } } }],
  "references": [{ "columns": "custmer_id", "to": "b" }], "columns": { "customer_id": "text" } }, '"$b"
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "id", "references": [{ "columns": "customer_id", "to": "b" }], "columns": { "customer_id": "text" } },
  "B": { "keys": { "PK": "B#{customer_id}" }, "table": "b", "primary_key": "customerid" }'
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "iid", "merge": "first" }'
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "stages": [{ "link": { "id": "b", "custmer_id": "b" } }], "columns": { "id": "text", "customer_id": "text" } }, '"$b"
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "zzz", "columns": { "name": "text" } }'
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "id", "stages": [{ "extract": { "into": "c", "key": "cid", "columns": ["c_id", "name"] } }] }'
model '"A": { "keys": { "PK": "A#{id}" }, "table": "a", "primary_key": "id", "references": [{ "columns": "custmer_id", "to": "b" }, { "columns": "custmer_id", "to": "c" }], "columns": { "customer_id": "text" } },
  "C": { "keys": { "PK": "C#{customer_id}" }, "table": "c", "primary_key": "customer_id" }, '"$b"
