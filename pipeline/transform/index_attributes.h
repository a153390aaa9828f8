/* SPDX-License-Identifier: MIT */
/*
 * Looks at the attributes that serve DynamoDB's keys and indexes and are not exported: does one of
 * them say something that no row says, do two always hold the same value? A value is cut into words
 * at all but letters and digits, so that it does not matter what separates them. A word counts as
 * said when it is found somewhere in the item's rows; one that the first item has, too, is taken
 * for a prefix. The table's own key is only compared: what it says is kept.
 */
#ifndef TRANSFORM_INDEX_ATTRIBUTES_H
#define TRANSFORM_INDEX_ATTRIBUTES_H

#include "pipeline/transform/transform.h"

enum { INDEX_ATTRIBUTES = 24 }; /* of an entity; further ones are not looked at */

/* All texts are valid until the owner is freed. */
struct index_attribute {
    struct str name;
    bool own_key;                    /* of the table */
    struct str first;                /* its value in the first item: prefixes are told by it */
    uint64_t count;                  /* items that have it */
    uint64_t alone;                  /* items in which it says something that no row says */
    struct str example;              /* the value in the first of these */
    uint64_t same[INDEX_ATTRIBUTES]; /* items in which that other one held the same value */
};

/* Of one entity. */
struct index_entity {
    struct index_attribute v[INDEX_ATTRIBUTES];
    uint32_t n;
    bool masks;              /* its rows hide values: nothing is searched in them */
    uint64_t items, untyped; /* untyped: without the attribute that names the entity */
};

struct index_attributes;

/* Borrows the plan. Returns owned, or NULL when out of memory. */
struct index_attributes *index_attributes_new(const struct plan *plan);
void index_attributes_free(struct index_attributes *a);

/* Takes the trace of an item, with its rows. Items that made no rows are passed over. */
enum rc index_attributes_add(struct index_attributes *a, const struct transform_trace *t,
                             struct err *err) MUST_CHECK;

/* Returns a view of what was seen of an entity. */
const struct index_entity *index_attributes_of(const struct index_attributes *a,
                                               uint32_t entity);

/* True if two attributes of the entity, by their numbers, held the same value in all items. */
bool index_attributes_equal(const struct index_entity *e, uint32_t i, uint32_t k);

#endif
