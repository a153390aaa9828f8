#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make infer-score` runs: the score of inferred models over made designs, real tables, the examples and designs of
# our own (score.py). SEEDS ("1-60") and ONLY ("level3 real own") pick; CASES_KEPT=1 keeps every case's folder.
# Where the generator and the scorer are not beside the repository ($RENORM_SHARED) it says so and skips.
. "$(dirname "$0")/../lib.sh"
bin=$1
[[ $bin = /* ]] || bin=$ROOT/$bin
shared=${RENORM_SHARED:-$ROOT/../shared}
if [ ! -f "$shared/infer/score.py" ]; then
    echo "SKIPPED: no scorer in $shared/infer (RENORM_SHARED names the folder that has infer/). Nothing was measured." >&2
    exit 0
fi
exec /usr/bin/python3 "$TESTS/infer/score.py" --renorm "$bin" --shared "$(cd "$shared" && pwd)" --work "$BUILD/infer" \
    --seeds "${SEEDS:-1-60}" --groups "${ONLY:-}" --jobs "${JOBS:-2}" ${CASES_KEPT:+--keep} ${INFER:+--infer "$INFER"}
