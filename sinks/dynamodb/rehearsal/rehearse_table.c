/* SPDX-License-Identifier: MIT */
/* Every worker gathers for itself, so that none waits for another; the first takes the sum. */
#include "sinks/dynamodb/rehearsal/rehearse_table.h"

#include <stdlib.h>

#include "pipeline/source/table/scan.h"
#include "sinks/dynamodb/fill/look.h"

struct gathered {
    struct rehearse *r; /* one worker's */
};

/* thread: worker */
static enum rc look(void *ctx, uint32_t worker, const struct item *item, const struct change *c,
                    struct err *err)
{
    struct gathered *all = ctx;
    return rehearse_add(all[worker].r, item, c, err);
}

static enum rc gather(const struct fill_setup *setup, uint64_t sample, struct gathered *all,
                      struct fill_result *result, struct err *err)
{
    struct look looking = {.item = look, .ctx = all, .sample = sample};
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < setup->workers; i++) {
        all[i].r = rehearse_new(setup->plan, scan_facts(setup->source).table);
        rc = all[i].r ? RC_OK : err_nomem(err);
    }
    if (!rc)
        rc = look_run(setup, &looking, result, err);
    for (uint32_t i = 1; !rc && i < setup->workers; i++)
        rc = rehearse_merge(all[0].r, all[i].r, err);
    return rc;
}

enum rc rehearse_table(const struct fill_setup *setup, uint64_t sample,
                       struct rehearse **gathered, struct fill_result *result, struct err *err)
{
    struct gathered *all = calloc(setup->workers, sizeof *all);
    *gathered = NULL;
    if (!all)
        return err_nomem(err);
    enum rc rc = gather(setup, sample, all, result, err);
    *gathered = all[0].r;
    for (uint32_t i = 1; i < setup->workers; i++)
        rehearse_free(all[i].r);
    free(all);
    return rc;
}
