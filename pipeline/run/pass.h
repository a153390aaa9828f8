/* SPDX-License-Identifier: MIT */
/*
 * An item's way from bytes to rows: decode, TTL, route, keys, stages, casts, rest, rows.
 * Whatever happens to an item is counted in exactly one place.
 */
#ifndef RUN_PASS_H
#define RUN_PASS_H

#include "pipeline/plan/plan.h"
#include "pipeline/source/page.h"

struct pass;

struct pass_options {
    int64_t now_us;      /* the run's start: TTL and every `now` */
    struct str mask_key; /* borrowed */
    bool keyless;        /* rows need no source key, unless there are extracts */
    bool keep_nulls;     /* NULL is told from missing: none is folded */
};

/* thread: worker. Returns owned, or NULL when out of memory. */
struct pass *pass_new(const struct plan *plan, const struct pass_options *opts);
void pass_free(struct pass *p);

/*
 * Turns the next items of a page into rows and rejects: not all of them at once, so that what
 * they become stays in the cache until the sink has it. *at starts at 0; RC_END when none is
 * left. The batch is valid until the next call (or until the page's bytes go). `counters`
 * (schema_counters numbers) grow. RC_OK, RC_END or RC_NOMEM only.
 */
enum rc pass_page(struct pass *p, const struct page *page, size_t *at, struct batch *out,
                  uint64_t *counters, struct err *err) MUST_CHECK;

enum pass_fate { FATE_ROUTED, FATE_FILTERED, FATE_UNROUTED, FATE_REJECTED };

/* What happened to one item, for explain and check. */
struct pass_trace {
    enum pass_fate fate;
    struct item item;              /* n == 0 if it could not be decoded */
    uint32_t entity;               /* UINT32_MAX: none */
    const char *stage;             /* the stage that filtered or faulted it, or NULL */
    const struct stage_spec *spec; /* where that stands in the model, or NULL */
    uint32_t note;                 /* what counts an item that was filtered, or NOTE_NONE */
    struct fault fault;
    const struct row *rows;
    size_t nrows;
};

/* One item alone; valid until the next call. RC_OK or RC_NOMEM. */
enum rc pass_one(struct pass *p, struct str raw, struct pass_trace *out,
                 struct err *err) MUST_CHECK;

#endif
