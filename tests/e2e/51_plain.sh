#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Items without type tags, however they are written, become the rows of the same items with them.
. "$(dirname "$0")/lib.sh"
scenario
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] },
  "entities": { "E": { "keys": { "PK": "E#{id}" }, "primary_key": "id", "stages": [{ "flatten": "M" }],
    "columns": { "id": "text", "n": "numeric", "s": "text", "tags": "text[]", "flag": "boolean", "nul": "text",
                 "m_x": "bigint", "doc": "jsonb" } } } }
M
# the same items in both forms, numbers with all their digits, by another JSON library
python3 - <<'P'
import random
rnd = random.Random(5)
def text():
    return "".join(rnd.choice(["a", "Z", "é", "😀", '\\"', "\\n", "\\u0001", " ", "{", "]"]) for _ in range(rnd.randrange(6)))
def value(depth):
    kind = rnd.randrange(4 if depth > 2 else 6)
    if kind == 0:
        t = text(); return f'{{"S":"{t}"}}', f'"{t}"'
    if kind == 1:
        n = rnd.choice([str(rnd.getrandbits(rnd.randrange(1, 126))), f"-{rnd.getrandbits(60)}.{rnd.getrandbits(30)}", "1E-130", "0.10"])
        return f'{{"N":"{n}"}}', n
    if kind == 2:
        return '{"NULL":true}', "null"
    if kind == 3:
        b = rnd.choice(["true", "false"]); return f'{{"BOOL":{b}}}', b
    each = [value(depth + 1) for _ in range(rnd.randrange(4))]
    if kind == 4:
        return '{"L":[' + ",".join(e[0] for e in each) + "]}", "[" + ",".join(e[1] for e in each) + "]"
    return ('{"M":{' + ",".join(f'"k{i}":{e[0]}' for i, e in enumerate(each)) + "}}",
            "{" + ",".join(f'"k{i}":{e[1]}' for i, e in enumerate(each)) + "}")
with open("typed.jsonl", "w") as typed, open("plain.jsonl", "w") as plain:
    for i in range(2000):
        attributes = {"PK": (f'{{"S":"E#{i}"}}', f'"E#{i}"'), "Type": ('{"S":"E"}', '"E"'), "doc": value(0), "more": value(0),
                      "M": (f'{{"M":{{"x":{{"N":"{i}"}},"y":{{"S":"z"}}}}}}', f'{{"x":{i},"y":"z"}}')}
        if i % 100 == 7:
            attributes["n"] = ('{"S":"x"}', '"x"')
        typed.write("{" + ",".join(f'"{k}":{v[0]}' for k, v in attributes.items()) + "}\n")
        plain.write("{" + ",".join(f'"{k}":{v[1]}' for k, v in attributes.items()) + "}\n")
P
"$BIN" export typed.jsonl typed -m model.json --max-rejects 20 --quiet
rows typed >want.txt
equal "rows" "$(wc -l <want.txt)" 1980
{ echo '['; paste -sd, plain.jsonl; echo ']'; } >array.json
{ echo '{"Items":['; paste -sd, plain.jsonl; echo '],"Count":2000,"ScannedCount":2000}'; } >scan.json
sed 's/.*/{"Item":&}/' plain.jsonl >wrapped.jsonl
sed 's/^{/{\n /' plain.jsonl >pretty.json
gzip -k plain.jsonl
zstd -qk plain.jsonl
for f in plain.jsonl array.json scan.json wrapped.jsonl pretty.json plain.jsonl.gz plain.jsonl.zst; do
    rm -rf out
    "$BIN" export "$f" out -m model.json --max-rejects 20 2>said.txt >sheet.txt
    diff <(rows out) want.txt >diff.txt || fail "$f: other rows: $(head -n 4 diff.txt)"
    equal "$f: said once" "$(grep -c 'plain JSON, without type tags' said.txt)" 1
    "$BIN" verify "$f" out -m model.json --quiet || fail "$f: verify"
done
rm -rf out
"$BIN" export - out -m model.json --max-rejects 20 --quiet <plain.jsonl
diff <(rows out) want.txt || fail "standard input: other rows"

# rejects are fed back in the form they came
zstdcat -q out/rejects/*.zst >rejects.jsonl
sed 's/"n": "numeric"/"n": "text"/' model.json >mended.json
"$BIN" export rejects.jsonl again -m mended.json --quiet
equal "rejects fed back" "$(rows again | wc -l)" 20

# what is neither is told once, with the first item; the option decides
seq 3000 | sed 's/.*/{"PK":{"X":"&"}}/' >neither.jsonl
exits() { # STATUS COMMAND...
    local want=$1 got=0
    shift
    "$@" >said.txt 2>&1 || got=$?
    equal "$*" "$got" "$want"
}
exits 2 "$BIN" export neither.jsonl none -m model.json
grep -q 'neither DynamoDB JSON nor plain JSON; the first is {"PK":{"X":"1"}}' said.txt || fail "$(cat said.txt)"
exits 2 "$BIN" export plain.jsonl typed.jsonl none -m model.json
grep -q '"plain.jsonl" is plain JSON, "typed.jsonl" is DynamoDB JSON' said.txt || fail "$(cat said.txt)"
exits 2 "$BIN" export plain.jsonl none -m model.json --form yaml
echo '{"PK":"E#1","Type":"E","M":{"S":"x"}}' >doubtful.jsonl
exits 1 "$BIN" export doubtful.jsonl none -m model.json --quiet
"$BIN" export doubtful.jsonl forced -m model.json --form plain --quiet
equal "forced" "$(rows forced)" 'e {"id":"1","extra":{"M":{"M":{"S":{"S":"x"}}}}}'
"$BIN" explain model.json '{"PK":"E#1","Type":"E"}' | grep -q 'row of e {"id":"1"}' || fail "explain"

# a model is inferred from them as from the same items with tags
head -n 300 plain.jsonl >some.jsonl
head -n 300 typed.jsonl >same.jsonl
"$BIN" infer some.jsonl -o some.json --quiet
"$BIN" infer same.jsonl -o same.json --quiet
diff <(grep -v '"name": "some"' some.json) <(grep -v '"name": "same"' same.json) || fail "infer: another model"
