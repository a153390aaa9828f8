#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything against a real PostgreSQL: one throwaway server for the scenarios that do not hurt it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
pg_start || exit 1
"$TESTS/scenarios.sh" pg "$@"
