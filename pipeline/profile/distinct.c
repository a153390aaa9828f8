/* SPDX-License-Identifier: MIT */
/* An open table of twice the size. When it is full the limit is halved until half of it is left. */
#include "pipeline/profile/distinct.h"

#include <stdlib.h>

#include <xxhash.h>

enum { FIRST = 64 };

void distinct_release(struct distinct *d)
{
    free(d->v);
    *d = (struct distinct){0};
}

static bool kept(const struct distinct *d, uint64_t hash)
{
    return d->limit == 0 || hash <= d->limit;
}

/* True if it was not there. */
static bool put(struct distinct *d, uint64_t hash)
{
    size_t at = (size_t)hash & (d->cap - 1);
    while (d->v[at] && d->v[at] != hash)
        at = (at + 1) & (d->cap - 1);
    bool fresh = d->v[at] == 0;
    d->v[at] = hash;
    d->n += fresh;
    return fresh;
}

/* A table of that size, at least the first one's, with what is within the limit. */
static enum rc rebuild(struct distinct *d, size_t cap)
{
    cap = cap < FIRST ? FIRST : cap;
    struct distinct next = {.cap = cap, .limit = d->limit};
    next.v = calloc(cap, sizeof *next.v);
    if (!next.v)
        return RC_NOMEM;
    for (size_t i = 0; i < d->cap; i++) {
        if (d->v[i] && kept(&next, d->v[i]))
            (void)put(&next, d->v[i]);
    }
    free(d->v);
    *d = next;
    return RC_OK;
}

static enum rc add_hash(struct distinct *d, uint64_t hash)
{
    hash = hash ? hash : 1; /* 0 stands for none */
    enum rc rc = RC_OK;
    if (!kept(d, hash))
        return RC_OK;
    if (d->n * 2 >= d->cap)
        rc = rebuild(d, d->cap * 2);
    if (!rc)
        (void)put(d, hash);
    while (!rc && d->n > DISTINCT_EXACT) {
        d->limit = (d->limit ? d->limit : UINT64_MAX) / 2;
        rc = rebuild(d, d->cap);
    }
    return rc;
}

enum rc distinct_add(struct distinct *d, struct str thing)
{
    return add_hash(d, XXH3_64bits(thing.p, thing.n));
}

enum rc distinct_merge(struct distinct *d, const struct distinct *from)
{
    enum rc rc = RC_OK;
    if (from->limit && kept(d, from->limit)) {
        d->limit = from->limit;
        rc = rebuild(d, d->cap);
    }
    for (size_t i = 0; !rc && i < from->cap; i++) {
        if (from->v[i])
            rc = add_hash(d, from->v[i]);
    }
    return rc;
}

uint64_t distinct_count(const struct distinct *d, bool *exact)
{
    *exact = d->limit == 0;
    if (*exact)
        return d->n;
    return (uint64_t)((double)d->n * ((double)UINT64_MAX / (double)d->limit));
}
