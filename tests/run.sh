#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make test` runs: the unit test binaries given, then every suite. A suite is a script
# tests/NAME/run.sh that takes the renorm binary and ends with a closing line ("N passed, N
# failed[, N skipped]"). SUITES="unit cli ..." picks some; SCENARIO="tests/pg/05_kill.sh ..." runs
# these scripts and nothing else.
. "$(dirname "$0")/lib.sh"
if [ "$MODE" != release ]; then fixed_addresses "$@"; fi
cd "$ROOT" || exit 1

# these have make targets of their own
outside=" bench torture conformance fuzz peers "

mkdir -p "$LOGS"
BIN=${BIN:-$BUILD/renorm}
failures=() again=()

# add_suite NAME LOG STATUS: takes over the counts of a suite that has run.
add_suite() {
    local line
    if ! read_closing "$2"; then
        F=1
        failures+=("$1: ended with status $3 without a closing line (log: ${2#"$ROOT"/})")
    elif [ "$3" != 0 ] && [ "$F" = 0 ]; then
        F=1
        failures+=("$1: exit status $3 (log: ${2#"$ROOT"/})")
    fi
    passed=$((passed + P)) failed=$((failed + F)) skipped=$((skipped + S))
    while IFS= read -r line; do failures+=("$1: ${line#not ok }"); done < <(grep '^not ok ' "$2")
    while IFS= read -r line; do again+=("$1: ${line#second try: }"); done < <(grep '^second try: ' "$2")
}

# unit BINARY: the cases of one binary that has run, counted from what cmocka prints.
unit() {
    local name log status n_ok n_bad n_skip
    name=$(basename "$1")
    log=$LOGS/unit/$name.log
    status=$(cat "$LOGS/unit/$name.status" 2>/dev/null || echo lost)
    n_ok=$(grep -c '^\[       OK \]' "$log")
    # the summary repeats the names of what failed
    n_bad=$(grep '^\[  FAILED  \] test_' "$log" | sort -u | grep -c .)
    n_skip=$(grep '^\[  SKIPPED \] test_' "$log" | sort -u | grep -c .)
    passed=$((passed + n_ok)) skipped=$((skipped + n_skip))
    if [ "$status" = 0 ] && [ "$n_bad" = 0 ] && [ $((n_ok + n_skip)) -gt 0 ]; then
        return 0
    fi
    if [ "$n_bad" = 0 ]; then
        n_bad=1
        echo "not ok $name: exit status $status (log: ${log#"$ROOT"/})"
    else
        grep '^\[  FAILED  \] test_' "$log" | sort -u | sed "s|^.............\(.*\)|not ok $name: \1 (log: ${log#"$ROOT"/})|"
    fi
    failed=$((failed + n_bad))
    tail -n 300 "$log" | sed 's/^/    /'
}

# All of them run first, one on each processor.
unit_suite() {
    local t
    rm -rf "$LOGS/unit"
    mkdir -p "$LOGS/unit"
    # shellcheck disable=SC2016
    printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -n 1 sh -c 'at=$0/$(basename "$1")
        timeout -k 10 900 "$1" >"$at.log" 2>&1 </dev/null
        echo $? >"$at.status"' "$LOGS/unit"
    for t in "$@"; do unit "$t"; done
    closing
}

# The names of the scenarios of a suite that were asked for.
scenarios_of() {
    local s
    for s in ${SCENARIO:-}; do
        if [[ $s = tests/$1/* ]]; then basename "$s" .sh; fi
    done
}

# A word of SUITES or SCENARIO that names nothing ends it all: a slip of the pen must not run
# nothing, or everything.
no_such() {
    not_ok "there is no $1"
    closing
    exit 1
}

wanted() { [ -z "${SUITES:-}" ] || [[ " $SUITES " = *" $1 "* ]]; }

# run_suite NAME COMMAND...
run_suite() {
    local name=$1 log=$LOGS/$1.log status began=$SECONDS
    shift
    echo "== $name"
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    echo "== $name: $((SECONDS - began)) s"
    add_suite "$name" "$log" "$status"
}

for s in ${SUITES:-}; do
    [ "$s" = unit ] || [ -x "tests/$s/run.sh" ] || no_such "suite $s"
done
if [ -n "${SCENARIO:-}" ]; then
    SUITES=
    for s in $SCENARIO; do
        [[ $s = tests/*/*.sh && -f $s ]] || no_such "scenario $s"
        SUITES+=" $(basename "$(dirname "$s")")"
    done
    outside=
elif [ $# -gt 0 ] && wanted unit; then
    run_suite unit unit_suite "$@"
fi
for script in tests/*/run.sh; do
    name=$(basename "$(dirname "$script")")
    if [ ! -x "$script" ] || [[ $outside = *" $name "* ]] || ! wanted "$name"; then continue; fi
    mapfile -t names < <(scenarios_of "$name")
    run_suite "$name" "$script" "$BIN" "${names[@]}"
done

if [ "${#again[@]}" -gt 0 ]; then
    echo "NEEDED A SECOND TRY, mend these:"
    printf 'second try: %s\n' "${again[@]}"
fi
if [ "${#failures[@]}" -gt 0 ]; then
    echo "FAILED:"
    printf '  %s\n' "${failures[@]}"
fi
closing
