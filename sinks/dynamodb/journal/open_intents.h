/* SPDX-License-Identifier: MIT */
/*
 * Intents by process, worker and number while a journal is read: forward, those that are not
 * covered by a mark yet; backward, outcomes whose intents are still to come.
 */
#ifndef SINKS_DYNAMODB_JOURNAL_OPEN_INTENTS_H
#define SINKS_DYNAMODB_JOURNAL_OPEN_INTENTS_H

#include "sinks/dynamodb/journal/entry.h"

struct open_intent_id {
    uint32_t generation, worker;
    uint64_t id;
};

struct open_intent_list {
    struct open_intent_node *first, *last; /* in the order they came */
};

struct open_intent_node {
    struct open_intent_id id;
    bool known;       /* `outcome` is */
    uint32_t told_by; /* the process that said it last */
    enum outcome outcome;
    struct entry entry;             /* of an intent; its texts are owned */
    struct open_intent_node *chain; /* of the same hash */
    struct open_intent_list *list;
    struct open_intent_node *prev, *next; /* of the list */
};

struct open_intents {
    struct open_intent_node **heads;
    size_t cap, n; /* cap is a power of two */
};

void open_intents_init(struct open_intents *t);
void open_intents_release(struct open_intents *t);
struct open_intent_node *open_intents_find(const struct open_intents *t,
                                           struct open_intent_id id);

/* A new node at the end of a list of the caller's; the entry's texts are copied. NULL: out of
 * memory. */
struct open_intent_node *open_intents_add(struct open_intents *t, struct open_intent_list *list,
                                          struct open_intent_id id, const struct entry *e);
void open_intents_drop(struct open_intents *t, struct open_intent_node *node);

#endif
