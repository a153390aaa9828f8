#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a backfill refuses before it touches anything, how it ends when it is stopped, and that a second
# run writes nothing.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
shop_fill model.json
live_sim --generate 400 --page-bytes 16384
sim_items >before
want "$SHOP_WANT" <before >right

# refused STATUS PATTERN COMMAND...: with this status and these words; nothing is written.
refused() {
    local status=$1 pattern=$2 writes
    shift 2
    writes=$(sim_stat writes)
    expect_exit "$status" "$@" >out.txt 2>err.txt
    grep -qE "$pattern" err.txt || fail "$*: $(cat err.txt)"
    equal "writes of $*" "$(sim_stat writes)" "$writes"
}
go=("$BIN" backfill dynamodb:shop --quiet --rcu 100000 --wcu 100000 --state state)

# ---- usage, model, table ----
refused 2 'model' "${go[@]}"
refused 2 'nothing\.json' "${go[@]}" -m nothing.json
refused 2 'dynamodb:' "$BIN" backfill items.jsonl -m model.json
refused 2 'ResourceNotFoundException' "$BIN" backfill dynamodb:nobody -m model.json --state state
shop_model plain.json
refused 2 'backfill' "${go[@]}" -m plain.json
sed 's/"GSI1PK": "STATUS#{Status}"/"SK": "STATUS#{Status}"/' model.json >key.json
refused 2 '"?SK"?.*key|key.*"?SK"?' "${go[@]}" -m key.json
sed 's/{Status}/{^Status}/' model.json >parent.json
refused 2 'parent|\^Status' "${go[@]}" -m parent.json
refused 2 'wcu' "${go[@]}" -m model.json --wcu 0
refused 2 'nothing|no journal|no state|cannot' "$BIN" backfill dynamodb:shop --undo nowhere
mkdir -p taken && echo mine >taken/diary.txt
refused 2 'taken' "$BIN" backfill dynamodb:shop -m model.json --state taken
equal "a stranger's folder" "$(ls taken)" diary.txt
[ ! -e state ] || fail "a refused run made its state folder"

# ---- the default state folder ----
sim_control faults '{"operation":"UpdateItem","after":40,"action":"access-denied"}' >/dev/null
status=0
"$BIN" backfill dynamodb:shop -m model.json --quiet --rcu 100000 --wcu 100000 2>err.txt || status=$?
equal "exit status when it is denied" "$status" 4
grep -q 'AccessDenied' err.txt || fail "$(cat err.txt)"
[ -d renorm-backfill-shop ] || fail "no state folder"
equal "mode of the state folder" "$(stat -c %a renorm-backfill-shop)" 700
mv renorm-backfill-shop state

# ---- links in the state folder lead nowhere: refused, and what they lead to stays as it was ----
mkdir home && echo mine >home/diary
cp -a state linked
for file in $(cd state && find . -type f -printf '%P\n'); do
    mv "linked/$file" home/moved
    ln -s "$PWD/home/moved" "linked/$file"
    md5sum home/* >home.before
    refused 2 "linked/$file' was not written by renorm" "$BIN" backfill dynamodb:shop -m model.json --quiet --state linked
    md5sum home/* | cmp - home.before || fail "what linked/$file leads to was changed"
    rm "linked/$file" && mv home/moved "linked/$file"
done
mv linked/log home/log && ln -s "$PWD/home/log" linked/log
find home -type f -exec md5sum {} + >home.before
refused 2 'not written by renorm' "$BIN" backfill dynamodb:shop -m model.json --quiet --state linked
find home -type f -exec md5sum {} + | cmp - home.before || fail "the linked journal was changed"

# ---- a state of another model, another table, in use ----
sed 's/STATUS#/STATE#/' model.json >other.json
refused 2 'model' "${go[@]}" -m other.json
sim_start twin --credentials AKID:SECRET --generate 10 --table twin
refused 2 'table' env AWS_ENDPOINT_URL_DYNAMODB="$SIM_URL" "$BIN" backfill dynamodb:twin -m model.json --quiet --state state
refused 2 'table' env AWS_ENDPOINT_URL_DYNAMODB="$SIM_URL" "$BIN" backfill dynamodb:twin --undo state --quiet
stop "$SIM_PID"
SIM_URL=$AWS_ENDPOINT_URL_DYNAMODB

sim_control faults '{"operation":"UpdateItem","action":"throttle"}' >/dev/null
start first "${go[@]}" -m model.json
first=$STARTED
writes=$(sim_stat throttled)
wait_until "[ \$(sim_stat throttled) -gt $writes ] || ! kill -0 $first 2>/dev/null"
expect_exit 3 "${go[@]}" -m model.json 2>err.txt
grep -qE 'another|in use|under way' err.txt || fail "$(cat err.txt)"
expect_exit 3 "$BIN" backfill dynamodb:shop --undo state --quiet 2>err.txt

# ---- interrupted: said, and resumed ----
kill -INT "$first"
status=0
wait "$first" || status=$?
equal "exit status when interrupted" "$status" 130
sim_control faults '[]' >/dev/null
fill
equal "over all processes" "$(counts end.json)" "read 400 changed 400 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
sim_items >after
same_items "resumed" after right

# ---- a second run writes nothing and says so ----
writes=$(sim_stat writes)
"$BIN" backfill dynamodb:shop -m model.json --state state --rcu 100000 --wcu 100000 >out.txt
grep -qE '^changed +0$' out.txt || fail "$(cat out.txt)"
grep -qE '^already right +400$' out.txt || fail "$(cat out.txt)"
equal "writes of a second run" "$(sim_stat writes)" "$writes"

# ---- unrouted and failed items are a reason to exit 1, unless allowed ----
grep -v '"Order": {' model.json >/dev/null
python3 - <<'PY'
import json
model = json.load(open("model.json"))
del model["entities"]["Order"]
json.dump(model, open("customers.json", "w"))
PY
expect_exit 1 "${go[@]}" -m customers.json 2>err.txt
expect_exit 0 "${go[@]}" -m customers.json --max-unrouted 90%

# ---- undone: once, and no more ----
undo
sim_items >after
same_items "undone" after before
refused 2 'undone|nothing' "$BIN" backfill dynamodb:shop --undo state --quiet
