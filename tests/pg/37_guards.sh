#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Guards: an empty source and a table that lost most of its rows do not replace what readers see,
# in each mode that takes rows away; what --delete-missing deletes is counted and guarded.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "guards", "source": { "type": "T", "key": ["PK"] }, "entities": {
  "A": { "table": "a", "keys": { "PK": "A#{a}" }, "primary_key": "a",
         "stages": [{ "explode": { "from": "L", "into": "l" } }],
         "columns": { "a": "text", "n": "bigint" } },
  "B": { "table": "b", "keys": { "PK": "B#{b}" }, "primary_key": "b", "columns": { "b": "text" } } } }
M
# items FROM TO [LIST]: items of A with a list of their own; others N: those of B
items() { seq "$1" "$2" | sed "s/.*/{\"PK\":{\"S\":\"A#&\"},\"T\":{\"S\":\"A\"},\"n\":{\"N\":\"&\"},\"L\":{\"L\":[${3:-}]}}/"; }
others() { seq "$1" | sed 's/.*/{"PK":{"S":"B#&"},"T":{"S":"B"}}/'; }
two='{"S":"x"},{"S":"y"}'
counts() { q "select (select count(*) from $1.a), (select count(*) from $1.l), (select count(*) from $1.b)"; }
state() { q "select state from renorm.run where target = '$1' order by run desc limit 1"; }
go() { export_ok "$1" "$URL" -m model.json --schema "$2" "${@:3}"; }
held() { # held FILE SCHEMA SAID [OPTION...]: exit 1, held, and what readers see is as it was
    local before
    before=$(counts "$2")
    export_exit 1 "$1" "$URL" -m model.json --schema "$2" "${@:4}"
    said "$3"
    said "is held"
    equal "$2: state" "$(state "$2")" held
    equal "$2: untouched" "$(counts "$2")" "$before"
}
{ items 1 200 "$two" && others 200; } >good.jsonl
{ items 1 99 "$two" && others 200; } >few.jsonl
{ items 1 200 && others 200; } >lists.jsonl
: >empty.jsonl

# replace: against the last published run
go good.jsonl r
held few.jsonl r 'table "a" shrank from 200 to 99 rows, by more than 50%; table "l" shrank from 400 to 198 rows'
said '--allow shrink:a,shrink:l'
held few.jsonl r 'table "l" shrank' --allow shrink:a
go few.jsonl r --allow shrink:a,shrink:l
equal "meant" "$(counts r)" "99|198|200"
equal "loaded once" "$(q "select count(*) from renorm.run where target = 'r'")" 2
go good.jsonl r
held empty.jsonl r "the source is empty" --allow shrink
go empty.jsonl r --allow empty
equal "emptied" "$(counts r)" "0|0|0"
go good.jsonl r
held lists.jsonl r 'table "l" shrank from 400 to 0 rows'
go lists.jsonl r --max-shrink 100%
# after an append the rows that are there count, not those that it added
export_ok few.jsonl "$URL" -m model.json --schema r --mode append --duplicates last
go good.jsonl r

# append takes nothing away
go good.jsonl add --mode append
go empty.jsonl add --mode append
equal "append" "$(counts add)" "200|400|200"

# merge neither, unless it deletes what is missing: that is counted, and guarded
go good.jsonl m --mode merge
go empty.jsonl m --mode merge
go few.jsonl m --mode merge
equal "merge" "$(counts m)" "200|400|200"
held empty.jsonl m "the source is empty" --mode merge --delete-missing
held few.jsonl m 'table "a" would lose 101 of its 200 rows, more than 50%; table "l" would lose 202 of its 400' \
    --mode merge --delete-missing --restart
export_ok few.jsonl "$URL" -m model.json --schema m --mode merge --delete-missing --allow shrink --summary sum.json
equal "deleted" "$(jq .deleted sum.json)" 303
equal "missing ones are gone" "$(counts m)" "99|198|200"
items 1 50 >fifty.jsonl
go fifty.jsonl m --mode merge --delete-missing --allow shrink:l,shrink:b
equal "small tables come and go" "$(counts m)" "50|0|0"
# all keys are others: as many rows come as go, and yet those that go are missed
{ items 201 400 "$two" && others 1; } >moved.jsonl
go good.jsonl k --mode merge
held moved.jsonl k 'table "a" would lose 200 of its 200 rows' --mode merge --delete-missing
