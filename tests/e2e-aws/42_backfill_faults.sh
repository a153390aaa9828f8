#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Faults on UpdateItem, one kind a run: whether the write was made or not, each item is written once,
# counted once, and the undo finds all of them.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"

items=200
if [ "$SCALE" = small ]; then items=60; fi
shop_fill model.json
all="read $items changed $items already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"

# server OPTION...: the simulator of this scenario.
server() {
    live_sim --generate "$items" --page-bytes 8192 --latency-ms 1 "$@"
    sim_items >before
    want "$SHOP_WANT" <before >right
}

# fault RULE: under this fault, which must have struck in both, there and back.
fault() {
    sim_control faults "$1" >/dev/null
    fill --segments 8 --workers 2 || fail "exit status $? under $1"
    equal "counts under $1" "$(counts end.json)" "$all"
    [ "$(sim_control stats | jq '.rules[0].fired')" -ge 1 ] || fail "never struck: $1"
    sim_items >after
    same_items "$1" after right
    sim_control faults "$1" >/dev/null
    undo --workers 2 || fail "exit status $? of the undo under $1"
    equal "undone under $1" "$(jq -c '.undo | [.restored + .already, .conflicted, .failed]' undo.json)" "[$items,0,0]"
    sim_items >after
    same_items "$1, undone" after before
    rm -rf state
}

every='"operation":"UpdateItem","every":7,"times":8'
run_all() {
    fault "{$every,\"action\":\"500\"}"
    fault "{$every,\"action\":\"500\",\"apply\":true}"
    fault "{$every,\"action\":\"503\",\"retry_after_ms\":20}"
    fault "{$every,\"action\":\"throttle\",\"reason\":\"TableWriteProvisionedThroughputExceeded\"}"
    fault "{$every,\"action\":\"throttle\",\"reason\":\"TableWriteKeyRangeThroughputExceeded\"}"
    fault "{$every,\"action\":\"error\",\"status\":400,\"error\":\"ThrottlingException\"}"
    for action in reset-before close-before reset-after reset-in-body truncate reset-after-body html corrupt wrong-crc no-crc; do
        fault "{$every,\"action\":\"$action\"}"
    done
    # expired in the middle: signed anew once
    fault '{"operation":"UpdateItem","nth":9,"action":"expired-token"}'
    # all at once, by chance but always the same
    fault '[{"operation":"UpdateItem","probability":0.1,"times":10,"seed":1,"action":"500","apply":true},
            {"operation":"UpdateItem","probability":0.1,"times":10,"seed":2,"action":"reset-after"},
            {"operation":"UpdateItem","probability":0.1,"times":10,"seed":3,"action":"reset-before"},
            {"operation":"UpdateItem","probability":0.1,"times":10,"seed":4,"action":"throttle"},
            {"operation":"GetItem","probability":0.3,"times":10,"seed":5,"action":"500"}]'
}
server
run_all
stop "$SIM_PID"
# a server that never answers the item of a failed condition: it is read
server --no-failed-item
fault "{$every,\"action\":\"500\",\"apply\":true}"
fault "{$every,\"action\":\"reset-after\"}"
[ "$(sim_stat gets)" -ge 1 ] || fail "nothing was read again"
