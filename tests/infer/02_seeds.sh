#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two made designs of each level and the real tables, judged by the scorer beside the repository: none under 0.8.
. "$(dirname "$0")/../lib.sh"
scenario
shared=${RENORM_SHARED:-$ROOT/../shared}
[ -f "$shared/infer/score.py" ] || skip_scenario "no scorer in $shared/infer"
/usr/bin/python3 "$TESTS/infer/score.py" --renorm "$1" --shared "$shared" --work "$SCRATCH" --seeds 1-2 \
    --groups "level real" --jobs 2 --floor 0.8
