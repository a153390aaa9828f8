#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How a backfill ends when something goes wrong for good: it says so, with the status as everywhere, and
# the same command goes on once it is put right.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
shop_fill model.json
all="changed 200 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"

server() {
    rm -rf state
    live_sim --generate 200 --page-bytes 16384 "$@"
    sim_items >before
    want "$SHOP_WANT" <before >right
}

# ends STATUS PATTERN COMMAND...: in due time, with this status and these words.
ends() {
    local status=$1 pattern=$2 got=0
    shift 2
    timeout -k 5 60 "$@" 2>err.txt || got=$?
    equal "exit status ($(cat err.txt))" "$got" "$status"
    grep -qE "$pattern" err.txt || fail "$*: $(cat err.txt)"
}
go=("$BIN" backfill dynamodb:shop -m model.json --state state --quiet --rcu 100000 --wcu 100000 --summary end.json)

# ---- credentials that run out and cannot be renewed ----
server
cat >keys.sh <<KEYS
#!/bin/sh
[ -e "$SCRATCH/gone" ] && { echo "log in again" >&2; exit 1; }
touch "$SCRATCH/gone"
echo "{\"Version\":1,\"AccessKeyId\":\"AKID\",\"SecretAccessKey\":\"SECRET\",\"Expiration\":\"\$(date -u -d '+3 seconds' +%Y-%m-%dT%H:%M:%SZ)\"}"
KEYS
chmod +x keys.sh
printf '[profile short]\ncredential_process = %s\n' "$SCRATCH/keys.sh" >config
short=(env -u AWS_ACCESS_KEY_ID -u AWS_SECRET_ACCESS_KEY AWS_CONFIG_FILE="$SCRATCH/config" AWS_PROFILE=short)
for workers in 1 2; do
    rm -f gone
    ends 4 'log in again' "${short[@]}" "${go[@]}" --wcu 20 --workers "$workers"
done
fill
equal "gone on with new credentials" "$(counts end.json)" "read 200 $all"
sim_items >after
same_items "gone on with new credentials" after right
rm -f gone
ends 4 'log in again' "${short[@]}" "$BIN" backfill dynamodb:shop --undo state --quiet --wcu 20
undo
sim_items >after
same_items "undone with new credentials" after before
stop "$SIM_PID"
