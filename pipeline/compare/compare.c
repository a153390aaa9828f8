/* SPDX-License-Identifier: MIT */
/* The steps of a comparison, in their order; each stands in a file of its own. */
#include "pipeline/compare/compare.h"

#include "pipeline/compare/drop_duplicates.h"
#include "pipeline/source/table/scan.h"

static const char ROWS[] = "rows"; /* the name of the fresh rows in the store */

/* Names keys that still differ, COMPARE_NAMED of a table at most, and counts all by fate. */
static void tell_reread(const struct recheck *again, const struct schema *schema,
                        const struct compare_report *report, uint64_t fates[])
{
    uint64_t named = 0;
    uint32_t table = UINT32_MAX;
    for (size_t i = 0; i < recheck_count(again); i++) {
        const struct recheck_key *k = recheck_get(again, i);
        fates[k->fate]++;
        named = k->table == table ? named : 0;
        table = k->table;
        if (k->fate == RECHECK_EQUAL || named++ >= COMPARE_NAMED)
            continue;
        report->key(report->ctx, &schema->tables[k->table], k->key,
                    k->fate == RECHECK_CHANGED ? COMPARE_CHANGED : compare_finding_of(k->what));
    }
}

static enum rc reread(struct recheck *again, const struct reexport *first,
                      const struct compare_report *report, struct comparison *out,
                      struct err *err)
{
    uint64_t fates[RECHECK_EQUAL + 1] = {0};
    if (recheck_count(again) == 0)
        return RC_OK;
    enum rc rc = recheck_run(again, first, err);
    if (rc == RC_AUTH || rc == RC_USAGE || rc == RC_SOURCE) {
        report->not_reread(report->ctx, err);
        err_clear(err);
        rc = RC_OK;
    }
    if (rc)
        return rc;
    tell_reread(again, &first->plan->schema, report, fates);
    struct compare_reread counts = {.equal = fates[RECHECK_EQUAL],
                                    .changed = fates[RECHECK_CHANGED],
                                    .different = fates[RECHECK_DIFFERS],
                                    .unread = fates[RECHECK_UNREAD]};
    out->differing += counts.different + counts.unread;
    out->changed += counts.changed;
    report->reread(report->ctx, &counts);
    return RC_OK;
}

/* Exports the source again, and leaves out the rows that the sink's run dropped as duplicates. */
static enum rc make_rows(const struct reexport *first, struct rows_reader **out,
                         struct err *err)
{
    enum rc rc = reexport(first, err);
    if (!rc)
        rc = first->store->rows(first->store->ctx, first->name, &first->plan->schema, out, err);
    return !rc && first->lost ? drop_duplicates(*first->lost, *out, out, err) : rc;
}

static enum rc compare(const struct compare_setup *s, const struct reexport *first,
                       struct recheck *again, struct comparison *out, struct err *err)
{
    struct rows_reader *fresh = NULL;
    enum rc rc = make_rows(first, &fresh, err);
    struct compare_sides sides = {&first->plan->schema, fresh, s->sink, again, s->report};
    if (!rc)
        rc = compare_sides(&sides, out, err);
    if (fresh)
        fresh->ops->free(fresh);
    return !rc && again ? reread(again, first, s->report, out, err) : rc;
}

enum rc compare_run(const struct compare_setup *setup, struct comparison *out, struct err *err)
{
    struct row_origins origins;
    struct lost_rows *lost = NULL;
    struct recheck *again = NULL;
    struct reexport first = setup->source;
    bool live = scan_is(first.source);
    row_origins_init(&origins, first.store->folder);
    first.name = ROWS;
    first.fold = setup->sink->folds_nulls;
    first.now_us = setup->sink->now_us;
    if (setup->sink->duplicates.n) {
        first.lost = &lost;
        first.last = str_is(setup->sink->duplicates, "last");
    }
    first.origins = live || first.lost ? &origins : NULL;
    enum rc rc = RC_OK;
    if (live) {
        again = recheck_new(&first.plan->schema);
        rc = again ? RC_OK : err_nomem(err);
    }
    if (!rc)
        rc = compare(setup, &first, again, out, err);
    recheck_free(again);
    lost_rows_free(lost);
    row_origins_release(&origins);
    return rc;
}
