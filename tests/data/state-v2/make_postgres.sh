#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How postgres-held.dump was made: by a renorm whose ledger is of version 2, which $1 names, from
# the source and the model of state-v1. It stands for what users have: it is never made again.
. "$(dirname "$0")/../../lib.sh"
. "$TESTS/tools/pg.sh"
scenario
pg_start
URL=$(pg_db held)
cp -r "$TESTS/data/state-v1/export" .
"$1" export export "$URL" -m "$TESTS/data/state-v1/model.json" --quiet || true
pg_query "$URL" "update renorm.process set host = 'host', place = 'place', pid = 1, ticks = 1" >/dev/null
pg_dump --inserts --no-owner -d "$URL" |
    sed '/^--/d; /^$/d; /^SET /d; /^SELECT pg_catalog.set_config/d; /^.restrict /d; /^.unrestrict /d' \
        >"$TESTS/data/state-v2/postgres-held.dump"
