/* SPDX-License-Identifier: MIT */
#include "pipeline/run/model_fit.h"

/* So many tell whether the model fits the source. */
enum { FIRST_ITEMS = 10000 };

/* What the ledger holds is part of the first items: running again does not settle the question. */
void model_fit_seed(struct model_fit *f, uint64_t items, uint64_t bad)
{
    atomic_store(&f->seen, items);
    atomic_store(&f->bad, bad);
    bool fine = bad * 2 <= items || items - bad >= FIRST_ITEMS;
    if (items >= FIRST_ITEMS && fine)
        atomic_store(&f->judged, true);
}

/* More than half of the first items are no use to this model: it is the wrong one. */
enum rc model_fit_page(struct model_fit *f, uint64_t items, uint64_t bad, struct err *err)
{
    uint64_t all_bad = atomic_fetch_add(&f->bad, bad) + bad;
    uint64_t seen = atomic_fetch_add(&f->seen, items) + items;
    if (seen < FIRST_ITEMS || atomic_exchange(&f->judged, true) || all_bad * 2 <= seen)
        return RC_OK;
    atomic_store(&f->wrong, true);
    (void)err_set(err, RC_SOURCE, "%llu of the first %llu items %s or matched no entity",
                  (unsigned long long)all_bad, (unsigned long long)seen, f->became);
    return err_hint(err, "%s", f->hint);
}
