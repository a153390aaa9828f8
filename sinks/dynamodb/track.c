/* SPDX-License-Identifier: MIT */
/* A chained table that grows with what it holds; every node is one block with its texts. */
#include "sinks/dynamodb/track.h"

#include <stdlib.h>

#include <xxhash.h>

enum { FIRST_CAP = 1024 };

void track_init(struct track *t)
{
    *t = (struct track){0};
}

void track_release(struct track *t)
{
    for (size_t i = 0; i < t->cap; i++) {
        struct track_node *next;
        for (struct track_node *n = t->heads[i]; n; n = next) {
            next = n->chain;
            free(n);
        }
    }
    free(t->heads);
    track_init(t);
}

static struct track_node **head(const struct track *t, struct track_id id)
{
    uint64_t words[2] = {(uint64_t)id.generation << 32 | id.worker, id.id};
    return &t->heads[XXH3_64bits(words, sizeof words) & (t->cap - 1)];
}

static bool same(struct track_id a, struct track_id b)
{
    return a.generation == b.generation && a.worker == b.worker && a.id == b.id;
}

struct track_node *track_find(const struct track *t, struct track_id id)
{
    struct track_node *n = t->heads ? *head(t, id) : NULL;
    while (n && !same(n->id, id))
        n = n->chain;
    return n;
}

static void hang_in(struct track *t, struct track_node *n)
{
    struct track_node **at = head(t, n->id);
    n->chain = *at;
    *at = n;
}

static bool grow(struct track *t)
{
    struct track old = *t;
    size_t cap = t->cap ? 2 * t->cap : FIRST_CAP;
    struct track_node **more = calloc(cap, sizeof(struct track_node *));
    if (!more)
        return false;
    t->heads = more;
    t->cap = cap;
    for (size_t i = 0; i < old.cap; i++) {
        struct track_node *next;
        for (struct track_node *n = old.heads[i]; n; n = next) {
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

struct track_node *track_add(struct track *t, struct track_list *list, struct track_id id,
                             const struct entry *e)
{
    if (t->n == t->cap && !grow(t))
        return NULL;
    struct track_node *n = malloc(sizeof *n + e->key.n + e->old.n + e->new_.n);
    if (!n)
        return NULL;
    char *at = (char *)(n + 1);
    *n = (struct track_node){.id = id, .entry = *e, .list = list, .prev = list->last};
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

void track_drop(struct track *t, struct track_node *node)
{
    struct track_node **at = head(t, node->id);
    while (*at != node)
        at = &(*at)->chain;
    *at = node->chain;
    *(node->prev ? &node->prev->next : &node->list->first) = node->next;
    *(node->next ? &node->next->prev : &node->list->last) = node->prev;
    t->n--;
    free(node);
}
