/* SPDX-License-Identifier: MIT */
/* A routed item becomes rows: its own, those of its children, candidates of extracts. */
#ifndef RUN_EMIT_H
#define RUN_EMIT_H

#include "pipeline/plan/plan.h"

struct emit;

struct emit_job {
    const struct shape *shape;
    uint32_t entity;
    const struct item *item;
    struct arena *arena;
    struct rows_out *rows;
    struct notes *notes;
    struct str source_key;
    struct fault *why;
    uint32_t note;                 /* out: counts an item that was filtered, or NOTE_NONE */
    const char *stage;             /* out: the stage that ended it, or NULL */
    const struct stage_spec *spec; /* out: where it stands in the model, or NULL */
};

/* thread: worker. Returns owned, or NULL when out of memory. */
struct emit *emit_new(const struct plan *plan, struct str mask_key, int64_t now_us);
void emit_free(struct emit *e);

/* RC_OK, RC_END: filtered, RC_DATA: job->why is set, RC_NOMEM. */
enum rc emit_item(struct emit *e, struct emit_job *job) MUST_CHECK;

#endif
