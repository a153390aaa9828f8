# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# everything but the rows
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >items.jsonl
renorm export items.jsonl out -m small.json --dry-run --workers 1 | grep -v ' items/s$'
ls
