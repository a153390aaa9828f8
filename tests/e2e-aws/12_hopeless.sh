#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Errors that cannot heal stop the run at once, with the service's words, and what can be done.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 500 --page-bytes 16384)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}"

# refused STATUS WORDS ARGUMENT...: ends with that status and says those words.
refused() {
    local want=$1 words=$2
    shift 2
    expect_exit "$want" "$BIN" export "$@" -m model.json --quiet --give-up 3 2>err.txt
    grep -qF -e "$words" err.txt || fail "no \"$words\" in: $(cat err.txt)"
    if grep -q SECRET err.txt; then fail "a secret in: $(cat err.txt)"; fi
}

# strikes RULE STATUS WORDS: in the middle of a run; and the run can be gone on with afterwards.
strikes() {
    sim_control faults "$1" >/dev/null
    rm -rf out
    refused "$2" "$3" dynamodb:shop out --segments 4 --workers 2 --rcu 100000 --watch-seconds 1
    sim_control faults '[]' >/dev/null
    "$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --workers 2
    same_rows "gone on after $1" out want.rows
}

refused 2 ResourceNotFoundException dynamodb:nothing out
refused 2 'names no table' 'dynamodb:' out
refused 2 'a table'"'"'s address has no "indexx"' 'dynamodb:shop?indexx=a' out
refused 2 'has no index "GSI9"' 'dynamodb:shop?index=GSI9' out
refused 2 '--rcu takes' dynamodb:shop out --rcu none
refused 2 "exclude each other" dynamodb:shop out --rcu-percent 5 --rcu 7
# each process of a joined run has a bucket of its own: none may take what the table can give
refused 2 'its share is not said' dynamodb:shop postgresql://127.0.0.1:1/none --join
refused 2 'its share is not said' dynamodb:shop postgresql://127.0.0.1:1/none --join --rcu max
refused 3 'connect' dynamodb:shop 'postgresql://127.0.0.1:1/none?connect_timeout=2' --join --rcu 5
AWS_REGION='' refused 2 'no region is set' dynamodb:shop out
AWS_ENDPOINT_URL_DYNAMODB='ftp://127.0.0.1/' refused 2 ftp dynamodb:shop out
AWS_SECRET_ACCESS_KEY=wrong refused 4 InvalidSignatureException dynamodb:shop out
AWS_ACCESS_KEY_ID=UNKNOWN refused 4 UnrecognizedClientException dynamodb:shop out
AWS_ACCESS_KEY_ID='' refused 4 credentials dynamodb:shop out
# an index that is not there yet
for state in '"IndexStatus":"CREATING"' '"IndexStatus":"CREATING","Backfilling":true'; do
    sim_control table '{"describe":{"GlobalSecondaryIndexes":[{"IndexName":"GSI1","KeySchema":[{"AttributeName":"Status",
        "KeyType":"HASH"}],'"$state"',"Projection":{"ProjectionType":"ALL"}}]}}' >/dev/null
    refused 3 'index "GSI1" is still being filled' 'dynamodb:shop?index=GSI1' out
done
sim_control table '{"describe":{}}' >/dev/null
[ ! -e out ] || fail "the sink was touched before the source was open"

strikes '{"operation":"Scan","nth":9,"action":"access-denied"}' 4 AccessDeniedException
strikes '{"operation":"Scan","after":9,"action":"refused"}' 4 UnrecognizedClientException
strikes '{"operation":"Scan","after":9,"action":"expired-token"}' 4 ExpiredTokenException
strikes '{"operation":"Scan","nth":9,"action":"too-large"}' 4 '413'
strikes '{"operation":"Scan","nth":9,"action":"oversized"}' 4 'segment'
strikes '{"operation":"Scan","nth":9,"action":"error","status":400,"error":"ValidationException","message":"no such thing"}' \
    4 'ValidationException: no such thing'
grep -q 'table "shop", segment ' err.txt || fail "no segment in: $(cat err.txt)"

# giving up: no page succeeds for so long, though the table can be looked at; what was tried is told, and
# the run can be gone on with
strikes '{"operation":"Scan","after":9,"action":"500"}' 3 'nothing succeeded'

# a key to go on from that is none: the segment neither ends there nor goes on for ever
for key in null '[]' '"next"' 7 '{}' '{"PK":{"S":"a"}}' '{"PK":{"S":"a"},"SK":{"N":"1"}}' \
    '{"PK":{"S":"a"},"SK":{"S":"b"},"Type":{"S":"c"}}'; do
    strikes "{\"operation\":\"Scan\",\"nth\":5,\"action\":\"last-key\",\"value\":$(jq -n --arg v "$key" '$v')}" \
        4 'LastEvaluatedKey'
done
# or one that was there before: at once, or as one of two that take turns
for when in '"after":0' '"every":2'; do
    sim_control faults "{\"operation\":\"Scan\",$when,\"action\":\"last-key\",
        \"value\":\"{\\\"PK\\\":{\\\"S\\\":\\\"CUSTOMER#c00000000\\\"},\\\"SK\\\":{\\\"S\\\":\\\"A\\\"}}\"}" >/dev/null
    rm -rf out
    refused 4 'LastEvaluatedKey is one that was there before' dynamodb:shop out --segments 1 --rcu 100000
    grep -qF -e '{"Items":[' err.txt || fail "no head of the answer in: $(cat err.txt)"
done
