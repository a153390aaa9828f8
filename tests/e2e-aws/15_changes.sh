#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table changes while it is read: deleted, made anew, resized, switched to on-demand, throttled
# by others; or it is not there yet.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 10000 --page-bytes 65536)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}" --rcu 2
go=("$BIN" export dynamodb:shop out -m model.json --segments 16 --workers 2)
capacity() { sim_control table "$1" >/dev/null; }

# ---- resized: at one unit a second this run would take a quarter of an hour ----
before=$(sim_stat scans)
start run "${go[@]}" --watch-seconds 1 --log json --summary end.json
pid=$STARTED
wait_until "[ \$(sim_stat scans) -ge $((before + 2)) ]"
capacity '{"rcu":12}'
wait_until "grep -q '\"rcu_allowed\":6.0' run.log"
capacity '{"rcu":8}'
wait_until "grep -q '\"rcu_allowed\":4.0' run.log"
capacity '{"rcu":100000}'
wait "$pid" || fail "exit status $?: $(cat run.log)"
same_rows "resized" out want.rows

# ---- switched to on-demand ----
capacity '{"rcu":2}'
rm -rf out
before=$(sim_stat scans)
start run "${go[@]}" --watch-seconds 1 --quiet
pid=$STARTED
wait_until "[ \$(sim_stat scans) -ge $((before + 2)) ]"
capacity '{"on_demand":true}'
wait "$pid" || fail "exit status $?: $(cat run.log)"
same_rows "on demand" out want.rows

# ---- a percentage, all of it, more than there is: each finishes ----
for pace in '--rcu-percent 50' '--rcu max' '--rcu 3000'; do
    rm -rf out
    # shellcheck disable=SC2086
    "${go[@]}" --quiet $pace
    same_rows "$pace" out want.rows
done

# ---- deleted ----
rm -rf out
capacity '{"on_demand":false,"rcu":2}'
before=$(sim_stat scans)
start run "${go[@]}" --quiet
pid=$STARTED
wait_until "[ \$(sim_stat scans) -ge $((before + 2)) ]"
capacity '{"deleted":true}'
status=0
wait "$pid" || status=$?
equal "exit status when the table is deleted" "$status" 4
grep -q 'ResourceNotFoundException' run.log || fail "$(cat run.log)"
[ ! -e out/customer ] || fail "half a table was published"

# ---- made anew under the same name: seen by the watch ----
capacity '{"recreate":true}'
rm -rf out
before=$(sim_stat scans)
start run "${go[@]}" --quiet --watch-seconds 1
pid=$STARTED
wait_until "[ \$(sim_stat scans) -ge $((before + 2)) ]"
capacity '{"recreate":true}'
status=0
wait "$pid" || status=$?
equal "exit status when the table is another" "$status" 4
grep -q 'deleted and made anew' run.log || fail "$(cat run.log)"
[ ! -e out/customer ] || fail "rows of two tables were published"

# ---- the same, with the last page: seen before anything is shown ----
rm -rf out
sim_control faults '{"operation":"Scan","nth":20,"action":"recreate-table"}' >/dev/null
expect_exit 4 "${go[@]}" --quiet --rcu 100000 2>err.txt
grep -q 'deleted and made anew' err.txt || fail "$(cat err.txt)"
[ ! -e out/customer ] || fail "rows of two tables were published"

# ---- throttled by others: partitions that give less than is asked of them, and, however slow this
# machine is, three refusals ----
stop "$SIM_PID" || true
rm -rf out
live_sim --generate 4000 --page-bytes 65536 --partitions 4 --partition-rcu 60 \
    --fault '{"operation":"Scan","every":7,"times":3,"action":"throttle"}'
shop_rows less.rows --generate 4000
"${go[@]}" --quiet --rcu 100000 --summary end.json
same_rows "throttled" out less.rows
[ "$(jq .throttles end.json)" -ge 3 ] || fail "nothing was throttled"

# ---- not there yet ----
stop "$SIM_PID" || true
rm -rf out
live_sim --generate 10 --describe '{"TableStatus":"CREATING"}'
expect_exit 3 "${go[@]}" --quiet 2>err.txt
grep -q 'still being made' err.txt || fail "$(cat err.txt)"
