#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The AWS client as a whole: its signatures against botocore's, an implementation that shares
# nothing with ours, and its calls against the simulator, which verifies them by code of its own.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/sim/sim.sh"

scratch
mkdir -p "$LOGS"
export HOME=$SCRATCH AWS_REGION=eu-west-1 AWS_EC2_METADATA_DISABLED=true
export AWS_ACCESS_KEY_ID=AKIDTEST AWS_SECRET_ACCESS_KEY=s3cr3t
unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_CA_BUNDLE
export NO_PROXY=127.0.0.1
item='{"TableName":"shop","Key":{"PK":{"S":"CUSTOMER#c00000000"},"SK":{"S":"A"}}}'

# sim OPTION...: a fresh simulator, to which the environment points.
sim() {
    if [ -n "${SIM_PID:-}" ]; then stop "$SIM_PID"; fi
    sim_start sim --generate 100 --credentials AKIDTEST:s3cr3t "$@" || exit 1
    export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL
}

# says NAME STATUS PATTERN ARGUMENT...: the client ends with that status and says that.
says() {
    local name=$1 want=$2 pattern=$3 status=0
    shift 3
    "$OBJDIR/tests/tools/ddb" "$@" >"$SCRATCH/out" 2>&1 || status=$?
    if [ "$status" = "$want" ] && grep -q -e "$pattern" "$SCRATCH/out" && ! grep -q s3cr3t "$SCRATCH/out"; then
        ok "$name"
    else
        head -c 2000 "$SCRATCH/out" | sed 's/^/    /'
        not_ok "$name (status $status)"
    fi
}

count=400
if [ "$SCALE" = small ]; then count=100; fi
log=$LOGS/aws-botocore.log
# Debian's python, whose botocore `make deps` installs
if /usr/bin/python3 "$TESTS/aws/compare.py" "$OBJDIR/tests/tools/sign" "$count" >"$log" 2>&1; then
    ok "signatures equal botocore's ($(tail -n 1 "$log"))"
else
    sed 's/^/    /' "$log"
    not_ok "signatures equal botocore's" "$log"
fi

sim
says "a signed call is accepted" 0 '"TableName":"shop"' DescribeTable '{"TableName":"shop"}'
says "an item is read" 0 'CUSTOMER#c00000000' GetItem "$item"
says "a table that is not there stops at once, with a hint" 1 '^hint: check the name' DescribeTable '{"TableName":"nobody"}'
AWS_SECRET_ACCESS_KEY=wrong says "a wrong secret is told as such" 1 'Signature' GetItem "$item"

sim --gzip
RENORM_GZIP=1 says "a compressed answer is read" 0 '"Count":100' Scan '{"TableName":"shop"}'

sim --skew 3600
says "a clock that is wrong by an hour is corrected" 0 'CUSTOMER#c00000000' GetItem "$item"

sim --fault '{"operation":"GetItem","times":2,"action":"500"}'
says "a failure that heals is repeated" 0 'CUSTOMER#c00000000' GetItem "$item"

# certificate NAMES: key.pem and cert.pem for them.
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$SCRATCH/key.pem" -out "$SCRATCH/cert.pem" -days 2 \
        -subj /CN=localhost -addext "subjectAltName=$1" 2>/dev/null
}

certificate DNS:localhost,IP:127.0.0.1
sim --tls "$SCRATCH/cert.pem" --tls-key "$SCRATCH/key.pem"
says "a certificate nobody vouches for is refused" 1 '^hint: AWS_CA_BUNDLE' GetItem "$item"
AWS_CA_BUNDLE=$SCRATCH/cert.pem says "AWS_CA_BUNDLE vouches for it" 0 'CUSTOMER#c00000000' GetItem "$item"

certificate DNS:other.example
sim --tls "$SCRATCH/cert.pem" --tls-key "$SCRATCH/key.pem"
AWS_CA_BUNDLE=$SCRATCH/cert.pem says "a certificate for another name is refused" 1 '^hint: AWS_CA_BUNDLE' GetItem "$item"
closing
