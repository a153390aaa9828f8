#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the scenarios tests/SUITE/NN_name.sh, each a process of its own with a private $SCRATCH,
# JOBS (2) at a time, with a hard limit of LIMIT (900) seconds each. Status 0 is a pass, 77 a skip
# (the last line says why), anything else a failure, and its log is shown.
# Usage: scenarios.sh SUITE BIN [NAME-PART...]
#
# AGAIN=1 runs what failed once more, alone, and says loudly what passed only then.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

# one SUITE SCRIPT BIN: runs a scenario, leaves NAME.log and NAME.status, prints the outcome.
one() {
    local name log status=0 began=$SECONDS
    name=$1/$(basename "$2" .sh)
    log=$LOGS/$name.log
    SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/renorm-test.XXXXXX") || return 1
    SCRATCH=$SCRATCH timeout -k 60 "${LIMIT:-900}" bash "$2" "$3" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" = 124 ]; then echo "FAILED: stopped after ${LIMIT:-900} s" >>"$log"; fi
    if [ -z "${KEEP:-}" ]; then rm -rf "$SCRATCH"; else echo "kept: $SCRATCH" >>"$log"; fi
    echo "$status" >"$LOGS/$name.status"
    (
        flock 9
        echo "-- $name: status $status, $((SECONDS - began)) s"
        if [ "$status" != 0 ] && [ "$status" != 77 ]; then tail -n 400 "$log" | sed 's/^/    /'; fi
    ) 9>"$LOGS/$1/.print"
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3" "$4"
    exit 0
fi

suite=$1 bin=$2
shift 2
[[ $bin = /* ]] || bin=$ROOT/$bin
mkdir -p "$LOGS/$suite"
rm -f "$LOGS/$suite"/*.status "$LOGS/$suite"/*.first.log

scripts=()
for s in "tests/$suite"/[0-9][0-9]_*.sh; do
    [ -f "$s" ] || continue
    if [ $# = 0 ]; then scripts+=("$s"); fi
    for part in "$@"; do
        if [[ $s = *"$part"* ]]; then scripts+=("$s") && break; fi
    done
done

if [ "${#scripts[@]}" -gt 0 ]; then
    printf '%s\0' "${scripts[@]}" |
        xargs -0 -P "${JOBS:-2}" -I{} "$TESTS/scenarios.sh" --one "$suite" {} "$bin"
fi

status_of() { cat "$LOGS/$suite/$(basename "$1" .sh).status" 2>/dev/null || echo lost; }

seconds=()
for s in "${scripts[@]}"; do
    case $(status_of "$s") in 0 | 77) continue ;; esac
    [ "${AGAIN:-}" = 1 ] || continue
    name=$(basename "$s" .sh)
    cp "$LOGS/$suite/$name.log" "$LOGS/$suite/$name.first.log"
    echo "-- $suite/$name: once more"
    "$TESTS/scenarios.sh" --one "$suite" "$s" "$bin"
    if [ "$(status_of "$s")" = 0 ]; then seconds+=("$name"); fi
done

for s in "${scripts[@]}"; do
    name=$(basename "$s" .sh)
    log=$LOGS/$suite/$name.log
    case $(status_of "$s") in
    0) ok "$name" ;;
    77) skip "$name" "$(tail -n 1 "$log")" ;;
    *) not_ok "$name" "$log" ;;
    esac
done
if [ "${#seconds[@]}" -gt 0 ]; then
    echo "NEEDED A SECOND TRY, mend these:"
    for name in "${seconds[@]}"; do
        echo "second try: $name (log: ${LOGS#"$ROOT"/}/$suite/$name.first.log)"
    done
fi
closing
