# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# parts that swallow separators and items that a later entity would take, too: told once, with a count
cat >model.json <<'M'
{ "renorm": 1, "source": { "type": null, "key": ["PK"] }, "rest": "drop", "entities": {
  "User": { "keys": { "PK": "u#{user_id}" } },
  "Follower": { "keys": { "PK": "u#{user_id}#follower" } },
  "File": { "keys": { "PK": "f#{path:sep}" } },
  "Rest": { "when": {}, "keys": { "PK": "{id}" } } } }
M
for i in 1 2 3; do echo "{\"PK\":{\"S\":\"u#$i\"}}"; done >items.jsonl
for i in 4 5; do echo "{\"PK\":{\"S\":\"u#$i#follower\"}}"; done >>items.jsonl
echo '{"PK":{"S":"f#a#b"}}' >>items.jsonl
renorm check model.json items.jsonl --workers 1 | grep -a '^advice'
echo "-- no-sep"
sed 's/u#{user_id}"/u#{user_id:no-sep}"/' model.json >strict.json
renorm check strict.json items.jsonl --workers 1 | grep -aE '^(advice|user |follower )'
echo "-- a model that masks shows none"
sed 's/"Follower": {/"Follower": { "stages": [{ "mask": { "fields": ["x"], "method": "blank" } }],/' model.json >mask.json
renorm check mask.json items.jsonl --workers 1 | grep -a '^advice'
