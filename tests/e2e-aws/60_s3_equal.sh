#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What lies in a bucket gives the rows that it gives on the local disk: every example, the designs of
# others, plain and packed, one object, a prefix, an export by its folder and by its manifest; from
# the simulator in path style and with the bucket in the host's name, and from s3rver.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

balance() { jq -cS '[.items, .counted, (.tables | map_values(.rows)), .conflicts, .missing_mirrors]' "$1"; }

# same WHAT SOURCE OPTION...: as want.rows and want.json say.
same() {
    local what=$1 source=$2
    shift 2
    rm -rf got
    "$BIN" export "$source" got -m model.json --quiet --summary got.json "$@" ||
        fail "$what: exit status $?"
    same_rows "$what" got want.rows
    equal "$what: counts" "$(balance got.json)" "$(balance want.json)"
}

# want FILE OPTION...: what the local file gives.
want() {
    local file=$1
    shift
    rm -rf want
    "$BIN" export "$file" want -m model.json --quiet --summary want.json "$@"
    rows want >want.rows
}

bucket_sim
bucket=s3://bucket
host=${AWS_ENDPOINT_URL_S3/127.0.0.1/localhost}
for dir in "$ROOT"/examples/[0-9]*/; do
    name=$(basename "$dir")
    more=()
    if [ -f "$dir/options" ]; then read -ra more <"$dir/options"; fi
    cp "$dir"/* . 2>/dev/null || true
    want items.jsonl "${more[@]}"
    mkdir -p "b/bucket/$name"
    cp items.jsonl "b/bucket/$name/a b+%c.jsonl"
    same "$name, an object" "$bucket/$name/a b+%25c.jsonl" "${more[@]}"
    make_export "b/bucket/$name/AWSDynamoDB/1" items.jsonl
    if [ -z "${more[*]}" ]; then same "$name, an export" "$bucket/$name/AWSDynamoDB/1/"; fi
done

# ---- the ways to name it, and how it is packed ----
cp "$ROOT/examples/05_movies/model.json" "$ROOT/examples/05_movies/items.jsonl" .
want items.jsonl
mkdir -p "b/bucket/05_movies/in it"
gzip -c items.jsonl >"b/bucket/05_movies/in it/packed.json.gz"
zstd -qc items.jsonl >"b/bucket/05_movies/in it.json.zst"
same "a prefix" "$bucket/05_movies/in it/"
same "zstd, virtual host" "$bucket/05_movies/in it.json.zst?style=virtual&endpoint=$host"
same "a manifest" "$bucket/05_movies/AWSDynamoDB/1/manifest-summary.json"

# ---- the other commands ----
"$BIN" check model.json b/bucket/05_movies/in\ it >local.txt
"$BIN" check model.json "$bucket/05_movies/in it" >bucket.txt
equal check "$(grep -v items/s bucket.txt)" "$(grep -v items/s local.txt)"
pk=$(sed -n 1p items.jsonl | jq -r '(.Item // .) | (.PK // .pk).S')
"$BIN" explain model.json items.jsonl --pk "$pk" >local.txt
"$BIN" explain model.json "$bucket/05_movies/in it" --pk "$pk" >bucket.txt
equal explain "$(cat bucket.txt)" "$(cat local.txt)"
"$BIN" export items.jsonl out -m model.json --quiet
"$BIN" verify "$bucket/05_movies/in it" out -m model.json >/dev/null || fail "verify: exit status $?"

# ---- slices of a large object, cut anywhere; many pages of a listing; many small objects ----
cp "$TESTS/data/shop.json" model.json
"$OBJDIR/tests/tools/gen" 30000 >many.jsonl
mkdir -p b/bucket/large b/bucket/small
cp many.jsonl b/bucket/large/many.jsonl
split -l 500 --additional-suffix=.jsonl many.jsonl b/bucket/small/part-
want many.jsonl
same "slices" "$bucket/large" --workers 2
same "slices, one at a time" "$bucket/large/many.jsonl" --workers 1 --transfers 1
stop "$SIM_PID" || true
bucket_sim --s3-page 7
same "small objects" "$bucket/small" --workers 2

# ---- designs of others ----
sets=${RENORM_SHARED:-$ROOT/../shared}/data/sets
for items in "$sets"/*.jsonl; do
    name=$(basename "$items" .jsonl)
    if [ ! -f "$TESTS/sets/$name.json" ]; then continue; fi
    cp "$TESTS/sets/$name.json" model.json
    mkdir -p "b/bucket/sets/$name"
    gzip -1c "$items" >"b/bucket/sets/$name/items.json.gz"
    status=0
    rm -rf want
    "$BIN" export "$items" want -m model.json --quiet --summary want.json --max-rejects 100% --max-unrouted 100% || status=$?
    rows want >want.rows
    same "$name" "$bucket/sets/$name" --max-rejects 100% --max-unrouted 100%
done

# ---- an independent server ----
cp "$ROOT/examples/05_movies/model.json" "$ROOT/examples/05_movies/items.jsonl" .
s3rver_start b/bucket
want items.jsonl
AWS_ENDPOINT_URL_S3=$S3RVER_URL AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER \
    same "s3rver, a prefix" "s3://bucket/05_movies/in it/"
AWS_ENDPOINT_URL_S3=$S3RVER_URL AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER \
    same "s3rver, an export" "s3://bucket/05_movies/AWSDynamoDB/1"
