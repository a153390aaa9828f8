#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every zone of the tz database, against Python's own reader of it: local times that clocks show once,
# twice and never, before the first change that is known and after the last.
. "$(dirname "$0")/lib.sh"
scenario
export LC_ALL=C
python3 "$TESTS/e2e/zones.py" model.json items.jsonl want.jsonl
equal "many zones" "$(jq '.entities | length > 400' model.json)" true
"$BIN" export items.jsonl out -m model.json --quiet --max-rejects 100%
diff <(sort want.jsonl) <(zstdcat -q out/t/*.zst | sort) >diff.txt || {
    head -n 20 diff.txt
    fail "other instants than Python's"
}
zstdcat -q out/rejects/*.zst | jq -r .item.PK.S | sort >rejected.txt
diff want.jsonl.rejected rejected.txt || fail "other rejects"
[ "$(wc -l <rejected.txt)" -gt 1000 ] || fail "too few ambiguous times: $(wc -l <rejected.txt)"
