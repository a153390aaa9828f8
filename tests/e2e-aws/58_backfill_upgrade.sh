#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The state of a backfill as an earlier version left it, cut short or finished: whoever looks takes it as
# it is, whoever goes on with it writes the newest, in one step or not at all.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
# a sanitizer wants to be the first library; for this one it makes no difference
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
V1=$TESTS/data/state-v1
KILL=$OBJDIR/tests/preload/kill_at.so
cp "$V1/backfill.json" model.json

# left NAME: table and state as they were then.
left() {
    rm -rf state && cp -r "$V1/backfill-$1" state
    if [ -n "${SIM_PID:-}" ]; then stop "$SIM_PID"; fi
    live_sim --items "$V1/backfill-$1.jsonl" --page-bytes 2000
}
version_is() { equal "version $1" "$(jq -r '.renorm_backfill' state/state.json)" "$2"; }
told() { grep -c '^renorm: state upgraded from version 1 to 2$' "$1" || true; }
# go ARGS...: a backfill that may say something.
go() { "$BIN" backfill dynamodb:shop -m model.json --state state --rcu 100000 --wcu 100000 --summary end.json "$@"; }

# what a backfill from nothing gives
live_sim --generate 24 --page-bytes 2000
sim_items >before
want "$SHOP_WANT" <before >right
go >said 2>&1
equal "told of a new state" "$(told said)" 0
version_is "of a new state" 2
equal "who wrote it" "$(jq -r .renorm state/state.json)" "$("$BIN" --version | sed 's/^renorm //')"
sim_items >after
same_items "from nothing" after right

# looking
left half
"$BIN" status state >looked
grep -q "cut short" looked || { cat looked; fail "status of an older state"; }
go --dry-run >/dev/null
version_is "after looking" 1

# killed where the new state takes the place of the old one: it is the one or the other
status=0
KILL_AT=state/state.json LD_PRELOAD=$KILL go --quiet >/dev/null 2>&1 || status=$?
equal "killed before" "$status" 137
version_is "after a kill" 1
sim_items >after
python3 "$TESTS/e2e-aws/table.py" sort <"$V1/backfill-half.jsonl" >half
same_items "after a kill" after half
status=0
KILL_AFTER=1 KILL_AT=state/state.json LD_PRELOAD=$KILL go --quiet >/dev/null 2>&1 || status=$?
equal "killed after" "$status" 137
version_is "after another kill" 2
go >said 2>&1
equal "told after the upgrade" "$(told said)" 0
sim_items >after
same_items "after two kills" after right

# two at once: one works, the other waits or finds it done
left half
two_at_once go
equal "told by one of two" "$(cat first.log second.log | grep -c 'state upgraded')" 1
go --quiet
sim_items >after
same_items "two at once" after right

# it goes on where it was: all is counted, all can be undone
left half
go >said 2>&1
equal "told" "$(told said)" 1
version_is "of the state" 2
equal "counts" "$(counts end.json)" "read 24 changed 24 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
sim_items >after
same_items "what was cut short" after right
verify_fill
undo
sim_items >after
same_items "undone" after before

# an undo of what an earlier version began, and of what it finished
left half
undo
version_is "after an undo" 2
sim_items >after
same_items "undone half-way" after before
left "done"
"$BIN" status state >status.txt
grep -q "finished" status.txt || fail "status of a finished state"
verify_fill
version_is "after verify" 1
"$BIN" backfill dynamodb:shop --undo state --wcu 100000 --log json >/dev/null 2>said
grep -q '^{"event":"phase","time":"20[^"]*Z","phase":"state upgraded from version 1 to 2"}$' said || { cat said; fail "it did not tell"; }
sim_items >after
same_items "undone" after before

# of a renorm that is not written yet
left "done"
jq '.renorm_backfill = 3 | .renorm = "9.8.7"' state/state.json >new && cp new state/state.json
for command in "backfill dynamodb:shop -m model.json --state state" "backfill dynamodb:shop -m model.json --state state --restart" \
    "backfill dynamodb:shop --undo state" "status state"; do
    # shellcheck disable=SC2086
    expect_exit 2 "$BIN" $command >refused 2>&1
    grep -qF 'was written by another version of renorm: 9.8.7' refused || { cat refused; fail "$command"; }
    grep -qF 'hint: use renorm 9.8.7 or a later one' refused || fail "hint of $command"
done
cmp new state/state.json
