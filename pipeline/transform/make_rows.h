/* SPDX-License-Identifier: MIT */
/* A routed item becomes rows: its own, those of its children, candidates of extracts. */
#ifndef TRANSFORM_MAKE_ROWS_H
#define TRANSFORM_MAKE_ROWS_H

#include "pipeline/transform/transform.h"

struct make_rows;

struct make_rows_job {
    const struct shape *shape;
    uint32_t entity;
    const struct item *item;
    struct arena *arena;
    struct decoder *decoder;
    struct rows_out *rows;
    struct notes *notes;
    struct str source_key;
    struct fault *why;
    uint64_t *stages;              /* by stage: items in which it met an attribute; or NULL */
    enum item_fate fate;           /* out */
    uint32_t note;                 /* out: counts an item that was filtered, or NOTE_NONE */
    const char *stage;             /* out: the stage that ended it, or NULL */
    const struct stage_spec *spec; /* out: where it stands in the model, or NULL */
};

/* thread: worker. Returns owned, or NULL when out of memory. */
struct make_rows *make_rows_new(const struct plan *plan, const struct transform_options *opts);
void make_rows_free(struct make_rows *e);

/* RC_OK or RC_NOMEM; job->fate says what became of the item, and of one that is rejected job->why.
   Rows of an item that is not routed are the caller's to cut off. */
enum rc make_rows_item(struct make_rows *e, struct make_rows_job *job) MUST_CHECK;

#endif
