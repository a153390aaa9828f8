/* SPDX-License-Identifier: MIT */
/* A source exported once more into a private place, to be compared with what a sink holds. */
#ifndef COMPARE_REEXPORT_H
#define COMPARE_REEXPORT_H

#include "pipeline/compare/lost_rows.h"
#include "pipeline/compare/rows_reader.h"
#include "pipeline/run/run.h"

/*
 * Takes rows and gives them back: the caller brings a sink and a reader that fit together. The rows
 * of each `name` are apart from all others, and are written once.
 */
struct rows_store {
    /* Returns owned in *out: an empty sink. */
    enum rc (*sink)(void *ctx, const char *name, struct sink **out, struct err *err);
    /* Returns owned in *out: a reader of what that sink published. Borrows the schema. */
    enum rc (*rows)(void *ctx, const char *name, const struct schema *schema,
                    struct rows_reader **out, struct err *err);
    void *ctx;
    const char *folder; /* for temporary files; private like the rows */
};

/* All of it is borrowed for the call. */
struct reexport {
    const struct plan *plan;
    struct source *source;
    struct str model_hash, mask_key;
    const struct rows_store *store;
    const char *name;            /* of the rows in the store */
    struct row_origins *origins; /* takes notes of which item made which row; NULL: none */
    struct lost_rows **lost;     /* takes what --duplicates dropped, owned; NULL: nothing was */
    bool last;                   /* of the rows of a key the last one was kept */
    bool fold;                   /* the sink compared with cannot tell NULL from missing */
    int64_t now_us;              /* for TTL and every `now`; 0: the time of the clock */
    uint32_t workers;
    const atomic_bool *stop;
    const struct env *env;
    const char *version;
};

enum rc reexport(const struct reexport *f, struct err *err) MUST_CHECK;

#endif
