#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scenarios that talk to a real server once more, against DynamoDB Local: the build that an npm
# package carries, and the current one; the readers of what check prints for other tools; and buckets
# of independent servers.
# Usage: run.sh BIN
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
mkdir -p "$LOGS"

# against SERVER BIN: every scenario that starts a server; the others have the simulator.
against() {
    local dir suite log status names
    export DDB_SERVER=$1
    for dir in tests/*/; do
        suite=$(basename "$dir")
        if [ ! -x "tests/$suite/run.sh" ]; then continue; fi
        mapfile -t names < <(grep -lE '^[^#]*\<dynalite_start\>' "tests/$suite"/[0-9][0-9]_*.sh 2>/dev/null | xargs -r -n1 basename -s .sh)
        if [ "${#names[@]}" = 0 ]; then continue; fi
        log=$LOGS/conformance-$1-$suite.log status=0
        echo "== $suite, DynamoDB Local ($1)"
        "tests/$suite/run.sh" "$2" "${names[@]}" 2>&1 | tee "$log" || status=$?
        if ! read_closing "$log"; then F=1; fi
        if [ "$status" != 0 ] && [ "$F" = 0 ]; then F=1; fi
        passed=$((passed + P)) failed=$((failed + F)) skipped=$((skipped + S))
    done
}

# buckets_of SERVER BIN
buckets_of() {
    local log=$LOGS/conformance-$1.log status=0
    "$TESTS/conformance/s3.sh" "$2" "$1" >"$log" 2>&1 || status=$?
    case $status in
    0) ok "buckets of $1" ;;
    77) skip "buckets of $1" "$(tail -n 1 "$log")" ;;
    *) tail -n 40 "$log" | sed 's/^/    /' && not_ok "buckets of $1" "$log" ;;
    esac
}

echo "== buckets"
buckets_of versitygw "$1"
buckets_of moto "$1"

echo "== diagrams, dbt and datacontract-cli"
log=$LOGS/conformance-diagrams.log
tests/diagrams/conformance.sh "$1" 2>&1 | tee "$log"
if ! read_closing "$log"; then F=1; fi
passed=$((passed + P)) failed=$((failed + F)) skipped=$((skipped + S))

if [ -f "$BUILD/ddb-local/DynamoDBLocal.jar" ]; then
    against local "$1"
else
    skip "DynamoDB Local of 2020" "it is not there: the npm registry did not answer"
fi
if compgen -G "$BUILD/ddb-current/DynamoDBLocal-*.jar" >/dev/null; then
    against current "$1"
else
    skip "the current DynamoDB Local" "it is not there: no mvn, or its repository did not answer"
fi
closing
