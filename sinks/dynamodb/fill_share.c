/* SPDX-License-Identifier: MIT */
/*
 * How the segments stand. There is an equal share of what is under way for each of them, so that
 * one that is throttled cannot take it all. One whose page is still to come, or will be followed by
 * another, is awaited, as long as its last one had something to be written.
 */
#include "pipeline/source/scan.h"
#include "sinks/dynamodb/fill_page.h"

static enum rota_state state_of(const struct fill_worker *w, const struct fill_work *k)
{
    if (!k->open || (!k->page && k->idle))
        return ROTA_IDLE;
    if (!k->page)
        return ROTA_AWAITED;
    if (!writer_range_open(w->writer, k->segment))
        return ROTA_IDLE;
    bool more = k->waiting || k->aside;
    uint32_t share = (w->shared->setup->in_flight + w->open - 1) / w->open;
    if (more && k->out <= 3 * share) /* as many again go to the disk meanwhile */
        return ROTA_READY;
    bool follows = more || !k->page->last || !w->no_more; /* a job, a page, another segment */
    return !k->slow && follows ? ROTA_AWAITED : ROTA_IDLE;
}

void fill_share(struct fill_worker *w)
{
    for (uint32_t i = 0; i < w->nworks; i++)
        w->rota.v[i].state = state_of(w, &w->works[i]);
}

bool fill_share_late(struct fill_worker *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nworks; i++) {
        const struct fill_work *k = &w->works[i];
        struct rota_place *p = &w->rota.v[i];
        if (p->state == ROTA_AWAITED && !k->page && scan_reader_late(w->reader, k->segment)) {
            p->state = ROTA_IDLE;
            any = true;
        }
    }
    return any;
}
