#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A backfill, and then its undo, are killed at random moments and go on each time: at every moment the
# journal knows every change, at the end all is right, and after the undo all is as it was.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
kills=${KILLS:-$([ "$SCALE" = full ] && echo 20 || echo 3)}
items=${ITEMS:-$([ "$SCALE" = full ] && echo 1500 || echo 300)}

shop_fill model.json
live_sim --generate "$items" --page-bytes 65536 --latency-ms 2
sim_items >before
want "$SHOP_WANT" <before >right
pace=(--workers 2 --in-flight 8)
forth=("$BIN" backfill dynamodb:shop -m model.json --state state --quiet --wcu 100000 --segments 8
    --summary end.json "${pace[@]}" --rcu)
# pages of other sizes from process to process: what one had read is not what the next one reads
budgets=(100000 8 30 100000 60)
back=("$BIN" backfill dynamodb:shop --undo state --quiet --wcu 100000 --summary undo.json "${pace[@]}")
forth() { "${forth[@]}" 100000; }
back() { "${back[@]}"; }

# how long each takes when nobody disturbs it
began=$(date +%s%N)
forth
forth_took=$(($(date +%s%N) - began))
sim_items >after
same_items "undisturbed" after right
began=$(date +%s%N)
back
back_took=$(($(date +%s%N) - began))
sim_items >after
same_items "undisturbed, undone" after before
rm -rf state

# finished: the pass is over, though the process may have been killed before it could say so.
finished() {
    local kind=fill
    if [ "$phase" = back ]; then kind=undo; fi
    [ "$(jq -r ".passes[-1] | .kind == \"$kind\" and .finished" state/state.json 2>/dev/null)" = true ]
}

# over [unsaid]: what must hold when a phase has come to its end
over() {
    sim_items >after
    if [ "$phase" = forth ]; then
        same_items "backfill after $done_kills kills" after right
        [ "${1:-}" = unsaid ] || equal "counts after $done_kills kills" "$(jq -c '.items | [.read, .changed, .conflicted, .failed]' end.json)" \
            "[$items,$items,0,0]"
        python3 "$TESTS/e2e-aws/table.py" journal state before after >/dev/null || fail "changes that the journal does not know"
        phase=back took=$back_took
    else
        same_items "undo after $done_kills kills" after before
        [ "${1:-}" = unsaid ] || equal "undo after $done_kills kills" "$(jq -c '.undo | [.conflicted, .failed]' undo.json)" '[0,0]'
        phase=forth took=$forth_took
        rm -rf state
    fi
}

RANDOM=${SEED:-11}
phase=forth took=$forth_took done_kills=0 midway=0 tries=0
while [ "$done_kills" -lt "$kills" ] && [ "$tries" -lt $((3 * kills)) ]; do
    tries=$((tries + 1))
    writes=$(sim_stat applied)
    if [ "$midway" = 0 ]; then sim_control faults '{"operation":"UpdateItem","after":30,"action":"throttle"}' >/dev/null; fi
    if [ "$phase" = forth ]; then start killed "${forth[@]}" "${budgets[tries % ${#budgets[@]}]}"; else start killed "${back[@]}"; fi
    pid=$STARTED
    if [ "$midway" = 0 ]; then
        # the first one gets somewhere, and not to its end
        wait_until "[ \$(sim_stat applied) -ge $((writes + 20)) ] || ! kill -0 $pid 2>/dev/null"
    else
        sleep "$(awk -v t="$took" -v r="$RANDOM" 'BEGIN { printf "%.3f", t / 1e9 * r / 32768 }')"
    fi
    status=0
    stop "$pid" KILL || status=$?
    sim_control faults '[]' >/dev/null
    if [ "$status" = 0 ]; then # it was faster than the kill
        over
        continue
    fi
    equal "exit status ($(cat killed.log))" "$status" 137
    done_kills=$((done_kills + 1))
    if finished; then
        over unsaid
        continue
    fi
    sim_items >after
    if ! cmp -s after before && ! cmp -s after right; then midway=$((midway + 1)); fi
    python3 "$TESTS/e2e-aws/table.py" journal state before after >/dev/null ||
        fail "changes that the journal does not know, after $done_kills kills"
done
[ $((2 * midway)) -gt "$done_kills" ] || fail "$midway of $done_kills kills struck on the way"
echo "$midway of $done_kills kills struck on the way"
"$phase"
over
if [ "$phase" = back ]; then
    verify_fill
    back
    over
fi
