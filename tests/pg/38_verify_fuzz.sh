#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random models and items with duplicates, children, copies, merged items and links: both targets hold what an oracle says,
# verify says equal, and after a change different. CASES and SEED make it longer, or another one.
. "$(dirname "$0")/lib.sh"
new_db
PYTHONDONTWRITEBYTECODE=1 python3 "$TESTS/tools/verify_fuzz.py" "$RENORM" "$URL" "${CASES:-5}" "${SEED:-1}"
