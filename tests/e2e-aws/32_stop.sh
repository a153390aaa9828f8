#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The first signal ends a run within moments, whatever it waits for: a table that cannot be asked, before
# and after the scan, credentials that do not come. What it waits for is told.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 300 --page-bytes 16384)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}"
go=("$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 4)

# stops SIGNAL CONDITION COMMAND...: signalled once the condition holds, it ends as interrupted.
stops() {
    local signal=$1 condition=$2 status=0
    shift 2
    start run "$@"
    wait_until "$condition || ! kill -0 $STARTED 2>/dev/null" 300
    kill "-$signal" "$STARTED" || fail "it ended by itself: $(cat run.log)"
    wait_until "! kill -0 $STARTED 2>/dev/null" 50 || fail "it does not end: $(cat run.log)"
    wait "$STARTED" || status=$?
    equal "exit status after SIG$signal ($condition)" "$status" 130
}
told="grep -q 'trying again, for [0-9]* s at most' run.log"

# nobody listens there
AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 stops INT "$told" "${go[@]}"
grep -q 'DescribeTable: .*127.0.0.1' run.log || fail "what cannot be reached is not told: $(cat run.log)"
# one that never answers; no word of it so far
sim_control faults '{"operation":"DescribeTable","action":"stall"}' >/dev/null
stops TERM "[ \$(sim_control stats | jq '.rules[0].fired') -gt 0 ]" "${go[@]}"
# after the scan
sim_control faults '{"operation":"DescribeTable","after":1,"action":"500"}' >/dev/null
stops TERM "$told" "${go[@]}"
grep -q 'DescribeTable: 500 InternalServerError' run.log || fail "$(cat run.log)"
sim_control faults '[]' >/dev/null
scans=$(sim_stat scans)
"${go[@]}"
same_rows "gone on" out want.rows
equal "scans of a run that had read all" "$(sim_stat scans)" "$scans"

# a program that prints no credentials
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
cat >slow.sh <<'SH'
#!/bin/sh
echo $$ >asked
exec sleep 1000
SH
chmod +x slow.sh
printf '[profile slow]\ncredential_process = %s/slow.sh\n' "$SCRATCH" >config
AWS_CONFIG_FILE=$SCRATCH/config stops TERM '[ -s asked ]' "${go[@]}" --profile slow
wait_until "! kill -0 $(cat asked) 2>/dev/null" 50 || fail "the program lives on"
# a role that cannot be assumed
printf '[profile role]\nrole_arn = arn:aws:iam::1:role/r\ncredential_source = Environment\n' >config
AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=SECRET AWS_CONFIG_FILE=$SCRATCH/config \
    AWS_ENDPOINT_URL_STS=http://127.0.0.1:1 stops INT "$told" "${go[@]}" --profile role
