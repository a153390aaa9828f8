#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Folders as an earlier version left them, cut short or finished: whoever looks takes them as they are,
# whoever goes on with a run writes its description anew, in one step or not at all.
. "$(dirname "$0")/lib.sh"
scenario
# a sanitizer wants to be the first library; for this one it makes no difference
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
V1=$TESTS/data/state-v1
V2=$TESTS/data/state-v2
KILL=$OBJDIR/tests/preload/kill_at.so
cp -r "$V1/export" "$V1/model.json" .

# left NAME: the folder as it was then.
left() { rm -rf out && cp -r "$V1/folder-$1" out; }
go() { "$BIN" export export out -m model.json --max-rejects 1 --max-unrouted 1 --summary out.json "$@"; }
version_is() { equal "version $1" "$(jq -r '.renorm_run // 1' out/.renorm/run-*/run.json)" "$2"; }
told() { grep -c '^renorm: run upgraded from version 1 to 3$' "$1" || true; }
# made FOLDER: rows, rejects, and all of the manifest but for names of files and when and by whom it was made.
made() {
    rows "$1"
    zstdcat -q "$1"/rejects/*.zst "$1"/unrouted/*.zst | sort
    jq -S 'del(.version, .started_us, .shape) | del(.. | .files?, .bytes?)' "$1/manifest.json"
}
same() {
    made out >got
    diff -u want got || fail "$1: something else"
    "$BIN" verify export out -m model.json --quiet || fail "$1: not verified"
}

# what an export from nothing gives, and what an earlier version gave
go >said 2>&1
equal "told of a new run" "$(told said)" 0
made out >want
grep -c '^orders ' want | grep -qx 32 || fail "other orders"
left "done"
same "an earlier version"

# looking
left half
"$BIN" status out >looked
grep -q "cut short" looked || { cat looked; fail "status of an older run"; }
equal "items so far" "$(progress_of out)" 10
version_is "after looking" 1
# refused: another model
sed 's/"bigint"/"text"/' model.json >other.json
expect_exit 2 "$BIN" export export out -m other.json --quiet 2>refused
grep -q "the model has changed" refused || { cat refused; fail "another model"; }
version_is "after a refusal" 1

# killed where the new description takes the place of the old one: it is the one or the other
status=0
KILL_AT=/run.json LD_PRELOAD=$KILL go --quiet >/dev/null 2>&1 || status=$?
equal "killed before" "$status" 137
version_is "after a kill" 1
status=0
KILL_AFTER=1 KILL_AT=/run.json LD_PRELOAD=$KILL go --quiet >/dev/null 2>&1 || status=$?
equal "killed after" "$status" 137
version_is "after another kill" 3
equal "items after the kills" "$(progress_of out)" 10
go >said 2>&1
equal "told after the upgrade" "$(told said)" 0
equal "items before it went on" "$(summary out.json .resumed_items)" 10
same "after two kills"

# two at once: one works, the other waits or finds it done
left half
two_at_once go
equal "told by one of two" "$(cat first.log second.log | grep -c 'run upgraded')" 1
same "two at once"

# it goes on where it was
left half
go >said 2>&1
equal "told" "$(told said)" 1
equal "items before it went on" "$(summary out.json .resumed_items)" 10
same "what was cut short"
left half
go --log json >/dev/null 2>said
grep -q '^{"event":"phase","time":"20[^"]*Z","phase":"run upgraded from version 1 to 3"}$' said || { cat said; fail "no event"; }
# so does one of the version before this one
rm -rf out && cp -r "$V2/folder-half" out
equal "items of version 2" "$(progress_of out)" 10
go >said 2>&1
grep -q '^renorm: run upgraded from version 2 to 3$' said || { cat said; fail "not told"; }
equal "items before it went on from version 2" "$(summary out.json .resumed_items)" 10
same "what version 2 left"
# a run that is given up needs no upgrade
left half
"$BIN" export export out -m other.json --max-rejects 1 --max-unrouted 1 --restart >said 2>&1
equal "told of a run that was given up" "$(told said)" 0

# a finished folder is replaced
left "done"
go --quiet
same "replaced"

# a run of a renorm that is not written yet, and its result
left half
description=$(echo out/.renorm/run-*/run.json)
jq -c '{renorm_run: 4, renorm: "9.8.7", runs: [.]}' "$description" >new && cp new "$description"
for command in "export export out -m model.json" "export export out -m model.json --restart" "status out"; do
    # shellcheck disable=SC2086
    expect_exit 2 "$BIN" $command >refused 2>&1
    grep -qF 'was written by another version of renorm: 9.8.7' refused || { cat refused; fail "$command"; }
    grep -qF 'hint: use renorm 9.8.7 or a later one' refused || fail "hint of $command"
done
cmp new "$description"
left "done"
jq '.renorm = 2 | .version = "9.8.7"' out/manifest.json >new && cp new out/manifest.json
for command in "export export out -m model.json" "status out" "verify export out -m model.json"; do
    # shellcheck disable=SC2086
    expect_exit 2 "$BIN" $command >refused 2>&1
    grep -qF 'hint: use renorm 9.8.7 or a later one' refused || { cat refused; fail "$command"; }
done
cmp new out/manifest.json
