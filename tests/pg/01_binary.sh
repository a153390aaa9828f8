#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What goes in as binary reads back as the same text, for thousands of values of every type.
. "$(dirname "$0")/lib.sh"
new_db
"$TOOLS/pg_roundtrip" "$URL" | tee values.txt
equal "types checked" "$(grep -c ' 0 wrong$' values.txt)" 23
