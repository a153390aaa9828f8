/* SPDX-License-Identifier: MIT */
/*
 * What became of the items of a pass, by entity and fate: of a page while it is in work, of all
 * pages that are done, and by worker for those who watch. Items of no entity have a row of their
 * own, the last.
 */
#ifndef SINKS_DYNAMODB_FILL_FATE_COUNTS_H
#define SINKS_DYNAMODB_FILL_FATE_COUNTS_H

#include <pthread.h>

#include "sinks/dynamodb/fill/fill.h"

struct fate_counts {
    uint32_t rows; /* entities + 1 */
    uint32_t workers;
    struct fill_progress *progress; /* owned; one for each worker */
    pthread_mutex_t mu;
    uint64_t *sums; /* lock: mu. Owned. rows * FATES: pages that are done */
    uint64_t items; /* lock: mu. that the service sent in these pages */
};

/* fate_counts_release frees what was made even if this fails. */
enum rc fate_counts_init(struct fate_counts *c, const struct fill_setup *setup,
                         uint32_t workers, struct err *err) MUST_CHECK;
void fate_counts_release(struct fate_counts *c);

/* Room for the counts of a page, zeros; returns owned (free), or NULL. */
uint64_t *fate_counts_page(const struct fate_counts *c);
void fate_counts_clear(const struct fate_counts *c, uint64_t *page);

/* thread: worker. One item of the page. */
void fate_counts_item(struct fate_counts *c, uint32_t worker, uint64_t *page, uint32_t entity,
                      enum fate fate);

/* thread: any. lock: mu. The page is done; so many items were sent in it. */
void fate_counts_done(struct fate_counts *c, uint32_t worker, const uint64_t *page,
                      const struct page *of);

/* The result of the pass, but for units of writes and time. `earlier`: counts of earlier
 * processes; NULL: none. */
enum rc fate_counts_result(const struct fate_counts *c, const uint64_t *earlier,
                           struct source *source, struct fill_result *out,
                           struct err *err) MUST_CHECK;

#endif
