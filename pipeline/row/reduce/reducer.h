/* SPDX-License-Identifier: MIT */
/*
 * All candidates of one target table reduced to rows and conflicts, in bounded memory. The
 * lines come out in the order of their keys and are the same whatever the order of input.
 */
#ifndef ROW_REDUCE_REDUCER_H
#define ROW_REDUCE_REDUCER_H

#include <stdatomic.h>

#include "pipeline/row/reduce/candidate.h"

struct reducer;

struct reducer_out {
    void *ctx;
    /* A row of the target table, and one of its conflict table, as JSON lines. */
    enum rc (*row)(void *ctx, struct str line, struct err *err);
    enum rc (*conflict)(void *ctx, struct str line, struct err *err);
    const atomic_bool *stop; /* ends it with RC_CANCEL; may be NULL */
};

struct reducer_totals {
    uint64_t rows, conflicts, missing_mirrors;
};

/*
 * For the extract `index`, and every other one of the schema with the same target: their
 * candidates belong together. tmp: a folder for unnamed files. Returns owned.
 */
enum rc reducer_new(const struct schema *schema, uint32_t index, const char *tmp, size_t memory,
                    struct reducer **out, struct err *err) MUST_CHECK;
void reducer_free(struct reducer *r);

/* What candidate_encode wrote, without the length before it. */
enum rc reducer_add(struct reducer *r, struct str candidate, struct err *err) MUST_CHECK;

/* EXTRACT_OWNER: the rows of the target table itself, as JSON lines. */
enum rc reducer_add_owner(struct reducer *r, struct str line, struct err *err) MUST_CHECK;

/* Repeatable. */
enum rc reducer_run(struct reducer *r, const struct reducer_out *out,
                    struct reducer_totals *totals, struct err *err) MUST_CHECK;

/* The first extract of the schema with the same target: the one that stands for all. */
uint32_t reducer_leader(const struct schema *schema, uint32_t index);

#endif
