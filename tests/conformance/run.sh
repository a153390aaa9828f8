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
for script in $(grep -lE '^[^#]*\<dynalite_start\>' tests/*/*.sh | grep -v '^tests/tools/' | xargs -r -n1 dirname | sort -u); do
    suite=$(basename "$script")
    log=$LOGS/conformance-$suite.log status=0
    if [ ! -x "tests/$suite/run.sh" ]; then continue; fi
    echo "== $suite"
    "tests/$suite/run.sh" "$1" 2>&1 | tee "$log" || status=$?
    if ! read_closing "$log"; then F=1; fi
    if [ "$status" != 0 ] && [ "$F" = 0 ]; then F=1; fi
    passed=$((passed + P)) failed=$((failed + F)) skipped=$((skipped + S))
done
closing
