/* SPDX-License-Identifier: MIT */
/*
 * There is an equal share for every open segment, also for those that are still being read, so that
 * what is written at a time lies all over the table. While few of them have come it is a share of
 * the requests in flight only, and once in a while: pages gather, and the scan goes on.
 */
#include "sinks/dynamodb/fill_page.h"

static const int64_t FEW_US = FILL_PAGE_FEW_MS * INT64_C(1000);

bool fill_share_most(const struct fill_worker *w)
{
    uint32_t pages = 0;
    for (uint32_t i = 0; i < w->nworks; i++)
        pages += w->works[i].page != NULL;
    return 4 * pages >= 3 * w->open;
}

bool fill_share(struct fill_worker *w, struct fill_work *k, bool most)
{
    uint32_t open = w->open ? w->open : 1;
    uint32_t few = w->shared->setup->in_flight / open;
    if (most)
        return k->out <= 3 * few; /* as many again go to the disk meanwhile */
    const struct env *env = w->shared->setup->env;
    int64_t now = env->mono_us(env->ctx);
    if (now - k->few_us >= FEW_US) {
        k->few_us = now;
        k->few = 0;
    }
    bool yes = k->few <= few && k->out <= few;
    k->few += yes;
    w->held = w->held || !yes;
    return yes;
}
