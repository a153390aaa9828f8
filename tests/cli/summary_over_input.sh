# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# a summary or metrics that would be written over what the command reads
echo '{"renorm":1,"name":"m","source":{"key":["PK"]},"entities":{"E":{"when":{},"columns":{"id":{"type":"text","from":"PK"}}}}}' >model.json
echo '{"PK":{"S":"1"}}' >items.jsonl
cp model.json model.before && cp items.jsonl items.before && ln model.json other.json
renorm export items.jsonl out -m model.json --summary model.json
renorm export items.jsonl out -m model.json --metrics ./items.jsonl
renorm export items.jsonl out -m model.json --summary other.json --no-such-option
cmp model.json model.before && cmp items.jsonl items.before && echo untouched
[ ! -e out ] && echo "no folder"
