/* SPDX-License-Identifier: MIT */
/*
 * What a backfill does to one item: which attributes it sets or removes, from what it read.
 * Pure: no network, no clock. Templates see the item as it was read and the parts of its keys;
 * the stages of an export do not run.
 */
#ifndef SINKS_DYNAMODB_RECIPE_RECIPE_H
#define SINKS_DYNAMODB_RECIPE_RECIPE_H

#include "pipeline/plan/plan.h"

struct recipe;
struct dynamodb_table;

/* What becomes of an item that is read. Their sum is the number of items read. */
enum fate {
    FATE_CHANGED,  /* written; from recipe_apply: is to be written */
    FATE_ALREADY,  /* carries the right values */
    FATE_SKIPPED,  /* an input is missing, or the entity has no backfill */
    FATE_FILTERED, /* the backfill's condition does not hold, or it is past its TTL */
    FATE_UNROUTED,
    FATE_CONFLICTED, /* changed or deleted by others meanwhile; never from recipe_apply */
    FATE_FAILED,     /* cannot be decoded or computed, or the service would refuse it */
    FATES
};

/* Bytes a partition key and a sort key may have. */
enum { KEY_HASH_MAX = 2048, KEY_RANGE_MAX = 1024 };

extern const char
    *const recipe_fate_names[FATES]; /* "changed", "already", ... as in the summary */

/* One attribute that the backfill owns, or one that it read. */
struct setting {
    struct path path;       /* targets: one member, the attribute's name */
    const struct val *old;  /* NULL: missing */
    const struct val *new_; /* targets: NULL: to be removed, or to stay missing */
};

/* Lives in the arena handed in; may point into the item's own bytes. */
struct change {
    enum fate fate;
    uint32_t entity;         /* UINT32_MAX: none */
    struct setting *targets; /* every target of the entity, also those that are right already */
    uint32_t ntargets;
    struct setting *reads; /* other non-key attributes that templates and conditions read */
    uint32_t nreads;
    uint64_t size_before, size_after; /* as DynamoDB counts */
    struct fault why;                 /* skipped, failed: reason and sentence */
};

/*
 * Compiles. Borrows both; `table` may be NULL (no index known, the key is the model's): then
 * nothing is checked against it. Problems (no entity has a backfill; a target is a key attribute
 * of the table; a template that names the parent; a number that cannot be one; a type that leads
 * elsewhere; a key that is not the table's) are added; RC_USAGE if there are any. Returns owned in *out: recipe_free.
 */
enum rc recipe_new(const struct plan *plan, const struct dynamodb_table *table,
                   struct recipe **out, struct problems *problems, struct err *err) MUST_CHECK;
void recipe_free(struct recipe *r);

/*
 * thread: any. What is to be done to a decoded item. Failed beforehand, with a reason to count
 * by: "key-too-long" (an index key over 2,048 or 1,024 bytes), "empty-key", "key-type" (the
 * index wants another type), "item-too-large" (400 KB), "missing-key", "missing-input" where the
 * model says fail, "key-template", "key-mismatch", "template" (a value without a text),
 * "bad-number", "unstable" (a second run would change it again). Skipped: "missing-input",
 * "no-backfill". Only RC_OK and RC_NOMEM.
 */
enum rc recipe_apply(const struct recipe *r, const struct item *item, int64_t now_us,
                     struct arena *a, struct change *out) MUST_CHECK;

/* The value of each target of `c` as `item` has it now: are all of them the new ones (or, by
 * `old`, those that were read)? For settling an unclear outcome. */
bool recipe_change_stands(const struct change *c, const struct item *item, bool old);

/* Does the item show that `c` was made, although others may have written over some of it: has any
 * target that was to change its new value? */
bool recipe_change_left(const struct change *c, const struct item *item);

/* Nothing is to be written, and nothing is wrong. */
static inline bool fate_is_idle(enum fate fate)
{
    return fate == FATE_ALREADY || fate == FATE_SKIPPED || fate == FATE_FILTERED ||
           fate == FATE_UNROUTED;
}

#endif
