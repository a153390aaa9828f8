/* SPDX-License-Identifier: MIT */
/*
 * What a recipe compiles to, shared by the part that compiles and the part that applies.
 * Everything lives in the recipe's arena or is borrowed from the model.
 */
#ifndef SINKS_DYNAMODB_RECIPE_RECIPE_PRIVATE_H
#define SINKS_DYNAMODB_RECIPE_RECIPE_PRIVATE_H

#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/recipe/recipe.h"

/* Where one part of a template gets its value: an attribute, or parts of keys by slot. */
struct recipe_input {
    struct path path;
    uint32_t *slots;
    uint32_t n;    /* of slots */
    uint32_t hard; /* the first so many come from keys that the backfill leaves alone */
    enum prefer_rule prefer;
};

/* What an index demands of a target that is its key. */
struct demand {
    const struct dynamodb_index *index;
    const struct dynamodb_key *key;
};

struct target {
    const struct backfill_spec *spec;
    struct path path;
    struct recipe_input *inputs; /* one per piece of the template */
    struct demand *demands;
    uint32_t ndemands;
};

/* Slots of an entity: one per key template (its attribute), then one per part. */
struct entity_recipe {
    const struct entity *entity;
    struct target *targets;
    uint32_t ntargets; /* 0: no backfill */
    struct key_match *keys;
    bool *soft; /* by key: the attribute is a target, so its old value binds nobody */
    uint32_t nkeys;
    struct str *names; /* by slot; of slots that are attributes: empty */
    uint32_t nslots;
    struct path *reads;
    uint32_t nreads;
    uint32_t ntyped; /* of these, all that count for an item that has a type */
    bool circular;   /* what it writes may change what it reads: see recipe_apply */
};

struct recipe {
    struct arena arena;
    const struct plan *plan;
    const struct dynamodb_table *table; /* may be NULL */
    struct names key;                   /* of the table, else of the model */
    struct entity_recipe *entities;
};

/* A template for a number must not hold what no number has. */
void recipe_check_number(const struct backfill_spec *spec, struct problems *problems);

/* A type that is written as it stands must lead back to the entity that writes it. */
void recipe_check_type(const struct plan *plan, uint32_t entity,
                       const struct backfill_spec *spec, struct problems *problems);

/* Items are written by the model's key, so it must be the table's. */
void recipe_check_key(const struct recipe *r, struct problems *problems);

/* A write's condition must not be larger than the service takes. RC_OK or RC_NOMEM. */
enum rc recipe_check_condition(const struct entity_recipe *e,
                               struct problems *problems) MUST_CHECK;

/* Counts the size after, and checks: RC_OK, or RC_DATA with c->why. */
enum rc recipe_limits(const struct entity_recipe *e, struct change *c) MUST_CHECK;

#endif
