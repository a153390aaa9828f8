#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two entities merged into one table: the rows and conflicts in PostgreSQL are those of the files.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": ["PK", "SK"] },
  "entities": {
    "bill": {
      "keys": { "PK": "I#{invoice}", "SK": "B#{bill}" },
      "table": "bill", "primary_key": ["invoice", "bill"], "merge": "first",
      "columns": { "invoice": "text", "bill": "text", "amount": "numeric", "balance": "numeric" }
    },
    "turned": {
      "keys": { "PK": "B#{bill}", "SK": "I#{invoice}" },
      "table": "bill", "primary_key": ["invoice", "bill"], "merge": "first",
      "columns": { "invoice": "text", "bill": "text", "amount": "numeric", "due": "date" }
    }
  }
}
M
cat >items.jsonl <<'M'
{"PK":{"S":"I#1"},"SK":{"S":"B#7"},"amount":{"N":"10.50"},"balance":{"N":"3"},"note":{"S":"n"}}
{"PK":{"S":"B#7"},"SK":{"S":"I#1"},"amount":{"N":"10.5"},"due":{"S":"2024-02-29"}}
{"PK":{"S":"I#1"},"SK":{"S":"B#8"},"amount":{"N":"2"}}
{"PK":{"S":"B#8"},"SK":{"S":"I#1"},"amount":{"N":"1"},"due":{"S":"2024-03-01"}}
{"PK":{"S":"B#9"},"SK":{"S":"I#2"},"due":{"S":"2024-04-01"}}
M
export_ok items.jsonl folder -m model.json
export_ok items.jsonl "$URL" -m model.json --schema merged
folder_rows folder >want.txt
pg_rows_of merged model.json >got.txt
diff -u want.txt got.txt || fail "the tables differ from the files"
equal "rows" "$(q 'select invoice, bill, amount, balance, due from merged.bill order by 1, 2')" \
    $'1|7|10.5|3|2024-02-29\n1|8|1|\\N|2024-03-01\n2|9|\\N|\\N|2024-04-01'
equal "conflicts" "$(q 'select invoice, bill, attribute, kept, lost, count from merged.bill_conflict')" '1|8|amount|1|2|1'
"$RENORM" verify items.jsonl folder -m model.json --quiet
"$RENORM" verify items.jsonl "$URL" -m model.json --schema merged --quiet
