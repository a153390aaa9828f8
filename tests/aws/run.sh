#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The signer against botocore, an implementation that shares nothing with ours, on generated
# requests: DynamoDB, STS and S3, with and without session tokens, ports, paths and odd keys.
. "$(dirname "$0")/../lib.sh"

count=400
if [ "$SCALE" = small ]; then count=100; fi
log=$LOGS/aws-botocore.log
mkdir -p "$LOGS"
# Debian's python, whose botocore `make deps` installs
if PYTHONHASHSEED=0 /usr/bin/python3 "$TESTS/aws/compare.py" "$OBJDIR/tests/tools/sign" "$count" >"$log" 2>&1; then
    ok "signatures equal botocore's ($(tail -n 1 "$log"))"
else
    sed 's/^/    /' "$log"
    not_ok "signatures equal botocore's" "$log"
fi
closing
