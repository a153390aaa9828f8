#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where a bucket is and who may read it: regions are found and requests signed anew, credentials go
# to no other host; what the service refuses ends with its words. Answers made to harm do none.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

cp "$ROOT/examples/05_movies/model.json" "$ROOT/examples/05_movies/items.jsonl" .
mkdir -p b/bucket/in
cp items.jsonl b/bucket/in/items.jsonl
"$BIN" export items.jsonl out -m model.json --quiet
rows out >want.rows
export_it=("$BIN" export s3://bucket/in out -m model.json --quiet --give-up 2)

# works WHAT COMMAND...
works() {
    local what=$1
    shift
    rm -rf out
    "$@" || fail "$what: exit status $?"
    same_rows "$what" out want.rows
}

# ---- the region ----
bucket_sim --s3-region eu-west-1 --books books.tsv
works "the bucket's region is found" "${export_it[@]}"
AWS_REGION='' works "no region is set" "${export_it[@]}"
sim_control flush >/dev/null
before=$(grep -c PermanentRedirect books.tsv)
works "?region=" "$BIN" export "s3://bucket/in?region=eu-west-1" out -m model.json --quiet
sim_control flush >/dev/null
equal "requests for a wrong region" "$(grep -c PermanentRedirect books.tsv)" "$before"
works "a region in the body" env AWS_REGION=eu-west-1 "${export_it[@]}"
sim_control faults '{"operation":"GetObject","nth":1,"action":"redirect-body","value":"eu-west-1"}' >/dev/null
works "AuthorizationHeaderMalformed" "${export_it[@]}"
sim_control faults '{"operation":"GetObject","nth":1,"action":"redirect-host","value":"bucket.s3.eu-west-1.amazonaws.com"}' >/dev/null
works "TemporaryRedirect" "${export_it[@]}"

# ---- another host hears nothing ----
here=$SIM_URL
sim_start other --s3 b --credentials AKID:SECRET
other_url=$SIM_URL
SIM_URL=$here
sim_control faults "{\"operation\":\"GetObject\",\"action\":\"redirect-host\",\"value\":\"${other_url#http://}\"}" >/dev/null
rm -rf out
refused 4 "credentials are not sent to a host that somebody names" "${export_it[@]}"
sim_control faults '{"operation":"GetObject","action":"redirect","value":"evil.example/x"}' >/dev/null
refused 4 "is elsewhere" "${export_it[@]}"
sim_control faults '{"operation":"GetObject","action":"redirect","value":"us-east-1"}' >/dev/null
refused 4 "is elsewhere" "${export_it[@]}"
SIM_URL=$other_url
equal "requests to the other host" "$(sim_stat requests)" 0

# ---- who may ----
bucket_sim --s3-owner 111122223333 --s3-payer
refused 4 "AccessDenied: Access Denied: the requester pays" "${export_it[@]}"
works "--requester-pays" "${export_it[@]}" --requester-pays
works "--bucket-owner" "${export_it[@]}" --requester-pays --bucket-owner 111122223333
rm -rf out
refused 4 "not the expected owner" "${export_it[@]}" --requester-pays --bucket-owner 444455556666
bucket_sim
refused 4 "403 InvalidAccessKeyId" env AWS_ACCESS_KEY_ID=NOBODY "${export_it[@]}"
refused 4 "403 SignatureDoesNotMatch" env AWS_SECRET_ACCESS_KEY=wrong "${export_it[@]}"
refused 4 "404 NoSuchBucket: The specified bucket does not exist" "$BIN" export s3://nothing/in out -m model.json --quiet
refused 4 "NoSuchKey: there is no object \"s3://bucket/In\"" "$BIN" export s3://bucket/In out -m model.json --quiet
sim_control faults '{"operation":"GetObject","action":"error","status":403,"error":"InvalidObjectState","message":"The operation is not valid for the storage class of the object"}' >/dev/null
refused 4 "403 InvalidObjectState: The operation is not valid for the storage class of the object" "${export_it[@]}"
grep -q 'restore the object' err.txt || fail "$(cat err.txt)"
sim_control faults '{"operation":"GetObject","action":"error","status":400,"error":"KMS.DisabledException","message":"arn:aws:kms:key is disabled."}' >/dev/null
refused 4 "400 KMS.DisabledException: arn:aws:kms:key is disabled." "${export_it[@]}"
sim_control faults '{"operation":"ListObjectsV2","action":"access-denied","error":"AccessDenied","status":403,"message":"not authorized to perform: s3:ListBucket"}' >/dev/null
refused 4 "s3:ListBucket" "${export_it[@]}"
# who may not list reads an export all the same, by its manifest
make_export b/bucket/export items.jsonl
works "no right to list" "$BIN" export s3://bucket/export/manifest-summary.json out -m model.json --quiet

# ---- addresses ----
sim_control faults '' >/dev/null
refused 2 "is no bucket's name" "$BIN" export s3:///in out -m model.json --quiet
refused 2 "is a directory bucket" "$BIN" export s3://name--use1-az4--x-s3/in out -m model.json --quiet
refused 2 "an address in S3 has no \"regoin\"" "$BIN" export "s3://bucket/in?regoin=x" out -m model.json --quiet
refused 2 "is no endpoint" "$BIN" export "s3://bucket/in?endpoint=here" out -m model.json --quiet
refused 2 "is read alone" "$BIN" export s3://bucket/in items.jsonl out -m model.json --quiet

# ---- answers made to harm: an error, soon, in bounded memory ----
# harmless WHAT WORDS RULES [SOURCE]: memory in KB is bounded.
harmless() {
    sim_control faults "$3" >/dev/null
    expect_exit "${5:-4}" timeout 100 /usr/bin/time -f %M -o kb "$BIN" export "${4:-s3://bucket/in}" out -m model.json --quiet --give-up 1 2>err.txt
    grep -qF -- "$2" err.txt || fail "$1: $(cat err.txt)"
    [ "$MODE" != release ] || [ "$(tail -n 1 kb)" -lt 400000 ] || fail "$1: $(cat kb) KB"
}
rm -rf out
harmless "a listing that never ends" "more than a million objects, or does not end" \
    '{"operation":"ListObjectsV2","action":"endless-list","value":"in/"}'
harmless "a listing of nothing that never ends" "does not end" '{"operation":"ListObjectsV2","action":"empty-list"}'
harmless "keys of elsewhere" "keys of another folder" '{"operation":"ListObjectsV2","action":"endless-list","value":"zz/"}'
harmless "an XML bomb" "not of S3" '{"operation":"ListObjectsV2","action":"xml-bomb"}' s3://bucket/in 3
harmless "10 GB of blanks" "" '{"operation":"ListObjectsV2","action":"oversized","bytes":10000000000}'
mkdir -p b/bucket/bomb
{ cat items.jsonl; head -c 300000000 /dev/zero | tr '\0' ' '; } | gzip -1 >b/bucket/bomb/items.json.gz
harmless "a gzip bomb" "rejected" '' s3://bucket/bomb 1
sed -i 's|"dataFileS3Key":"[^"]*"|"dataFileS3Key":"../../in/items.jsonl"|' b/bucket/export/manifest-files.json
rm -f b/bucket/export/*.md5
harmless "a manifest that points elsewhere" "is listed in the export's manifest" '' s3://bucket/export
