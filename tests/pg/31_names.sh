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

# nor does anything go where the server's own tables are, or ours: said before the load
for schema in renorm renorm_run_1 renorm_old_1 pg_catalog pg_temp information_schema; do
    export_exit 2 items.jsonl "$URL" -m model.json --schema $schema
    said "\"$schema\" cannot be the schema of the tables"
done

# columns and tables that are called as our statements call theirs
words=(a c d e g i k l m n o p s t u w1 id pos held excluded source_key renorm_losers select)
# and whatever else generated SQL calls something
grep -rohE '\bAS [a-z]+\b' "$ROOT/sinks/postgres" --include='*.c' | cut -d' ' -f2 | sort -u >aliases
[ "$(wc -l <aliases)" -gt 10 ] || fail "where are the aliases?"
while read -r alias; do
    if [[ " ${words[*]} " != *" ${alias/%w/w1} "* ]]; then words+=("$alias"); fi
done <aliases
jq -n --args '{ renorm: 1, name: "words", source: { type: "Type", key: ["PK", "SK"] },
  entities: ([ $ARGS.positional[] | . as $w | {
    key: $w, value: { table: $w, primary_key: [$w], keys: { PK: "\($w)#{\($w)}" },
      references: [ { columns: ["other"], to: "\($w)_of" } ],
      stages: [ { explode: { from: "tags", into: "\($w)_tag" } },
                { extract: { into: "\($w)_of", key: "other", columns: { other: "text", ("\($w)"): { type: "text", from: "much" } } } } ],
      columns: { ("\($w)"): "text", other: "text", SK: "text" } } } ] | from_entries) }' "${words[@]}" >words.json
jq -nc --args '$ARGS.positional[] | . as $w | ("1", "2") as $n |
  { PK: {S: "\($w)#x"}, SK: {S: $n}, Type: {S: $w}, other: {S: "o"}, much: {S: $n}, tags: {L: [{S: $n}]} }' "${words[@]}" >words.jsonl
# held SCHEMA: of each table, the item that stayed, its child, and the copy with its conflict
held() {
    local w sql=""
    for w in "${words[@]}"; do
        sql+="${sql:+ union all }select (select string_agg(\"SK\", ',') from $1.\"$w\"), (select string_agg(value, ',') from $1.\"${w}_tag\"),"
        sql+=" (select count(*) from $1.\"${w}_of\"), (select count(*) from $1.\"${w}_of_conflict\")"
    done
    q "$sql" | sort -u
}
for way in first last; do
    want=$([ $way = first ] && echo 1 || echo 2)
    export_ok words.jsonl "$URL" -m words.json --schema "$way" --duplicates $way
    equal "$way: what stayed" "$(held $way)" "$want|$want|1|1"
    cp words.jsonl again.jsonl
    touch -d tomorrow again.jsonl
    export_ok again.jsonl "$URL" -m words.json --schema "$way" --mode append --duplicates $way
    equal "append, $way: what stayed" "$(held $way)" "$want|$want|1|1"
done
for more in "" --delete-missing; do
    export_ok words.jsonl "$URL" -m words.json --schema merged --mode merge $more
    equal "merge: what stayed" "$(held merged)" "2|2|1|1"
done
export_exit 1 words.jsonl "$URL" -m words.json --schema none
said "rows have a key that another row has"
