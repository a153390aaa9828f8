#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Names the model does not write: those of keys, indexes and foreign keys never meet.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "ix", "source": { "type": "Type", "key": ["PK"] },
  "entities": {
    "P": { "table": "p", "primary_key": ["pid"], "columns": { "pid": "text" } },
    "Q": { "table": "q", "primary_key": ["x", "y"], "columns": { "x": "text", "y": "text" } },
    "K": { "table": "orders_pkey", "primary_key": ["pid"], "columns": { "pid": "text" } },
    "O": { "table": "orders", "primary_key": ["oid"],
           "references": [ { "columns": ["line_pid"], "to": "p" }, { "columns": ["a_b"], "to": "p" },
                           { "columns": ["a", "b"], "to": "q" } ],
           "columns": { "oid": "text", "line_pid": "text", "a_b": "text", "a": "text", "b": "text" } },
    "L": { "table": "orders_line", "primary_key": ["lid"], "references": [ { "columns": ["pid"], "to": "p" } ],
           "columns": { "lid": "text", "pid": "text" } } } }
M
cat >items.jsonl <<'I'
{"PK":{"S":"1"},"Type":{"S":"P"},"pid":{"S":"1"}}
{"PK":{"S":"2"},"Type":{"S":"Q"},"x":{"S":"1"},"y":{"S":"2"}}
{"PK":{"S":"3"},"Type":{"S":"K"},"pid":{"S":"1"}}
{"PK":{"S":"4"},"Type":{"S":"O"},"oid":{"S":"1"},"line_pid":{"S":"1"},"a_b":{"S":"1"},"a":{"S":"1"},"b":{"S":"2"}}
{"PK":{"S":"5"},"Type":{"S":"L"},"lid":{"S":"1"},"pid":{"S":"1"}}
I
for mode in replace append merge; do
    export_ok items.jsonl "$URL" -m model.json --schema "$mode" --mode "$mode"
    equal "$mode: indexes" "$(q "select count(*) from pg_indexes where schemaname = '$mode'")" 9
    equal "$mode: foreign keys" "$(q "select count(*) from pg_constraint where connamespace = '$mode'::regnamespace and contype = 'f' and convalidated")" 4
    # the same again: the same names
    if [ "$mode" != append ]; then export_ok items.jsonl "$URL" -m model.json --schema "$mode" --mode "$mode"; fi
    equal "$mode: no more of them" "$(q "select count(*) from pg_indexes where schemaname = '$mode'")" 9
done
q "select regexp_replace(indexname, '^.*:', '') from pg_indexes where schemaname = 'replace' order by 1" >a.txt
q "select regexp_replace(indexname, '^.*:', '') from pg_indexes where schemaname = 'merge' order by 1" >b.txt
diff -u a.txt b.txt || fail "names differ by mode"
# what check prints is what a server takes
"$RENORM" check model.json --ddl >ddl.sql
sed -i 's/"ix"/"printed"/g' ddl.sql
psql -Xq -v ON_ERROR_STOP=1 -d "$URL" -f ddl.sql >/dev/null 2>&1 || fail "check --ddl is not taken"

# a name that somebody else has in the target
q "create schema taken; create sequence taken.q_pkey" >/dev/null
for mode in replace append merge; do
    export_exit 2 items.jsonl "$URL" -m model.json --schema taken --mode "$mode"
    said 'names that keys and indexes would have are taken in schema "taken"'
    said '"q_pkey"'
done
