/* SPDX-License-Identifier: MIT */
/* infer: reads a source once, whole, and writes the model that its items follow. */
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/open/infer_model.h"
#include "cmd/open/job.h"
#include "cmd/signals.h"

enum rc cmd_infer(const struct options *o, struct ending *out, struct err *err)
{
    struct job job;
    (void)out;
    job_init(&job);
    job.stop = signals_install();
    enum rc rc = RC_OK;
    if (o->nwords < 1) {
        rc = err_set(err, RC_USAGE,
                     "infer needs a source\nhint: renorm infer items.jsonl -o model.json");
    }
    if (!rc)
        rc = job_source(&job, o->words, o->nwords, o, err);
    if (!rc)
        rc = infer_model_write(&job, o, err);
    job_release(&job);
    return rc;
}
