/* SPDX-License-Identifier: MIT */
/* A chained table that grows with what it holds; every node is one block with its texts. */
#include "sinks/dynamodb/journal/open_intents.h"

#include <stdlib.h>

#include <xxhash.h>

enum { FIRST_CAP = 1024 };

void open_intents_init(struct open_intents *t)
{
    *t = (struct open_intents){0};
}

void open_intents_release(struct open_intents *t)
{
    for (size_t i = 0; i < t->cap; i++) {
        struct open_intent_node *next;
        for (struct open_intent_node *n = t->heads[i]; n; n = next) {
            next = n->chain;
            free(n);
        }
    }
    free(t->heads);
    open_intents_init(t);
}

static struct open_intent_node **head(const struct open_intents *t, struct open_intent_id id)
{
    uint64_t words[2] = {(uint64_t)id.generation << 32 | id.worker, id.id};
    return &t->heads[XXH3_64bits(words, sizeof words) & (t->cap - 1)];
}

static bool same(struct open_intent_id a, struct open_intent_id b)
{
    return a.generation == b.generation && a.worker == b.worker && a.id == b.id;
}

struct open_intent_node *open_intents_find(const struct open_intents *t,
                                           struct open_intent_id id)
{
    struct open_intent_node *n = t->heads ? *head(t, id) : NULL;
    while (n && !same(n->id, id))
        n = n->chain;
    return n;
}

static void hang_in(struct open_intents *t, struct open_intent_node *n)
{
    struct open_intent_node **at = head(t, n->id);
    n->chain = *at;
    *at = n;
}

static bool grow(struct open_intents *t)
{
    struct open_intents old = *t;
    size_t cap = t->cap ? 2 * t->cap : FIRST_CAP;
    struct open_intent_node **more = calloc(cap, sizeof(struct open_intent_node *));
    if (!more)
        return false;
    t->heads = more;
    t->cap = cap;
    for (size_t i = 0; i < old.cap; i++) {
        struct open_intent_node *next;
        for (struct open_intent_node *n = old.heads[i]; n; n = next) {
            next = n->chain;
            hang_in(t, n);
        }
    }
    free(old.heads);
    return true;
}

static struct str copy(char **at, struct str s)
{
    struct str out = str_make(*at, s.n);
    if (s.n)
        memcpy(*at, s.p, s.n);
    *at += s.n;
    return out;
}

struct open_intent_node *open_intents_add(struct open_intents *t, struct open_intent_list *list,
                                          struct open_intent_id id, const struct entry *e)
{
    if (t->n == t->cap && !grow(t))
        return NULL;
    struct open_intent_node *n = malloc(sizeof *n + e->key.n + e->old.n + e->new_.n);
    if (!n)
        return NULL;
    char *at = (char *)(n + 1);
    *n = (struct open_intent_node){.id = id, .entry = *e, .list = list, .prev = list->last};
    n->entry.mark = (struct str){0};
    n->entry.key = copy(&at, e->key);
    n->entry.old = copy(&at, e->old);
    n->entry.new_ = copy(&at, e->new_);
    *(list->last ? &list->last->next : &list->first) = n;
    list->last = n;
    t->n++;
    hang_in(t, n);
    return n;
}

void open_intents_drop(struct open_intents *t, struct open_intent_node *node)
{
    struct open_intent_node **at = head(t, node->id);
    while (*at != node)
        at = &(*at)->chain;
    *at = node->chain;
    *(node->prev ? &node->prev->next : &node->list->first) = node->next;
    *(node->next ? &node->next->prev : &node->list->last) = node->prev;
    t->n--;
    free(node);
}
