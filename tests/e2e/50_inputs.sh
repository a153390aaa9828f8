#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same items as lines, gzip, zstd, several files, a folder, a document, an array and standard
# input give the same rows, whatever the number of workers.
. "$(dirname "$0")/lib.sh"
scenario
items=$([ "$SCALE" = full ] && echo 20000 || echo 3000)
"$GEN" "$items" >items.jsonl
"$BIN" export items.jsonl want -m "$SHOP" --quiet
want=$(rows want | md5sum)

same() {
    local name=$1 n
    shift
    for n in 1 3; do
        "$BIN" export "$@" "out-$name-$n" -m "$SHOP" --quiet --workers "$n" --summary s.json
        equal "$name with $n workers" "$(rows "out-$name-$n" | md5sum)" "$want"
        equal "$name: items" "$(summary s.json .items.read)" "$items"
    done
}

gzip -c items.jsonl >items.gz && same gzip items.gz
zstd -q items.jsonl -o items.zst && same zstd items.zst
mkdir parts
split -n l/5 items.jsonl parts/p- --additional-suffix=.jsonl
same folder parts
gzip parts/p-aa.jsonl && zstd -q --rm parts/p-ab.jsonl && same mixed parts
same several parts/*
jq -c .Item items.jsonl >bare.jsonl && same bare bare.jsonl
jq -s '{Items: map(.Item), Count: length, ScannedCount: length}' items.jsonl >scan.json && same document scan.json
jq -sc 'map(.Item)' items.jsonl >array.json && same array array.json
for n in 1 3; do
    "$BIN" export - "out-stdin-$n" -m "$SHOP" --quiet --workers "$n" <items.jsonl
    equal "standard input with $n workers" "$(rows "out-stdin-$n" | md5sum)" "$want"
done
gzip -c items.jsonl | "$BIN" export - out-stdin-gz -m "$SHOP" --quiet
equal "gzip on standard input" "$(rows out-stdin-gz | md5sum)" "$want"

# an export folder: everything the manifest says is checked
mkdir -p export/data
md5() { openssl md5 -binary "$1" | base64; }
head -n $((items / 2)) items.jsonl | gzip >export/data/a.json.gz
tail -n $((items - items / 2)) items.jsonl | gzip >export/data/b.json.gz
for f in a b; do
    n=$(zcat export/data/$f.json.gz | wc -l)
    jq -nc --arg m "$(md5 export/data/$f.json.gz)" --arg f "data/$f.json.gz" --argjson n "$n" \
        '{itemCount: $n, md5Checksum: $m, etag: "x", dataFileS3Key: ("AWSDynamoDB/0-x/" + $f)}'
done >export/manifest-files.json
jq -n --argjson n "$items" '{version: "2020-06-30", exportArn: "arn:x", tableArn: "arn:y", itemCount: $n, outputFormat: "DYNAMODB_JSON"}' >export/manifest-summary.json
same export export
cp -r export bad && printf x >>bad/data/b.json.gz
expect_exit 4 "$BIN" export bad out-bad -m "$SHOP" --quiet 2>bad.err
grep -q b.json.gz bad.err
rm -rf bad && cp -r export bad && rm bad/data/a.json.gz
expect_exit 4 "$BIN" export bad out-bad2 -m "$SHOP" --quiet 2>bad.err
grep -q a.json.gz bad.err
