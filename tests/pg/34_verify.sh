#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Verify against tables that somebody has been at: whatever stands there now, in a column of any
# type, is a difference with the row's key, never an error; columns of another type are named.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "all", "source": { "type": "Type", "key": ["PK"] },
  "entities": {
    "A": { "table": "a", "primary_key": ["PK"], "columns": {
      "PK": "text", "i": "integer", "b": "bigint", "n": "numeric", "f": { "type": "double precision", "lossy": "float" },
      "o": "boolean", "y": "bytea", "d": "date", "t": "timestamptz", "u": "uuid", "j": "jsonb",
      "ta": "text[]", "na": "numeric[]", "ba": "bytea[]" } },
    "B": { "table": "b", "primary_key": ["PK"], "columns": { "PK": "text" } } } }
M
cat >items.jsonl <<'I'
{"PK":{"S":"k1"},"Type":{"S":"A"},"i":{"N":"1"},"b":{"N":"2"},"n":{"N":"1E+125"},"f":{"N":"0.1"},"o":{"BOOL":true},"y":{"B":"AAE="},"d":{"S":"2020-02-29"},"t":{"S":"2020-02-29T23:59:59.999999+05:30"},"u":{"S":"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"},"j":{"M":{"a":{"N":"1.50"}}},"ta":{"SS":["b","a"]},"na":{"NS":["1E-130","-9.99E+125"]},"ba":{"BS":["AAE=","AA=="]}}
{"PK":{"S":"k2"},"Type":{"S":"A"}}
{"PK":{"S":"k7"},"Type":{"S":"A"},"ta":{"L":[{"NULL":true}]},"na":{"L":[{"NULL":true}]},"ba":{"L":[{"NULL":true}]}}
{"PK":{"S":"k8"},"Type":{"S":"A"},"j":{"S":"123456789012345678901234567890123456789012345"}}
{"PK":{"S":"k3"},"Type":{"S":"B"}}
{"PK":{"S":"k4"},"Type":{"S":"B"},"extra":{"S":"odd"}}
{"PK":{"S":"k5"},"Type":{"S":"Nobody"}}
{"PK":{"S":"k6"},"Type":{"S":"A"},"i":{"N":"1.5"}}
I
long=$(printf 'ü%.0s' $(seq 40))
for schema in all "$long"; do
    export_ok items.jsonl "$URL" -m model.json --schema "$schema" --max-rejects 1 --max-unrouted 1
    expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json --schema "$schema" >/dev/null
done

# differs SQL TEXT: after it verify ends with 1 and says TEXT; then all is as it was
q 'create table public.a as table "all".a' >/dev/null
differs() {
    local status=0
    q "$1" >/dev/null
    "$RENORM" verify items.jsonl "$URL" -m model.json >verify.txt 2>&1 || status=$?
    if [ "$status" != 1 ] || ! grep -qE -- "$2" verify.txt; then cat verify.txt >&2; fail "$1: $status"; fi
    grep -qE '^b +2 rows  equal' verify.txt || { cat verify.txt >&2; fail "$1: the other table was not compared"; }
    q 'truncate "all".a; insert into "all".a table public.a' >/dev/null
}
n=0
while IFS='|' read -r column value; do
    for key in k1 k2; do
        differs "update \"all\".a set $column = $value where \"PK\" = '$key'" "^a: different: \\[\"$key\"\\]"
    done
    n=$((n + 1))
done <<'V'
i|7
b|-7
n|'NaN'
n|'9e1000'
f|'NaN'
f|'-0'
o|false
y|''
d|'infinity'
d|'0044-03-15 BC'
d|'5874897-12-31'
d|'258020-02-29'
t|'-infinity'
t|'258020-02-29 18:29:59.999999+00'
t|'4713-01-01 BC'
t|'294276-12-31'
u|'00000000-0000-0000-0000-000000000000'
j|'null'
j|'{"a": 1e1000}'
j|(repeat('[', 300) || repeat(']', 300))::jsonb
ta|'{}'
ta|array[['a', 'b']]
ta|array['a', null]
na|array['NaN'::numeric]
na|array[[1]]
ba|array[null::bytea]
extra|'{}'
V
equal "values tried" "$n" 27
# a lone NULL is a value, and no array of arrays
for column in ta na ba; do
    differs "update \"all\".a set $column = '{{NULL}}' where \"PK\" = 'k7'" '^a: different: \["k7"\]'
done
# digits are no number, however many
differs "update \"all\".a set j = to_jsonb((j #>> '{}')::numeric) where \"PK\" = 'k8'" '^a: different: \["k8"\]'
# what has other bytes and the same value is no difference
q "update \"all\".a set n = n + 0.000, ta = '[5:6]={a,b}', j = '{\"a\": 1.5000}' where \"PK\" = 'k1'" >/dev/null
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null

# kinds of items that became no rows
q "update renorm.reject set kind = 'unrouted' where run = 1 and kind = 'reject'" >/dev/null
differs "select 1" '^rejected items: the source has 1, the sink 0$'
differs "select 1" '^unrouted items: the source has 1, the sink 2$'
q "update renorm.reject set kind = 'reject' where run = 1 and reason <> 'unrouted'" >/dev/null

# their content and reasons
q "create table public.reject as table renorm.reject" >/dev/null
for change in "item = '{}'" "reason = reason || 's'"; do
    q "update renorm.reject set $change where run = 1 and kind = 'reject'" >/dev/null
    differs "select 1" '^rejected items: the sink has as many as the source, but others$'
    q "truncate renorm.reject; insert into renorm.reject table public.reject" >/dev/null
done
q "update renorm.reject set item = '{}' where run = 1 and kind = 'unrouted'" >/dev/null
differs "select 1" '^unrouted items: the sink has as many as the source, but others$'
q "truncate renorm.reject; insert into renorm.reject table public.reject; drop table public.reject" >/dev/null
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null

# a column that somebody added
q 'alter table "all".a add secret text' >/dev/null
expect_exit 1 "$RENORM" verify items.jsonl "$URL" -m model.json >told 2>/dev/null
grep -qE '^a +column "secret" is not of the model$' told || fail "an added column: $(cat told)"
q 'alter table "all".a drop secret' >/dev/null
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null

# columns of another type; a modifier is none
q 'alter table "all".a alter n type numeric(400, 200)' >/dev/null
expect_exit 0 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null
differs 'alter table "all".a alter i type bigint' '^a +column "i" is bigint, the model says integer$'
q 'drop table public.a; alter table "all".a drop j, alter i type integer; alter table "all".a add j integer; create table public.a as table "all".a' >/dev/null
differs "select 1" '^a +column "j" is integer, the model says jsonb$'
