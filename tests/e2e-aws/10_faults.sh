#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every fault the simulator knows, one run each: the rows are those of a file export, all of them.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 3000 --page-bytes 65536)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}"

# fault RULE [OPTION...]: under this fault, which must have struck, the export is exact.
fault() {
    local rule=$1
    shift
    sim_control faults "$rule" >/dev/null
    rm -rf out
    "$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 8 --workers 2 "$@" ||
        fail "exit status $? under $rule"
    same_rows "$rule" out want.rows
    [ "$(sim_control stats | jq '.rules[0].fired')" -ge 1 ] || fail "never struck: $rule"
}

every='"operation":"Scan","every":5,"times":4'
fault "{$every,\"action\":\"500\"}"
fault "{$every,\"action\":\"503\"}"
fault "{$every,\"action\":\"503\",\"retry_after_ms\":50}"
fault "{$every,\"action\":\"error\",\"status\":500,\"error\":\"InternalServerError\",\"apply\":true}"
fault "{$every,\"action\":\"throttle\"}"
fault "{$every,\"action\":\"throttle\",\"reason\":\"TableReadKeyRangeThroughputExceeded\"}"
fault "{$every,\"action\":\"error\",\"status\":400,\"error\":\"ThrottlingException\"}"
fault "{$every,\"action\":\"error\",\"status\":400,\"error\":\"RequestLimitExceeded\"}"
fault "{$every,\"action\":\"html\"}"
fault "{$every,\"action\":\"html\",\"status\":200}"
# JSON, but no answer to a Scan
for page in '{}' '{"message":"Please sign in"}' '{"Items":[],"Count":0}' '{"Count":0,"ScannedCount":0}'; do
    fault "{$every,\"action\":\"html\",\"status\":200,\"value\":$(jq -n --arg v "$page" '$v')}"
done
for action in reset-before close-before reset-after reset-in-body truncate reset-after-body close-after-body; do
    fault "{$every,\"action\":\"$action\"}"
done
for bytes in 1 20 60000; do
    fault "{$every,\"action\":\"truncate\",\"bytes\":$bytes}"
    fault "{$every,\"action\":\"reset-in-body\",\"bytes\":$bytes}"
done
fault "{$every,\"action\":\"corrupt\",\"crc\":\"wrong\"}"
fault "{$every,\"action\":\"corrupt\",\"crc\":\"right\"}"
fault "{$every,\"action\":\"wrong-crc\"}"
fault "{$every,\"action\":\"no-crc\"}"
fault "{$every,\"action\":\"gzip\"}" --gzip
fault "{$every,\"action\":\"gzip-lie\"}"
fault "{$every,\"action\":\"gzip-lie\"}" --gzip
fault "{$every,\"action\":\"drip\",\"bytes\":5000,\"ms\":5}"
fault "{$every,\"action\":\"delay\",\"ms\":50}"
fault "{$every,\"action\":\"content-type\"}"
fault '{"operation":"Scan","every":2,"action":"empty-page"}'
# these are repeated once only
fault '{"operation":"Scan","nth":9,"action":"expired-token"}'
fault '{"operation":"Scan","nth":9,"action":"refused"}'
# the service's clock runs away, twice: the Date header tells
fault '{"operation":"Scan","nth":5,"action":"skew","seconds":3600}'
fault '{"operation":"Scan","nth":5,"action":"skew","seconds":-7200,"error":"RequestTimeTooSkewed"}'
sim_control table '{"skew":0}' >/dev/null

# all at once, by chance but always the same
fault '[{"operation":"Scan","probability":0.1,"seed":1,"action":"500"},
        {"operation":"Scan","probability":0.1,"seed":2,"action":"reset-in-body"},
        {"operation":"Scan","probability":0.1,"seed":3,"action":"corrupt"},
        {"operation":"Scan","probability":0.1,"seed":4,"action":"truncate"},
        {"operation":"Scan","probability":0.1,"seed":5,"action":"empty-page"}]'

# the requests that open the table fail too
fault '{"operation":"DescribeTable","nth":1,"action":"500"}'
fault '{"operation":"DescribeTimeToLive","nth":1,"action":"reset-in-body"}'
fault '{"operation":"DescribeTable","nth":1,"action":"html","status":200,"value":"{}"}'
fault '{"operation":"DescribeTimeToLive","nth":1,"action":"html","status":200,"value":"{}"}'
# one that is not believed does not hide the TTL attribute
live_sim --generate 20 --ttl ExpiresAt --fault \
    '{"operation":"DescribeTimeToLive","nth":1,"action":"html","status":200,"value":"{}"}'
rm -rf out
"$BIN" export dynamodb:shop out -m model.json 2>err.txt
grep -qF '"ExpiresAt", the table'"'"'s TTL attribute' err.txt || fail "no word on the TTL: $(cat err.txt)"
