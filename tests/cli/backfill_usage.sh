# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what is wrong with a backfill's command line is said before anything is asked of the table
try() {
    echo "\$ renorm $*"
    renorm "$@" 2>&1
    echo "[$?]"
}
cp "$TESTS"/data/small.json .
try backfill
try backfill dynamodb:shop
try backfill items.jsonl -m small.json
try backfill dynamodb:shop dynamodb:shop2 -m small.json
try backfill 'dynamodb:shop?index=GSI1' -m small.json
try backfill 'dynamodb:shop?region=x&index=GSI1' -m small.json
try backfill dynamodb:shop -m small.json --index GSI1
try backfill dynamodb:shop -m small.json --push-filter
try backfill dynamodb:shop -m small.json --wcu 0
try backfill dynamodb:shop -m small.json --wcu lots
try backfill dynamodb:shop -m small.json --rcu 0
try backfill dynamodb:shop -m small.json --in-flight 0
try backfill dynamodb:shop -m small.json --sample 10
try backfill dynamodb:shop -m small.json --max-rejects few
try backfill dynamodb:shop -m small.json --log xml
try backfill dynamodb:shop -m small.json --now yesterday
try backfill dynamodb:shop -m small.json --summary no/such/folder/x
try backfill dynamodb:shop -m small.json --undo state
try backfill dynamodb:shop --undo state --dry-run
try backfill dynamodb:shop --undo state --state other
try verify items.jsonl -m small.json --backfill
try verify 'dynamodb:shop?index=GSI1' -m small.json --backfill
try status small.json
ls
