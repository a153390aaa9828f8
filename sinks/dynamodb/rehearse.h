/* SPDX-License-Identifier: MIT */
/*
 * What a rehearsal gathers per entity, in bounded memory: fates, reasons, a few real pairs, units,
 * and for every index partition key that would be written how its values are spread (the most
 * frequent ones by a space-saving table, how many different ones by a sketch).
 * One object per worker; merged at the end.
 */
#ifndef DYNAMODB_REHEARSE_H
#define DYNAMODB_REHEARSE_H

#include "sinks/dynamodb/units.h"

enum { REHEARSE_PAIRS = 3, REHEARSE_TOP = 10, REHEARSE_REASONS = 16 };

struct rehearse_reason {
    const char *reason; /* static */
    char example[256];  /* the sentence of the first one */
    uint64_t count;
};

struct rehearse_pair {
    char *key, *before, *after; /* owned JSON texts: key attributes, targets */
};

/* A target that is (or looks like) a partition key: of an index of the table, or named like one. */
struct rehearse_spread {
    struct str attribute; /* borrowed from the model */
    struct str index;     /* borrowed; empty: no such index yet */
    uint64_t values;      /* items that will carry it */
    uint64_t distinct;    /* estimated */
    struct {
        char text[128]; /* cut for people */
        uint64_t count; /* at most; at least count - slack */
        uint64_t slack;
    } top[REHEARSE_TOP];
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
    struct rehearse_spread *spreads;
    uint32_t nspreads;
};

struct rehearse; /* owns an array of entities + 1 (the last: items of no entity) */

struct rehearse *rehearse_new(const struct plan *plan, const struct ddb_table *table);
void rehearse_free(struct rehearse *r);

/* thread: worker. RC_OK or RC_NOMEM. */
enum rc rehearse_add(struct rehearse *r, const struct item *item, const struct change *c,
                     struct err *err) MUST_CHECK;

/* Adds the second to the first. */
enum rc rehearse_merge(struct rehearse *into, const struct rehearse *from,
                       struct err *err) MUST_CHECK;

/* Results, index by entity; valid until the next add or merge. */
const struct rehearse_entity *rehearse_entity(struct rehearse *r, uint32_t entity);

/*
 * Warnings about the table itself, one a line, for people: streams on, replicas, point-in-time
 * recovery off (pitr: 1 on, 0 off, -1 unknown), a target that is a key of more than one index,
 * an index on a target that has another type, targets named by no index.
 */
void rehearse_warnings(const struct plan *plan, const struct ddb_table *table, int pitr,
                       uint64_t to_change, struct buf *out);

#endif
