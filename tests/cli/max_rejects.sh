# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# above what is allowed: exit 1, and nothing is shown
cp "$TESTS/data/small.json" .
{
    for i in 1 2 3 4 5 6; do echo '{"PK":{"S":"CUSTOMER#'$i'"},"SK":{"S":"A"},"Type":{"S":"Customer"}}'; done
    for i in 7 8; do echo '{"PK":{"S":"CUSTOMER#'$i'"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}'; done
    for i in 9 10; do echo '{"PK":{"S":"x'$i'"},"SK":{"S":"A"},"Type":{"S":"Alien"}}'; done
} >items.jsonl
try() {
    renorm export items.jsonl out -m small.json --quiet --workers 1 "$@"
    echo "[$?] $* $(find out/customer -name '*.zst' -exec zstd -dcq {} + 2>/dev/null | wc -l) rows"
    rm -r out
}
try
try --max-rejects 2
try --max-rejects 2 --max-unrouted 1
try --max-rejects 1 --max-unrouted 2
try --max-rejects 2 --max-unrouted 2
try --max-rejects 19% --max-unrouted 20%
try --max-rejects 20% --max-unrouted 20%
try --max-rejects 100% --max-unrouted 100%
