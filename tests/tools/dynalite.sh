# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A real DynamoDB-compatible server for scripts that have sourced lib.sh. It ends with the script.

# dynalite_start [PORT=0]: sets DYNALITE_URL and DYNALITE_PID. A given port is for coming back.
dynalite_start() {
    scratch
    local file=$SCRATCH/dynalite.port
    rm -f "$file"
    start dynalite node "$TESTS/tools/dynalite.js" "$file" "${1:-0}"
    DYNALITE_PID=$STARTED
    if ! wait_until "[ -s '$file' ] || ! kill -0 $DYNALITE_PID 2>/dev/null" || [ ! -s "$file" ]; then
        cat "$SCRATCH/dynalite.log" >&2
        echo "dynalite did not start" >&2
        return 1
    fi
    DYNALITE_URL=http://127.0.0.1:$(cat "$file")
    export DYNALITE_URL DYNALITE_PID
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
