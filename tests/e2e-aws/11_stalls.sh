#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Answers that never come and answers that stop half way: both time-outs at once, then all rows.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 1000 --page-bytes 65536)
shop_model model.json
shop_rows want.rows "${table[@]}"
live_sim "${table[@]}" \
    --fault '[{"operation":"Scan","segment":1,"nth":1,"action":"stall"},
              {"operation":"Scan","segment":2,"nth":1,"action":"stall-in-body"}]'
"$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 4 --workers 2
same_rows "after stalls" out want.rows
equal "both struck" "$(sim_control stats | jq -c '[.rules[].fired]')" '[1,1]'
