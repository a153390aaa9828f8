#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The simulator itself: right as a service for boto3, and wrong in every way it is told to be.
. "$(dirname "$0")/../lib.sh"
scratch
export PYTHONDONTWRITEBYTECODE=1
python3 "$TESTS/sim/check_service.py" || exit 1
python3 "$TESTS/sim/check_faults.py" || exit 1
python3 "$TESTS/sim/check_writes.py" || exit 1
