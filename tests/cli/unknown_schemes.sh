# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# an address with a scheme that is nobody's becomes no folder, and its password is not repeated
try() {
    renorm "$@" 2>&1
    echo "[$?]"
}
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >items.jsonl
for word in mysql://joe:s3cret@db/shop postgresq://joe:s3cret@db/shop dynamdb:shop joe:s3cret@db; do
    try export items.jsonl "$word" -m small.json --quiet
    try export "$word" out -m small.json --quiet
    try verify items.jsonl "$word" -m small.json --quiet
    try status "$word"
done
for option in --summary --mask-key-file --model; do
    try export items.jsonl out -m small.json --quiet "$option" mysql://joe:s3cret@db/shop
done
try backfill dynamodb:shop -m small.json --dry-run --state mysql://joe:s3cret@db/shop --endpoint http://joe:s3cret@localhost:1/a?b
try 'mysql://joe:s3cret@db' x
try export --no=mysql://joe:s3cret@db
# however it is written
for word in ' mysql://joe:s3cret@db/shop' '://joe:s3cret@db' 'joe@db/mysql://s3cret' 'dbnme=shop password=s3cret' 'dbnme=shop pasword=s3cret'; do
    try export items.jsonl "$word" -m small.json --quiet
done
# nor does it stand in summaries, metrics and events
for word in mysql://joe:s3cret@db/shop joe:s3cret@db; do
    renorm export items.jsonl "$word" -m small.json --log json --summary sum.json --metrics sum.prom 2>events.txt
    grep -l s3cret sum.json sum.prom events.txt
    jq -c .sink sum.json
done
rm sum.json sum.prom events.txt
cp items.jsonl at:noon.jsonl
try export ./at:noon.jsonl ./out:noon -m small.json --quiet
ls
