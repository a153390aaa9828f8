# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what a folder holds, for people and as JSON
cp "$TESTS/data/small.json" .
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}
{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}
{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}
I
renorm export items.jsonl out -m small.json --quiet --workers 1 --now 2026-01-31T12:00:00Z --max-rejects 1 --max-unrouted 1 || exit
renorm status out | sed -E 's/ [0-9]+ bytes/ BYTES/; s/(model small) [0-9a-f]+/\1 HASH/'
renorm status out --json | jq -S '.runs[0].tables |= map_values(.bytes = (.bytes > 0)) | .runs[].model_hash |= length'
