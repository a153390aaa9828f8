#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a run set aside is a source: with the model mended, rejected and unrouted items become the
# rows they should have been, and what stays broken is set aside as it was.
. "$(dirname "$0")/lib.sh"
scenario
cat >items.jsonl <<'M'
{"PK":{"S":"A#1"},"Type":{"S":"A"},"n":{"N":"1"}}
{"Item":{"PK":{"S":"A#2"},"Type":{"S":"A"},"n":{"S":"two"}}}
{"PK": {"S": "A#3"}, "Type": {"S": "A"}, "n": {"N": "1.5"}}
{"PK":{"S":"B#4"},"Type":{"S":"B"},"n":{"N":"4"}}
{"PK":{"S":"A#5"},"Type":{"S":"A"},"n":{"N":"5"}
{"PK":{"S":"A#6"},"Type":{"S":"A"},"n":{"NS":["1","1.0"]}}
M
cat >bad.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": {
  "A": { "keys": { "PK": "A#{a}" }, "primary_key": "a", "columns": { "a": "text", "n": "bigint" } } } }
M
cat >good.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": {
  "A": { "keys": { "PK": "A#{a}" }, "primary_key": "a", "columns": { "a": "text", "n": "text" } },
  "B": { "keys": { "PK": "B#{b}" }, "primary_key": "b", "columns": { "b": "text", "n": "text" } } } }
M
expect_exit 1 "$BIN" export items.jsonl out -m bad.json --quiet
"$BIN" export items.jsonl out -m bad.json --quiet --max-rejects 4 --max-unrouted 1 --summary out.json
equal "first run" "$(summary out.json '.items | [.routed, .rejected, .unrouted] | @csv')" 1,4,1

"$BIN" export out/rejects out2 -m good.json --quiet --max-rejects 2 --summary out2.json
equal "rejects again" "$(summary out2.json '.items | [.read, .routed, .rejected] | @csv')" 4,2,2
equal "rows of rejects" "$(rows out2)" $'a {"a":"2","n":"two"}\na {"a":"3","n":"1.5"}'
"$BIN" verify out/rejects out2 -m good.json --quiet

"$BIN" export out/unrouted out3 -m good.json --quiet
equal "rows of unrouted items" "$(rows out3)" 'b {"b":"4","n":"4"}'

# both at once, as files
"$BIN" export out/rejects/*.zst out/unrouted/*.zst out4 -m good.json --quiet --max-rejects 2
equal "rows of both" "$(rows out4)" "$(rows out2 && rows out3)"

# what stays broken holds the item's own bytes, however often it comes by
kept() { zstd -dcq "$1"/rejects/*.zst | jq -c '[.renorm.reason, .item // .item_base64]' | sort; }
equal "still broken" "$(kept out2)" "$(kept out | grep -e bad-json -e duplicate)"
equal "the bytes" "$(kept out2 | jq -r 'select(.[0] == "bad-json") | .[1]' | base64 -d)" "$(sed -n 5p items.jsonl)"
# more than half rejected is still an answer for so few
"$BIN" export out2/rejects out5 -m good.json --quiet --max-rejects 2
equal "broken for good" "$(kept out5)" "$(kept out2)"

# explain shows the item, not its wrapping
zstd -dcq out/rejects/*.zst | grep two >one.jsonl
"$BIN" explain good.json one.jsonl >explained.txt
grep -qF '"two"' explained.txt
