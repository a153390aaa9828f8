# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A real DynamoDB-compatible server for scripts that have sourced lib.sh. It ends with the script.

# Where DDB_SERVER is local or current it is DynamoDB Local instead (make conformance).

# dynalite_start [PORT=0]: sets DYNALITE_URL and DYNALITE_PID. A given port is for coming back.
dynalite_start() {
    local file port=${1:-0}
    scratch
    file=$SCRATCH/dynalite.port
    rm -f "$file"
    if [ -n "${DDB_SERVER:-}" ]; then
        _ddb_local "$file" "$port"
    else
        start dynalite node "$TESTS/tools/dynalite.js" "$file" "$port"
        DYNALITE_PID=$STARTED
    fi
    if ! wait_until "[ -s '$file' ] || ! kill -0 $DYNALITE_PID 2>/dev/null" || [ ! -s "$file" ]; then
        cat "$SCRATCH/dynalite.log" >&2
        echo "dynalite did not start" >&2
        return 1
    fi
    DYNALITE_URL=http://127.0.0.1:$(cat "$file")
    export DYNALITE_URL DYNALITE_PID
}

# Amazon's own emulator, in memory; it cannot report a port of its own choosing.
_ddb_local() {
    local jar=$BUILD/ddb-local port=$2 java
    java=(-Djava.library.path="$jar/DynamoDBLocal_lib" -jar "$jar/DynamoDBLocal.jar")
    if [ "$DDB_SERVER" = current ]; then
        jar=$BUILD/ddb-current
        java=(-Djava.library.path="$jar" -cp "$jar/*" com.amazonaws.services.dynamodbv2.local.main.ServerRunner)
    fi
    if [ "$port" = 0 ]; then port=$(free_port); fi
    start dynalite java "${java[@]}" -inMemory -sharedDb -port "$port"
    DYNALITE_PID=$STARTED
    wait_until "curl -s -o /dev/null http://127.0.0.1:$port || ! kill -0 $DYNALITE_PID 2>/dev/null" || return 1
    if kill -0 "$DYNALITE_PID" 2>/dev/null; then echo "$port" >"$1"; fi
}

dynalite_stop() { stop "$DYNALITE_PID" || true; }

# dynalite_load TABLE KEYS [FILE]...: see load.js; prints "N items".
dynalite_load() { node "$TESTS/tools/load.js" "$DYNALITE_URL" "$@"; }

# dynalite_env: what renorm needs to talk to it.
dynalite_env() {
    export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
    export AWS_ENDPOINT_URL_DYNAMODB=$DYNALITE_URL
    export AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
    unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL
}
