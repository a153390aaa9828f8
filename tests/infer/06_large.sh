#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A source that is larger than the sample: what only one item of 80,000 has is in the model all the same, which takes
# every item; one worker and three make the same; memory stays below 512 MB.
. "$(dirname "$0")/../lib.sh"
scenario
bin=$1

awk 'BEGIN {
    for (i = 0; i < 80000; i++) {
        more = i == 77777 ? ",\"rareNote\":{\"S\":\"once\"}" : ""
        total = i == 55555 ? "{\"S\":\"free of charge\"}" : "{\"N\":\"" i % 977 ".5\"}"
        printf "{\"Item\":{\"PK\":{\"S\":\"CUST#%d\"},\"SK\":{\"S\":\"ORDER#%08d\"},\"total\":%s,\"status\":{\"S\":\"%s\"},\"remark\":{\"S\":\"%0300d\"}%s}}\n",
            i % 5000, i, total, i % 3 ? "open" : "paid", i, more
    }
    print "{\"Item\":{\"PK\":{\"S\":\"DEPOT#d1\"},\"SK\":{\"S\":\"DEPOT\"},\"town\":{\"S\":\"Oslo\"}}}"
}' >items.jsonl

(
    # a sanitizer's shadow alone is larger
    if [ "$MODE" = release ]; then ulimit -v 1048576; fi
    "$bin" infer items.jsonl -o one.json -w 1 --quiet
)
"$bin" infer items.jsonl -o three.json -w 3 --quiet
cmp one.json three.json
grep -q 'by a sample of' one.json
"$bin" export items.jsonl out -m one.json --quiet --summary sum
equal "items" "$(jq -c '[.items.read, .items.routed]' sum)" "[80001,80001]"
grep -q '"rare_note": "text"' one.json
grep -q '"total": { "type": "text"' one.json
grep -q '"table": "depot"' one.json
