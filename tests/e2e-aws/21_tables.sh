#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables of every kind on a real server: simple and composite keys of all types, all data types, an
# index, items of 400 KB, one item, none. Rows equal those of the file export.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
dynalite_start
dynalite_env

cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t",
  "entities": { "Thing": { "table": "thing", "columns": {
      "n": "numeric", "s": "text", "b": "bytea", "yes": "boolean", "tags": "text[]", "numbers": "numeric[]",
      "blobs": "bytea[]", "map": "jsonb", "list": "jsonb" } } } }
MODEL

# items KIND: the keys of that kind, and every data type. The older DynamoDB Local takes no empty text.
items() {
    python3 - "$1" "${DDB_SERVER:-}" <<'PY'
import base64, json, sys
kind, server = sys.argv[1:]
empty = "blank" if server == "local" else ""
for i in range(200):
    blob = base64.b64encode(bytes([i, 0, 255 - i])).decode()
    keys = {"S": {"S": f"key {i}"}, "N": {"N": str(i * 10 - 700) if i % 2 else f"{i}.5"}, "B": {"B": blob}}
    item = {"id": keys[kind[0]]}
    if len(kind) > 1:
        item["at"] = keys[kind[1]]
    item["Type"] = {"S": "Thing"}
    item["n"] = {"N": f"{i}.{i:036d}" if i < 10 else "-" + "9" * 38 if i == 11 else f"{i}E+80"}
    item["s"] = {"S": [empty, "tab\t", "\U0001F600 \"\\", "é\u2028"][i % 4]}
    if i == 1:
        item["s"] = {"NULL": True}
    item["b"] = {"B": blob}
    item["yes"] = {"BOOL": i % 2 == 0}
    item["tags"] = {"SS": [f"z{i}", "a", "m"]}
    item["numbers"] = {"NS": ["3", "-1", f"{i + 5}"]}
    item["blobs"] = {"BS": [blob, "AA=="] if blob != "AA==" else [blob]}
    item["map"] = {"M": {"x": {"N": "1"}, "deep": {"M": {"l": {"L": [{"S": "v"}, {"NULL": True}]}}}}}
    item["list"] = {"L": [{"N": str(i)}, {"BOOL": False}, {"M": {}}]}
    item["more"] = {"L": []}
    print(json.dumps(item, separators=(",", ":")))
PY
}

# live NAME KEYS FILE [OPTION...]: loaded, exported with several numbers of segments, compared.
live() {
    local name=$1 keys=$2 file=$3 segments
    shift 3
    dynalite_load "$name" "$keys" "$file" >/dev/null
    rm -rf want
    "$BIN" export "$file" want -m model.json --quiet
    # the model explains no key attribute, so they are in the rest, known to the table or not
    rows want | sort >want.rows
    for segments in 1 7 16; do
        rm -rf got
        "$BIN" export "dynamodb:$name" got -m model.json --quiet --segments "$segments" "$@"
        rows got | sort >got.sorted
        cmp want.rows got.sorted || fail "$name, $segments segments: other rows"
    done
}

for kind in S N B SS SN SB NS BN; do
    items "$kind" >"$kind.jsonl"
    keys=id:${kind:0:1}
    if [ ${#kind} = 2 ]; then keys=$keys,at:${kind:1:1}; fi
    live "keys-$kind" "$keys" "$kind.jsonl"
done
live strong id:S S.jsonl --strong

head -n 1 S.jsonl >one.jsonl
live one id:S one.jsonl
: >none.jsonl
live none id:S none.jsonl
equal "rows of an empty table" "$(rows got | wc -l)" 0

# no number of segments is given: it is chosen from the size
rm -rf got
"$BIN" export dynamodb:keys-S got -m model.json --quiet
rows got >got.rows
cmp <(sort got.rows) <(rm -rf got && "$BIN" export dynamodb:keys-S got -m model.json --quiet --segments 1 && rows got | sort) ||
    fail "another number of segments, other rows"

# items of 400 KB: a page holds two or three of them
python3 - >big.jsonl <<'PY'
import json
for i in range(12):
    print(json.dumps({"id": {"S": f"big{i}"}, "Type": {"S": "Thing"}, "s": {"S": chr(97 + i) * (400 * 1024 - 30)}}))
PY
live big id:S big.jsonl --rcu 100000

# an index, sparse: its items only; its keys are no part of the rest, the unexplained one of the table is
python3 - >indexed.jsonl <<'PY'
import json
for i in range(60):
    item = {"id": {"S": f"i{i}"}, "Type": {"S": "Thing"}, "n": {"N": str(i)}}
    if i % 3 == 0:
        item["GSI1PK"] = {"S": f"group{i % 2}"}
        item["GSI1SK"] = {"N": str(i)}
    print(json.dumps(item))
PY
dynalite_load indexed 'id:S GSI1=GSI1PK:S,GSI1SK:N' indexed.jsonl >/dev/null
of_index=$(for i in $(seq 0 3 57); do echo "thing {\"n\":$i,\"extra\":{\"id\":{\"S\":\"i$i\"}}}"; done | sort)
rm -rf got
"$BIN" export 'dynamodb:indexed?index=GSI1' got -m model.json --quiet --segments 4
equal "rows of the index" "$(rows got)" "$of_index"
rm -rf got
"$BIN" export dynamodb:indexed got -m model.json --quiet --segments 4 --index GSI1
equal "rows of the index, by option" "$(rows got)" "$of_index"
expect_exit 2 "$BIN" export 'dynamodb:indexed?index=GSI1' got -m model.json --quiet --strong 2>err.txt
grep -q 'strong consistency' err.txt || fail "$(cat err.txt)"
