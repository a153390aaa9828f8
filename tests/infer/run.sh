#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Inferred models: our own designs, a few made ones, real tables, items that nobody expects.
. "$(dirname "$0")/../lib.sh"
"$TESTS/scenarios.sh" infer "$@"
