#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The hosts of AWS themselves: what the bucket's address is by region, name and settings, over TLS and
# a proxy that leads every tunnel to the simulator. Credentials go to the hosts of the bucket alone.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

cp "$ROOT/examples/05_movies/model.json" "$ROOT/examples/05_movies/items.jsonl" .
mkdir -p b/bucket/in b/dotted.bucket/in
cp items.jsonl b/bucket/in/
cp items.jsonl b/dotted.bucket/in/
"$BIN" export items.jsonl out -m model.json --quiet
rows out >want.rows
names=DNS:s3.eu-west-1.amazonaws.com,DNS:s3.us-east-1.amazonaws.com
for region in eu-west-1 us-east-1; do
    names+=",DNS:*.s3.$region.amazonaws.com,DNS:*.s3.dualstack.$region.amazonaws.com"
done
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=s3 \
    -addext "subjectAltName=$names" 2>/dev/null
bucket_sim --s3-region eu-west-1 --tls cert.pem --tls-key key.pem
unset AWS_ENDPOINT_URL_S3
start proxy python3 "$TESTS/e2e-aws/proxy.py" proxy.port proxy.calls "$SIM_PORT"
wait_until "[ -s proxy.port ]"
https_proxy=http://127.0.0.1:$(cat proxy.port)
export https_proxy AWS_CA_BUNDLE=cert.pem

# hosts WHAT WANTED COMMAND...: all rows come, from these hosts, in this order.
hosts() {
    local what=$1 wanted=$2
    shift 2
    rm -rf out
    : >proxy.calls
    "$@" || fail "$what: exit status $?"
    same_rows "$what" out want.rows
    equal "$what: hosts" "$(sed 's/^CONNECT //; s/:443$//' proxy.calls | uniq | tr '\n' ' ')" "$wanted "
}

go=("$BIN" export s3://bucket/in/ out -m model.json --quiet --workers 1)
hosts "the bucket's region" bucket.s3.eu-west-1.amazonaws.com env AWS_REGION=eu-west-1 "${go[@]}"
hosts "another region" "bucket.s3.us-east-1.amazonaws.com bucket.s3.eu-west-1.amazonaws.com" "${go[@]}"
hosts "no region" "bucket.s3.us-east-1.amazonaws.com bucket.s3.eu-west-1.amazonaws.com" env -u AWS_REGION "${go[@]}"
hosts "a dotted name" s3.eu-west-1.amazonaws.com env AWS_REGION=eu-west-1 "$BIN" export s3://dotted.bucket/in/ out -m model.json --quiet
hosts "path style" s3.eu-west-1.amazonaws.com "$BIN" export "s3://bucket/in/?region=eu-west-1&style=path" out -m model.json --quiet
hosts "dual stack" bucket.s3.dualstack.eu-west-1.amazonaws.com env AWS_REGION=eu-west-1 AWS_USE_DUALSTACK_ENDPOINT=true "${go[@]}"

# a certificate that is not the host's ends it
refused 2 "AWS_CA_BUNDLE names the certificates to trust" env AWS_REGION=ap-south-2 "${go[@]}" --give-up 2
grep -q ap-south-2 proxy.calls || fail "the host was not asked"
