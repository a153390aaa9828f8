# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scenarios of buckets share; source it after live.sh.

# bucket_sim OPTION...: a simulator whose buckets are the folders of ./b; "bucket" is one.
bucket_sim() {
    mkdir -p b/bucket
    sim_start sim --s3 b --credentials AKID:SECRET "$@"
    export AWS_ENDPOINT_URL_S3=$SIM_URL
}

# make_export FOLDER FILE...: an export with manifests; each FILE (JSON lines) becomes a data file.
make_export() {
    local to=$1 file total=0 n md5 id=0
    shift
    mkdir -p "$to/data"
    : >"$to/manifest-files.json"
    for file in "$@"; do
        id=$((id + 1))
        sed 's/^{"Item":.*$/&/; t; s/^.*$/{"Item":&}/' "$file" | gzip -9n >"$to/data/$id.json.gz"
        n=$(grep -c . "$file")
        md5=$(openssl md5 -binary "$to/data/$id.json.gz" | base64)
        total=$((total + n))
        printf '{"itemCount":%d,"md5Checksum":"%s","etag":"x-1","dataFileS3Key":"elsewhere/AWSDynamoDB/1/data/%s.json.gz"}\n' \
            "$n" "$md5" "$id" >>"$to/manifest-files.json"
    done
    printf '{"version":"2020-06-30","exportArn":"arn:aws:dynamodb:us-east-1:1:table/t/export/1","itemCount":%d,"outputFormat":"DYNAMODB_JSON","exportTime":"2026-01-01T00:00:00Z"}' \
        "$total" >"$to/manifest-summary.json"
    for file in files summary; do
        openssl md5 -binary "$to/manifest-$file.json" | base64 >"$to/manifest-$file.md5"
    done
}

# refused STATUS WORDS COMMAND...: the command ends so and says so on standard error.
refused() {
    local status=$1 words=$2
    shift 2
    expect_exit "$status" "$@" 2>err.txt >/dev/null
    grep -qF -- "$words" err.txt || fail "not \"$words\": $(cat err.txt)"
}

# s3rver_start FOLDER: sets S3RVER_URL, an independent server with FOLDER's files in "bucket".
s3rver_start() {
    local file=$SCRATCH/s3rver.port
    rm -f "$file"
    start s3rver node "$TESTS/tools/s3rver.js" "$file" "$1" "$SCRATCH/s3rver" bucket
    if ! wait_until "[ -s '$file' ] || ! kill -0 $STARTED 2>/dev/null" || [ ! -s "$file" ]; then
        cat "$SCRATCH/s3rver.log" >&2
        fail "s3rver did not start"
    fi
    # shellcheck disable=SC2034
    S3RVER_URL=http://127.0.0.1:$(cat "$file")
}
