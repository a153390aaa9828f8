# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# more than half of the first 10,000 items unrouted: the run stops, nothing is published
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#c1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"name":{"S":"Ann"}}' >good.jsonl
renorm export good.jsonl out -m small.json --quiet
find out -type f ! -path '*/.renorm/*' -exec md5sum {} + | sort >before
pad=$(printf '%0300d' 0) # several commits before the question is put
seq 30000 | sed "s/.*/{\"PK\":{\"S\":\"x&\"},\"SK\":{\"S\":\"$pad\"},\"Type\":{\"S\":\"Alien\"}}/" >items.jsonl
renorm export items.jsonl out -m small.json --quiet --workers 1 --commit-mb 1 2>err
status=$?
sed 's|[0-9]* of the first [0-9]* items|N of the first N items|' err
# running it again is no way round that, also when some items were committed before
renorm export items.jsonl out -m small.json --quiet --workers 1 --commit-mb 1 2>err
echo "again [$?]"
renorm export items.jsonl out -m small.json --quiet --workers 2 2>err
echo "and again [$?]"
sed 's|[0-9]* of the first [0-9]* items|N of the first N items|' err
find out -type f ! -path '*/.renorm/*' -exec md5sum {} + | sort | diff before - && echo "the old rows are there"
# below that many items nothing is stopped
head -n 5000 items.jsonl >few.jsonl
renorm export few.jsonl few -m small.json --quiet --workers 1
echo "[$?]"
exit $status
