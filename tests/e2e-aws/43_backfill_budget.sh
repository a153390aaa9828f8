#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The write budget against the simulator's own books: at 1, 5, 100 and 500 units a second, with
# large items, many workers and failing requests, no window holds more than the budget allows.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
shop_fill model.json

faults='[{"operation":"UpdateItem","every":9,"times":6,"action":"500","apply":true},
         {"operation":"UpdateItem","every":7,"times":6,"action":"reset-after"},
         {"operation":"UpdateItem","every":11,"times":6,"action":"reset-before"}]'

# go NAME RATE WORKERS SIM-OPTION...: one table of its own, in the background. Books are judged by windows
# of up to 10 s, so each has more units than a client of twice the rate may send in its first seconds;
# those called twice_ are such clients, and must be found out.
go() {
    local name=$1 rate=$2 workers=$3
    shift 3
    sim_start "$name" --credentials AKID:SECRET --books "$name.books" "$@"
    local pace=$rate
    if [[ $name = twice_* ]]; then pace=$((2 * rate)); fi
    AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL start "$name.run" "$BIN" backfill dynamodb:shop -m model.json --state "$name.state" \
        --quiet --rcu 100000 --wcu "$pace" --workers "$workers" --segments 128 --summary "$name.json"
    echo "$STARTED $SIM_URL $name $rate" >>running
}

go one 1 2 --generate 15
go twice_one 1 2 --generate 15
go one_big 1 2 --generate 5 --item-bytes 4000
go five 5 8 --generate 60 --fault "$faults"
go twice_five 5 8 --generate 60
go five_big 5 4 --generate 4 --item-bytes 30000
go hundred 100 8 --generate 1200 --fault "$faults"
# a sanitizer's build may be too slow to send more than it should
if [ "$MODE" = release ]; then go twice_hundred 100 8 --generate 1200; fi
go hundred_big 100 8 --generate 25 --item-bytes 60000 --fault "$faults"
if [ "$MODE" = release ]; then go twice_hundred_big 100 8 --generate 25 --item-bytes 60000; fi
go hundreds 500 8 --generate 6000 --latency-ms 5
# units of the index are not the table's
go indexed 50 4 --generate 400 --describe "$SHOP_INDEX"

while read -r pid url name rate; do
    wait "$pid" || fail "$name: exit status $? ($(cat "$name.run.log"))"
    SIM_URL=$url
    sim_control flush >/dev/null
    equal "$name: all is changed" "$(jq '.items.changed' "$name.json")" "$(sim_stat items)"
    # slack is what a busy machine may delay a request by between its reservation and its arrival;
    # without any budget the books would still fail
    status=0
    "$OBJDIR/tests/sim/sim" --check-books "$name.books" --rate "$rate" --slack 3 --check-op UpdateItem || status=$?
    if [[ $name = twice_* ]]; then
        equal "$name: twice the budget" "$status" 1
        continue
    fi
    equal "$name: more than $rate units a second" "$status" 0
    # what renorm counts is what the service counted, but for answers that were lost
    jq -e --argjson books "$(sim_stat write_units)" --argjson index "$(sim_stat index_units)" \
        '.units.table <= $books + 0.01 and .units.table > 0 and .units.index <= $index + 0.01' "$name.json" >/dev/null ||
        fail "$name: $(jq -c .units "$name.json") told, $(sim_stat write_units) and $(sim_stat index_units) booked"
done <running
[ "$(jq ".units.index + 0" indexed.json)" = 400 ] || fail "index units: $(jq .units indexed.json)"
