/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/fill/fate_counts.h"

#include <stdlib.h>

enum rc fate_counts_init(struct fate_counts *c, const struct fill_setup *setup,
                         uint32_t workers, struct err *err)
{
    *c = (struct fate_counts){.rows = setup->plan->model->nentities + 1, .workers = workers};
    (void)pthread_mutex_init(&c->mu, NULL);
    c->progress = calloc((size_t)workers + 1, sizeof *c->progress);
    c->sums = fate_counts_page(c);
    if (c->progress && c->sums)
        return RC_OK;
    c->workers = 0; /* nobody to be counted */
    return err_nomem(err);
}

void fate_counts_release(struct fate_counts *c)
{
    free(c->progress);
    free(c->sums);
    (void)pthread_mutex_destroy(&c->mu);
}

uint64_t *fate_counts_page(const struct fate_counts *c)
{
    return calloc((size_t)c->rows * FATES, sizeof(uint64_t));
}

void fate_counts_clear(const struct fate_counts *c, uint64_t *page)
{
    memset(page, 0, (size_t)c->rows * FATES * sizeof *page);
}

void fate_counts_item(struct fate_counts *c, uint32_t worker, uint64_t *page, uint32_t entity,
                      enum fate fate)
{
    uint32_t row = entity < c->rows - 1 ? entity : c->rows - 1;
    page[row * FATES + (uint32_t)fate]++;
    atomic_fetch_add(&c->progress[worker].fates[fate], 1);
    atomic_fetch_add(&c->progress[worker].items, 1);
}

void fate_counts_done(struct fate_counts *c, uint32_t worker, const uint64_t *page,
                      const struct page *of)
{
    (void)pthread_mutex_lock(&c->mu);
    for (uint32_t i = 0; i < c->rows * FATES; i++)
        c->sums[i] += page[i];
    c->items += of->nextents;
    (void)pthread_mutex_unlock(&c->mu);
    atomic_fetch_add(&c->progress[worker].segments, of->last);
}

enum rc fate_counts_result(const struct fate_counts *c, const uint64_t *earlier,
                           struct source *source, struct fill_result *out, struct err *err)
{
    struct source_usage usage = {0};
    out->counts = fate_counts_page(c);
    if (!out->counts)
        return err_nomem(err);
    out->rows = c->rows;
    for (uint32_t i = 0; i < c->rows * FATES; i++) {
        out->counts[i] = c->sums[i] + (earlier ? earlier[i] : 0);
        out->resumed_items += earlier ? earlier[i] : 0;
    }
    out->read = out->resumed_items + c->items; /* not from the fates: they must add up to it */
    for (uint32_t i = 0; i < c->workers; i++)
        out->segments += (uint32_t)atomic_load(&c->progress[i].segments);
    if (source->ops->usage)
        source->ops->usage(source, &usage);
    out->read_units = usage.units;
    out->throttles = usage.throttles;
    out->retries = usage.retries;
    return RC_OK;
}
