/* SPDX-License-Identifier: MIT */
#include "pipeline/run/judge.h"

/* So many tell whether the model fits the source. */
enum { FIRST_ITEMS = 10000 };

/* What the ledger holds is part of the first items: running again does not settle the question. */
void judge_seed(struct run_shared *shared, const struct run_state *state)
{
    const uint64_t *c = state->counters;
    if (!state->resumed || !c)
        return;
    uint64_t bad = c[CNT_REJECTED] + c[CNT_UNROUTED];
    atomic_store(&shared->seen, c[CNT_READ]);
    atomic_store(&shared->bad, bad);
    bool fine = bad * 2 <= c[CNT_READ] || c[CNT_READ] - bad >= FIRST_ITEMS;
    atomic_store(&shared->judged, c[CNT_READ] >= FIRST_ITEMS && fine);
}

/* More than half of the first items are no use to this model: it is the wrong one. */
enum rc judge_items(struct run_shared *shared, const uint64_t *before, const uint64_t *after,
                    struct err *err)
{
    uint64_t bad =
        after[CNT_REJECTED] - before[CNT_REJECTED] + after[CNT_UNROUTED] - before[CNT_UNROUTED];
    bad = atomic_fetch_add(&shared->bad, bad) + bad;
    uint64_t seen = after[CNT_READ] - before[CNT_READ];
    seen = atomic_fetch_add(&shared->seen, seen) + seen;
    if (seen < FIRST_ITEMS || atomic_exchange(&shared->judged, true) || bad * 2 <= seen)
        return RC_OK;
    atomic_store(&shared->wrong, true);
    (void)err_set(err, RC_SOURCE,
                  "%llu of the first %llu items were rejected or matched no entity",
                  (unsigned long long)bad, (unsigned long long)seen);
    return err_hint(err,
                    "this model does not fit this source: try \"renorm check MODEL SOURCE\"");
}
