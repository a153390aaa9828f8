/* SPDX-License-Identifier: MIT */
/*
 * What tests of a backfill's pure parts share: a model and a table, both as texts with ' for ",
 * made into a recipe, and changes shown as one line.
 */
#ifndef HARNESS_BACKFILLS_H
#define HARNESS_BACKFILLS_H

#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/recipe/recipe.h"
#include "tests/harness/items.h"

struct backfills {
    struct items *items;
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct recipe *recipe;
    struct dynamodb_table table;
    struct buf shown;
    int64_t now_us;
    const char *key; /* of the model: "'key':[..],"; NULL: PK and SK, or none for a table */
};

/* For cmocka: *state becomes a struct backfills without a model. */
int backfills_set_up(void **state);
int backfills_tear_down(void **state);

/*
 * Reads the entities (the inside of "entities") into a recipe for the table of that description
 * (the inside of "Table"; NULL: none). The source's TTL is "ttl". What was made before is gone.
 * RC_OK, or RC_USAGE with t->problems.
 */
enum rc backfills_make(struct backfills *t, const char *entities, const char *table);

/* The item decoded, and what is to be done to it. */
struct change backfills_apply(struct backfills *t, const char *item, struct item *out);

/* "changed E A={..}->{..} B=-->{..} | read a={..} b=-"; others: "skipped E reason". */
const char *backfills_show(struct backfills *t, const struct change *c);

/* The problems, with ' for ". */
const char *backfills_problems(struct backfills *t);

#endif
