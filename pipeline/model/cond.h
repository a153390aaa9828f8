/* SPDX-License-Identifier: MIT */
/*
 * The one condition language of `when`, `filter` and backfill: a value, a glob, a list of
 * them, exists, missing, < <= > >=, all / any / not. A missing attribute makes a comparison
 * false.
 */
#ifndef MODEL_COND_H
#define MODEL_COND_H

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

struct path {
    struct str *members;
    uint32_t n;
};

enum cond_op {
    COND_ALL, /* kids */
    COND_ANY, /* kids */
    COND_NOT, /* one kid */
    COND_EQ,
    COND_GLOB, /* value is S, with * or ? in it */
    COND_EXISTS,
    COND_MISSING,
    COND_LT,
    COND_LE,
    COND_GT,
    COND_GE
};

struct cond {
    enum cond_op op;
    struct path path;
    uint32_t slot; /* for the planner's use */
    struct val value;
    struct cond *kids;
    uint32_t nkids;
};

/* The value a leaf asks for, or NULL. */
typedef const struct val *cond_get(void *ctx, const struct cond *leaf);

bool cond_eval(const struct cond *c, cond_get *get, void *ctx);

/* For explain: the condition as a person writes it. */
void cond_print(const struct cond *c, struct buf *out);

/*
 * Splits "A.b" into its members; a backslash takes the next character as it is (`a\.b` is one
 * member). RC_USAGE for an empty member or a backslash at the end, RC_NOMEM. The members are
 * copies in the arena.
 */
enum rc path_parse(struct str text, struct arena *a, struct path *out) MUST_CHECK;

/* Follows a path into an item's maps; NULL if it leads nowhere. */
const struct val *path_find(const struct item *item, const struct path *path);
void path_print(const struct path *path, struct buf *out);

#endif
