/* SPDX-License-Identifier: MIT */
/*
 * Intents by process, worker and number while a journal is read: forward, those that are not
 * covered by a mark yet; backward, outcomes whose intents are still to come.
 */
#ifndef DYNAMODB_TRACK_H
#define DYNAMODB_TRACK_H

#include "sinks/dynamodb/entry.h"

struct track_id {
    uint32_t generation, worker;
    uint64_t id;
};

struct track_list {
    struct track_node *first, *last; /* in the order they came */
};

struct track_node {
    struct track_id id;
    bool known;       /* `outcome` is */
    uint32_t told_by; /* the process that said it last */
    enum outcome outcome;
    struct entry entry;       /* of an intent; its texts are owned */
    struct track_node *chain; /* of the same hash */
    struct track_list *list;
    struct track_node *prev, *next; /* of the list */
};

struct track {
    struct track_node **heads;
    size_t cap, n; /* cap is a power of two */
};

void track_init(struct track *t);
void track_release(struct track *t);
struct track_node *track_find(const struct track *t, struct track_id id);

/* A new node at the end of a list of the caller's; the entry's texts are copied. NULL: out of
 * memory. */
struct track_node *track_add(struct track *t, struct track_list *list, struct track_id id,
                             const struct entry *e);
void track_drop(struct track *t, struct track_node *node);

#endif
