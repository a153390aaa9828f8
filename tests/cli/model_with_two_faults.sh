# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# both are told at once, each with its place, and nothing is touched
cat >model.json <<'M'
{
  "renorm": 1,
  "entities": {
    "Customer": {
      "tabel": "customer",
      "columns": { "id": "txt" }
    }
  }
}
M
echo '{"PK":{"S":"a"}}' >in.jsonl
renorm export in.jsonl out -m model.json
status=$?
ls
exit $status
