# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Starting and steering the simulator from a test script; source it after tests/lib.sh.

# sim_only: nothing of the machine's own AWS set-up is left, and keys for a simulator are there.
sim_only() {
    local v
    for v in $(compgen -v AWS_ || true) http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy NO_PROXY all_proxy ALL_PROXY; do
        unset "$v"
    done
    export AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
    export AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=SECRET HOME=$SCRATCH
}

# sim_start NAME OPTION...: sets SIM_PID, SIM_PORT, SIM_URL. Output is in $SCRATCH/NAME.log.
# shellcheck disable=SC2034
sim_start() {
    local name=$1
    shift
    scratch
    rm -f "$SCRATCH/$name.port"
    start "$name" "$OBJDIR/tests/sim/sim" --port-file "$SCRATCH/$name.port" "$@"
    SIM_PID=$STARTED
    wait_until "[ -s '$SCRATCH/$name.port' ] || ! kill -0 $SIM_PID 2>/dev/null" 300
    if [ ! -s "$SCRATCH/$name.port" ]; then
        cat "$SCRATCH/$name.log" >&2
        return 1
    fi
    SIM_PORT=$(cat "$SCRATCH/$name.port")
    case " $* " in
    *" --tls "* | *" --tls="*) SIM_URL=https://127.0.0.1:$SIM_PORT ;;
    *) SIM_URL=http://127.0.0.1:$SIM_PORT ;;
    esac
}

# sim_control NAME [BODY]: a control request to the simulator started last; prints the answer.
sim_control() {
    curl --fail-with-body --silent --show-error --insecure --max-time 300 \
        --data-binary "${2:-}" "$SIM_URL/__sim/$1"
}

# sim_stat NAME: one number of the statistics.
sim_stat() {
    sim_control stats | sed -E 's/.*"'"$1"'":([0-9.]+).*/\1/'
}
