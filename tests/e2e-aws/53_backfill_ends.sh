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

# ---- one item that the service refuses is one item: the others are written ----
# refused RULE
refused() {
    server --fault "$1"
    ends 1 'failed' "${go[@]}"
    equal "counts under $1" "$(counts end.json)" "read 200 changed 199 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 1"
    equal "listed under $1" "$(jq -r '.fate + " " + .reason' state/listed.jsonl)" "failed refused"
    sim_items >after
    equal "items that are wrong under $1" "$(comm -23 right after | wc -l)" 1
    stop "$SIM_PID"
}
refused '{"operation":"UpdateItem","nth":20,"action":"error","status":400,"error":"ItemCollectionSizeLimitExceededException","message":"Collection size exceeded."}'
refused '{"operation":"UpdateItem","nth":20,"action":"too-large"}'
refused '{"operation":"UpdateItem","nth":20,"action":"error","status":400,"error":"ValidationException","message":"no"}'

# ---- what no re-run heals is not the caller's mistake once writing has begun ----
server --fault '{"operation":"UpdateItem","after":20,"action":"error","status":400,"error":"ResourceNotFoundException","message":"gone"}'
ends 4 'ResourceNotFound' "${go[@]}"
sim_control faults '[]' >/dev/null
fill
equal "when the table is back" "$(counts end.json)" "read 200 $all"
stop "$SIM_PID"

# ---- a success that nobody can read: repeated, and counted once ----
for operation in '"UpdateItem","nth":20' '"GetItem","every":5,"times":10'; do
    server --no-failed-item --fault "[{\"operation\":$operation,\"action\":\"corrupt\",\"crc\":\"right\"},
        {\"operation\":\"UpdateItem\",\"after\":20,\"every\":3,\"times\":30,\"action\":\"500\",\"apply\":true}]"
    fill
    equal "spoilt answers to $operation" "$(counts end.json)" "read 200 $all"
    [ "$(sim_control stats | jq '.rules[0].fired')" -ge 1 ] || fail "never spoilt: $operation"
    sim_items >after
    same_items "spoilt answers to $operation" after right
    undo
    sim_items >after
    same_items "spoilt answers to $operation, undone" after before
    stop "$SIM_PID"
done

# ---- items that the model does not reach: told by the backfill, and by verify, unless allowed ----
server
jq 'del(.entities.Order)' model.json >customers.json
ends 1 '180 unrouted' "$BIN" backfill dynamodb:shop -m customers.json --state state --quiet --rcu 100000 --wcu 100000
verify=("$BIN" verify dynamodb:shop -m customers.json --backfill --rcu 100000)
ends 1 '0 of 200 items .* 180 unrouted' "${verify[@]}" >out.txt
grep -q '^not verified: 200 items read, 20 right' out.txt || fail "$(cat out.txt)"
ends 1 '180 unrouted' "${verify[@]}" --max-unrouted 179 >out.txt
"${verify[@]}" --max-unrouted 180 >out.txt
grep -q '^verified: 200 items read, 20 right' out.txt || fail "$(cat out.txt)"
ends 2 'verify --backfill' "$BIN" verify dynamodb:shop out -m customers.json --max-unrouted 1
# nothing was written, but nobody knows whether something lacks
"$BIN" backfill dynamodb:shop -m customers.json --state state --rcu 100000 --wcu 100000 --max-unrouted 90% >out.txt
grep -qx 'nothing was written' out.txt || fail "$(cat out.txt)"
"$BIN" backfill dynamodb:shop -m customers.json --state state --rcu 100000 --dry-run --max-unrouted 90% >out.txt
grep -qx 'nothing would be written' out.txt || fail "$(cat out.txt)"
grep -q 'about USD' out.txt || fail "$(cat out.txt)"
stop "$SIM_PID"

# ---- a model of another table is found out early, and goes on only if that is meant ----
rm -rf state
live_sim --generate 30000 --page-bytes 65536
other=("$BIN" backfill dynamodb:shop -m customers.json --state state --quiet --rcu 100000 --wcu 100000 --segments 16)
ends 4 'of the first [0-9]* items failed or matched no entity' "${other[@]}"
[ "$(sim_stat scans)" -lt 200 ] || fail "all was read: $(sim_stat scans) scans"
ends 4 'matched no entity' "${other[@]}"
"${other[@]}" --max-unrouted 95% --summary end.json
equal "as it was meant" "$(counts end.json)" "read 30000 changed 3000 already 0 skipped 0 filtered 0 unrouted 27000 conflicted 0 failed 0"
stop "$SIM_PID"
