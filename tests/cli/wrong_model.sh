# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# more than half of the first 10,000 items unrouted: the run stops, nothing is published
cp "$TESTS/data/small.json" .
seq 30000 | sed 's/.*/{"PK":{"S":"x&"},"SK":{"S":"y"},"Type":{"S":"Alien"}}/' >items.jsonl
renorm export items.jsonl out -m small.json --quiet --workers 1 2>err
status=$?
sed 's|[0-9]* of the first [0-9]* items|N of the first N items|' err
ls out
# below that many items nothing is stopped
head -n 5000 items.jsonl >few.jsonl
renorm export few.jsonl few -m small.json --quiet --workers 1
echo "[$?]"
exit $status
