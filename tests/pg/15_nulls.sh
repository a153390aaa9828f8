#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copies that hold NULL have no say in an extract, by whatever rule: the rows and conflicts in
# PostgreSQL are those of the files, and verify agrees with both.
. "$(dirname "$0")/lib.sh"
new_db
{
    for rule in first last latest majority; do
        echo '{ "extract": { "into": "by_'$rule'", "key": "customer_id", "rule": "'$rule'", '"$([ $rule = latest ] && echo '"by": "at", ')"'"columns": { "customer_id": "text", "mail": "text", "score": "numeric", "seen": "timestamptz", "tags": "text[]", "more": "jsonb" } } },'
    done
} >stages.txt
cat >model.json <<M
{
  "renorm": 1,
  "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": {
      "keys": { "PK": "C#{customer_id}", "SK": "A" },
      "table": "customer", "primary_key": ["customer_id"],
      "columns": { "customer_id": "text", "mail": "text", "score": "numeric" }
    },
    "Order": {
      "keys": { "PK": "C#{customer_id}", "SK": "O#{order_id}" },
      "table": "orders", "primary_key": ["order_id"],
      "stages": [
        $(cat stages.txt)
        { "extract": { "into": "customer", "key": "customer_id",
                       "columns": { "customer_id": "text", "mail": "text", "score": "numeric" } } }
      ],
      "columns": { "order_id": "text", "customer_id": "text", "at": "bigint" }
    }
  }
}
M
# every order of value, NULL and nothing over three copies, for each attribute
awk 'BEGIN {
    split("mail score seen tags more", names, " ")
    split("S N S L M", kinds, " ")
    for (c = 0; c < 27; c++) {
        if (c % 4 == 0)
            printf "{\"PK\":{\"S\":\"C#%d\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"}%s}\n", c,
                c % 8 ? ",\"mail\":{\"NULL\":true},\"score\":{\"N\":\"7\"}" : ""
        for (i = 0; i < 3; i++) {
            printf "{\"PK\":{\"S\":\"C#%d\"},\"SK\":{\"S\":\"O#%d-%d\"},\"Type\":{\"S\":\"Order\"},\"at\":{\"N\":\"%d\"}", c, c, i, (i * 7) % 5
            for (a = 1; a <= 5; a++) {
                what = int(c / 3 ^ ((i + a) % 3)) % 3
                if (what == 1)
                    printf ",\"%s\":{\"NULL\":true}", names[a]
                else if (what == 2 && kinds[a] == "S")
                    printf ",\"%s\":{\"S\":\"%s\"}", names[a], a == 3 ? "2024-02-0" (1 + (c + i) % 2) "T00:00:00Z" : "m" (c + i) % 2
                else if (what == 2 && kinds[a] == "N")
                    printf ",\"%s\":{\"N\":\"%d.5\"}", names[a], (c + i) % 2
                else if (what == 2 && kinds[a] == "L")
                    printf ",\"%s\":{\"L\":[{\"S\":\"t%d\"}]}", names[a], i % 2
                else if (what == 2)
                    printf ",\"%s\":{\"M\":{\"x\":{\"NULL\":true}}}", names[a]
            }
            print "}"
        }
    }
}' >items.jsonl
export_ok items.jsonl folder -m model.json
export_ok items.jsonl "$URL" -m model.json --schema nulls
folder_rows folder >want.txt
pg_rows_of nulls model.json >got.txt
diff -u want.txt got.txt >diff.txt || { head -n 20 diff.txt; fail "the tables differ from the files"; }
grep -q '^by_majority_conflict ' want.txt || fail "no copies disagree"
equal "a NULL is never kept over a value nor told as lost" \
    "$(for t in first last latest majority; do q "select count(*) from nulls.by_${t}_conflict where kept is null or lost is null or kept = 'null' or lost = 'null'"; done | sort -u)" 0
equal "the item's own NULL stands" "$(q "select mail is null, kept is null, lost from nulls.customer join nulls.customer_conflict using (customer_id) where customer_id = '20' and attribute = 'mail' limit 1" | cut -d'|' -f1,2)" "t|t"
expect_exit 0 "$RENORM" verify items.jsonl folder -m model.json
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json --schema nulls
