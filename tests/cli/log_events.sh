# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# with --log json every line of standard error is an event with a name that the manual has
cp "$TESTS/data/small.json" .
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n"}}
{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}
I
echo '{"renorm": 1, "entities": {"A": {"tabel": "a"}, "B": {"tabel": "b"}}}' >bad.json
try() {
    echo "\$ renorm $*"
    renorm "$@" --log json 2>log.txt >/dev/null
    echo "[$?]"
    cat log.txt >>all.txt
    jq -c 'if .time | test("^20.*Z$") then del(.time) else error("time") end |
        if .seconds then .seconds |= type else . end | if .version then .version |= type else . end' log.txt
}
try export items.jsonl out -m small.json
try export items.jsonl out -m small.json --max-unrouted 1
try export items.jsonl out -m small.json --quiet
try export items.jsonl out -m bad.json
try export items.jsonl out -m nothing.json
try export items.jsonl
try export --nonsense
try verify items.jsonl out -m small.json
try verify items.jsonl nowhere -m small.json
mkdir folder && cp items.jsonl folder && echo >folder/notes.txt
try export folder other -m small.json --max-unrouted 1
try backfill items.jsonl -m small.json
renorm --manual | sed 's/\\//g' >manual.txt
{ jq -r '.event' all.txt && printf '%s\n' phase progress; } | sort -u | while read -r name; do
    grep -q "^.TP$" manual.txt && grep -qx "fB${name}fR" manual.txt && echo "the manual has $name"
done
# standard output and standard error stand in one order
renorm check small.json items.jsonl 2>&1 | sed -n '1p;$p'
renorm export items.jsonl out -m small.json 2>&1 | sed 's/^[0-9.]* s, .*/SPEED/' | sed -n '1p;$p'
