#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What S3 and the way to it do to a transfer, by name: in the end all rows are there, once each, or
# the error says what is wrong. What was promised to be there and is not, is never passed over.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/s3.sh"

cp "$TESTS/data/shop.json" model.json
"$OBJDIR/tests/tools/gen" 8000 >many.jsonl
mkdir -p b/bucket/plain b/bucket/packed
cp many.jsonl b/bucket/plain/many.jsonl
split -n l/4 --additional-suffix=.jsonl many.jsonl part-
make_export b/bucket/export part-*.jsonl
"$BIN" export many.jsonl out -m model.json --quiet
rows out >want.rows
bucket_sim

# through WHAT RULES [SOURCE...]: all rows come through.
through() {
    local what=$1 rules=$2 source
    shift 2
    if [ $# = 0 ]; then set -- s3://bucket/plain s3://bucket/export; fi
    for source in "$@"; do
        rm -rf out
        sim_control faults "$rules" >/dev/null
        "$BIN" export "$source" out -m model.json --quiet --workers 2 ||
            fail "$what, $source: exit status $?"
        same_rows "$what, $source" out want.rows
        [ "$(sim_stat faults)" -gt "${before:-0}" ] || fail "$what, $source: the fault was not met"
        before=$(sim_stat faults)
    done
}

# told STATUS WHAT WORDS RULES SOURCE: it ends so and says so, and nothing is published.
told() {
    rm -rf out
    sim_control faults "$4" >/dev/null
    refused "$1" "$3" "$BIN" export "$5" out -m model.json --quiet --workers 2 --give-up 2
    [ ! -e out/manifest.json ] || fail "$2: a result is shown"
}

# ---- what heals ----
get='"operation":"GetObject"'
through "503 SlowDown" "{$get,\"every\":3,\"times\":4,\"action\":\"slow-down\"}"
through "503 SlowDown of the listing" '{"operation":"ListObjectsV2","nth":1,"action":"slow-down"}' s3://bucket/plain
through "500" "{$get,\"every\":3,\"times\":4,\"action\":\"500\",\"error\":\"InternalError\"}"
through "400 RequestTimeout" "{$get,\"nth\":2,\"action\":\"error\",\"status\":400,\"error\":\"RequestTimeout\"}"
through "an error in a 200" "{$get,\"nth\":2,\"action\":\"error-in-200\"}"
through "an error in a 200 of the listing" '{"operation":"ListObjectsV2","nth":1,"action":"error-in-200","error":"SlowDown"}' s3://bucket/plain
through "a page of a proxy" "{$get,\"nth\":2,\"action\":\"html\"}"
through "nobody answers" "{$get,\"nth\":2,\"action\":\"reset-before\"}"
through "cut bodies" "{$get,\"after\":1,\"every\":2,\"times\":6,\"action\":\"truncate\"}"
through "bodies cut by a reset" "{$get,\"after\":1,\"every\":2,\"times\":6,\"action\":\"reset-in-body\",\"bytes\":70000}"
through "a listing cut short" '{"operation":"ListObjectsV2","nth":1,"action":"truncate"}' s3://bucket/plain
through "slow drips" "{$get,\"action\":\"drip\",\"bytes\":100000,\"ms\":2}"
through "an expired token" "{$get,\"nth\":3,\"action\":\"expired-token\",\"error\":\"ExpiredToken\",\"status\":400}"
through "a wrong clock" "{$get,\"nth\":2,\"times\":1,\"action\":\"skew\",\"seconds\":3600,\"error\":\"RequestTimeTooSkewed\"}"
stop "$SIM_PID" || true

# what a broken transfer had is not got again
bucket_sim
rm -rf out
whole=$(wc -c <b/bucket/plain/many.jsonl)
sim_control faults "{$get,\"nth\":3,\"action\":\"reset-in-body\",\"bytes\":3000000}" >/dev/null
"$BIN" export s3://bucket/plain/many.jsonl out -m model.json --quiet --workers 1
same_rows "a transfer that goes on" out want.rows
sent=$(sim_stat bytes_out)
[ "$sent" -lt $((whole + 1000000)) ] || fail "$sent bytes were sent for an object of $whole"

# ---- what does not heal ----
# who waits long is told
sim_control faults "{$get,\"action\":\"500\",\"error\":\"InternalError\"}" >/dev/null
rm -rf out
refused 3 "trying again, for" "$BIN" export s3://bucket/plain/many.jsonl out -m model.json --quiet --give-up 5
grep -q "500 InternalError" err.txt || fail "$(cat err.txt)"
told 4 "a changed object" '"s3://bucket/plain/many.jsonl" changed while it was read' \
    "{$get,\"nth\":2,\"action\":\"changed\"}" s3://bucket/plain
stop "$SIM_PID" || true
bucket_sim
told 4 "a wrong MD5" "its MD5 differs from the manifest's" \
    '{"pk":"export/data/2.json.gz","action":"wrong-md5"}' s3://bucket/export
told 3 "no ranges" "the whole object where a part was asked for" "{$get,\"action\":\"no-ranges\"}" s3://bucket/plain/many.jsonl
stop "$SIM_PID" || true
bucket_sim
rm -f b/bucket/export/*.md5
awk -F'[:,]' '{ n = $2 + (NR == 1) - (NR == 2); sub(/:[0-9]+,/, ":" n ","); print }' \
    b/bucket/export/manifest-files.json >moved
mv moved b/bucket/export/manifest-files.json
told 4 "counts of another export" "items, the manifest says" '' s3://bucket/export
