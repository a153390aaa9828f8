/* SPDX-License-Identifier: MIT */
/*
 * What a rehearsal gathers per entity, in bounded memory: fates, reasons, a few real pairs, units,
 * and for every index partition key that would be written how its values are spread (the most
 * frequent ones by a space-saving table, how many different ones by a sketch).
 * One object per worker; merged at the end.
 */
#ifndef SINKS_DYNAMODB_REHEARSAL_REHEARSE_H
#define SINKS_DYNAMODB_REHEARSAL_REHEARSE_H

#include "sinks/dynamodb/recipe/units.h"
#include "sinks/dynamodb/rehearsal/value_counts.h"

enum { REHEARSE_PAIRS = 3, REHEARSE_TOP = 10, REHEARSE_REASONS = 16 };

struct rehearse_reason {
    const char *reason; /* static; "other" where there are too many */
    char example[256];  /* the sentence of the first one */
    uint64_t count;
};

struct rehearse_pair {
    char *key, *before, *after; /* owned JSON texts: key attributes, targets */
};

/*
 * A target that is a partition key: of an index of the table, or, where no index has it as a key,
 * by its name (it ends in PK, hash_key, PartitionKey ..) or because the model's `indexing` names
 * it and it is not called like a sort key.
 */
struct rehearse_spread {
    struct str attribute; /* borrowed from the model */
    struct str index;     /* borrowed; empty: no such index yet */
    uint64_t values;      /* items that will carry it: to be changed, or right already */
    uint64_t distinct;    /* exact up to 256, else estimated */
    struct value_counts_top top[REHEARSE_TOP];
    uint32_t ntop;
};

struct rehearse_entity {
    uint64_t fates[FATES];
    struct rehearse_reason reasons[REHEARSE_REASONS];
    uint32_t nreasons;
    struct rehearse_pair pairs[REHEARSE_PAIRS];
    uint32_t npairs;
    struct units units; /* of all to be changed */
    uint64_t bytes;     /* sizes after, of all to be changed */
    /* to be changed, but no index could take them: targets called like a key that no index has */
    uint64_t long_keys, empty_keys;
    struct rehearse_spread *spreads;
    uint32_t nspreads;
};

struct rehearse; /* owns an array of entities + 1 (the last: items of no entity) */

/* Borrows both; `table` may be NULL: then no index is known. NULL when out of memory. */
struct rehearse *rehearse_new(const struct plan *plan, const struct dynamodb_table *table);
void rehearse_free(struct rehearse *r);

/* thread: worker. `item` may be empty (n == 0): it could not be decoded. RC_OK or RC_NOMEM. */
enum rc rehearse_add(struct rehearse *r, const struct item *item, const struct change *c,
                     struct err *err) MUST_CHECK;

/* Adds the second to the first. */
enum rc rehearse_merge(struct rehearse *into, const struct rehearse *from,
                       struct err *err) MUST_CHECK;

/* Results by entity, or by the number of entities; valid until the next add or merge. */
const struct rehearse_entity *rehearse_entity(struct rehearse *r, uint32_t entity);

/*
 * Warnings about the table itself, one a line: a stream, replicas, point-in-time recovery off
 * (pitr: 1 on, 0 off, -1 unknown), a target that is a key of more than one index, or of one that
 * wants another type or is still being built, a key that is removed, targets called like a key
 * that no index has.
 */
void rehearse_warnings(const struct plan *plan, const struct dynamodb_table *table, int pitr,
                       uint64_t to_change, struct buf *out);

#endif
