#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The suites that talk to a live table once more, against DynamoDB Local. Usage: run.sh BIN
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
export DDB_SERVER=local
mkdir -p "$LOGS"

if [ ! -f "$BUILD/ddb-local/DynamoDBLocal.jar" ]; then
    skip "DynamoDB Local" "it is not there: the npm registry did not answer"
    closing
    exit
fi
# Only the scenarios that talk to a real server; the others have the simulator.
for dir in tests/*/; do
    suite=$(basename "$dir")
    if [ ! -x "tests/$suite/run.sh" ]; then continue; fi
    mapfile -t names < <(grep -lE '^[^#]*\<dynalite_start\>' "tests/$suite"/[0-9][0-9]_*.sh 2>/dev/null | xargs -r -n1 basename -s .sh)
    if [ "${#names[@]}" = 0 ]; then continue; fi
    log=$LOGS/conformance-$suite.log status=0
    echo "== $suite"
    "tests/$suite/run.sh" "$1" "${names[@]}" 2>&1 | tee "$log" || status=$?
    if ! read_closing "$log"; then F=1; fi
    if [ "$status" != 0 ] && [ "$F" = 0 ]; then F=1; fi
    passed=$((passed + P)) failed=$((failed + F)) skipped=$((skipped + S))
done
closing
