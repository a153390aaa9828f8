/* SPDX-License-Identifier: MIT */
/*
 * An item's way from bytes to rows: decode, TTL, route, keys, stages, casts, rest, rows.
 * Whatever happens to an item is counted in exactly one place.
 */
#ifndef TRANSFORM_TRANSFORM_H
#define TRANSFORM_TRANSFORM_H

#include "pipeline/plan/plan.h"
#include "pipeline/profile/extras.h"
#include "pipeline/row/note_examples.h"
#include "pipeline/source/page.h"

struct transform;

struct transform_options {
    int64_t now_us;                 /* the run's start: TTL and every `now` */
    struct str mask_key;            /* borrowed */
    bool plain;                     /* items are plain JSON */
    bool keyless;                   /* rows need no source key, unless there are extracts */
    bool keep_nulls;                /* NULL is told from missing: none is folded */
    struct note_examples *examples; /* borrowed; NULL: none are wanted */
    struct extras *extras; /* borrowed: counts what goes to `extra`; NULL: nobody asks */
};

/* thread: worker. Returns owned, or NULL when out of memory. */
struct transform *transform_new(const struct plan *plan, const struct transform_options *opts);
void transform_free(struct transform *p);

/* What `plain` of the options says, for the items that follow. */
void transform_set_plain(struct transform *p, bool plain);

/*
 * Turns the next items of a page into rows and rejects: not all of them at once, so that what
 * they become stays in the cache until the sink has it. *at starts at 0; RC_END when none is
 * left. The batch is valid until the next call (or until the page's bytes go). `counters`
 * (schema_counters numbers) grow. RC_OK, RC_END or RC_NOMEM only.
 */
enum rc transform_page(struct transform *p, const struct page *page, size_t *at,
                       struct batch *out, uint64_t *counters, struct err *err) MUST_CHECK;

/* What happened to one item, for explain and check. */
struct transform_trace {
    enum item_fate fate;
    struct item item;              /* n == 0 if it could not be decoded */
    uint32_t entity;               /* UINT32_MAX: none */
    const char *stage;             /* the stage that filtered or faulted it, or NULL */
    const struct stage_spec *spec; /* where that stands in the model, or NULL */
    uint32_t note;                 /* what counts an item that was filtered, or NOTE_NONE */
    struct fault fault;
    const struct row *rows;
    size_t nrows;
    const uint64_t *notes; /* by note, what the item adds to them; of transform_one alone */
};

/* Says where the next items of transform_one are from; NULL: nobody knows. */
void transform_from(struct transform *p, const struct source_part *part);

/* One item alone; valid until the next call. RC_OK or RC_NOMEM. */
enum rc transform_one(struct transform *p, struct str raw, struct transform_trace *out,
                      struct err *err) MUST_CHECK;

/* "3 rows of order_line": the rows that the item has of a table, or its candidates for it. */
void transform_trace_rows(const struct transform_trace *t, const struct schema *schema,
                          struct str table, bool candidates, struct buf *out);

#endif
