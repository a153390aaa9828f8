#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Buckets of independent servers: versitygw, which checks signatures for real, and moto. An export, a
# prefix and a large object give the local rows; verify agrees; what is refused is refused in words.
# A server that could not be fetched is told loudly. Usage: s3.sh BIN versitygw|moto; status 77: it is
# not there.
. "$(dirname "$0")/../lib.sh"
set -- "$(realpath "$1")" "$2"
server=$2
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

port=$(free_port)
url=http://127.0.0.1:$port
export AWS_ACCESS_KEY_ID=ROOTKEY AWS_SECRET_ACCESS_KEY=ROOTSECRET
case $server in
versitygw)
    [ -x "$BUILD/versitygw/versitygw" ] || skip_scenario "versitygw could not be built: no go, or its proxy did not answer"
    mkdir -p meta data
    ROOT_ACCESS_KEY=ROOTKEY ROOT_SECRET_KEY=ROOTSECRET \
        start server "$BUILD/versitygw/versitygw" --port "127.0.0.1:$port" posix --sidecar "$PWD/meta" "$PWD/data"
    ;;
moto)
    [ -x "$BUILD/moto/bin/moto_server" ] || skip_scenario "moto could not be installed: the package index did not answer"
    start server "$BUILD/moto/bin/moto_server" -H 127.0.0.1 -p "$port"
    ;;
esac
wait_until "curl -s -o /dev/null $url || ! kill -0 $STARTED 2>/dev/null"
kill -0 "$STARTED" || fail "$server did not start: $(tail -n 5 "$SCRATCH/server.log")"

cp "$TESTS/data/shop.json" model.json
"$OBJDIR/tests/tools/gen" 60000 >many.jsonl
mkdir -p "b/large" "b/a prefix+%"
cp many.jsonl b/large/many.jsonl
split -n l/4 --additional-suffix=.jsonl many.jsonl part-
make_export b/export/AWSDynamoDB/1 part-*.jsonl
gzip -c part-aa.jsonl >"b/a prefix+%/ü 1.json.gz"
zstd -qc part-ab.jsonl >"b/a prefix+%/2.json.zst"
cat part-ac.jsonl part-ad.jsonl >"b/a prefix+%/3.jsonl"
python3 "$TESTS/conformance/s3_put.py" "$url" bucket b
export AWS_ENDPOINT_URL_S3=$url
"$BIN" export many.jsonl out -m model.json --quiet
rows out >want.rows
for source in s3://bucket/export/ s3://bucket/export/AWSDynamoDB/1/manifest-files.json s3://bucket/large/many.jsonl \
    "s3://bucket/a prefix+%"; do
    rm -rf out
    "$BIN" export "$source" out -m model.json --quiet || fail "$source: exit status $?"
    same_rows "$source" out want.rows
done
"$BIN" verify s3://bucket/export/ out -m model.json >/dev/null || fail "verify: exit status $?"
refused 4 "NoSuchBucket" "$BIN" export s3://nothing/in none -m model.json --quiet
refused 4 "NoSuchKey" "$BIN" export s3://bucket/nothing none -m model.json --quiet
if [ "$server" = versitygw ]; then
    refused 4 "403 SignatureDoesNotMatch" env AWS_SECRET_ACCESS_KEY=wrong "$BIN" export s3://bucket/export/ none -m model.json --quiet
fi
