/* SPDX-License-Identifier: MIT */
/* The usual binary heap. */
#include "sinks/dynamodb/park.h"

#include <stdlib.h>

enum rc park_init(struct park *p, size_t cap, struct err *err)
{
    *p = (struct park){.v = calloc(cap + 1, sizeof(struct write_job *)), .cap = cap};
    return p->v ? RC_OK : err_nomem(err);
}

void park_release(struct park *p)
{
    free(p->v);
    *p = (struct park){0};
}

static bool before(const struct park *p, size_t a, size_t b)
{
    return p->v[a]->due_us < p->v[b]->due_us;
}

static void swap(struct park *p, size_t a, size_t b)
{
    struct write_job *job = p->v[a];
    p->v[a] = p->v[b];
    p->v[b] = job;
}

void park_add(struct park *p, struct write_job *job)
{
    size_t i = p->n++;
    p->v[i] = job;
    for (; i > 0 && before(p, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(p, i, (i - 1) / 2);
}

struct write_job *park_first(const struct park *p)
{
    return p->n ? p->v[0] : NULL;
}

struct write_job *park_take(struct park *p)
{
    if (!p->n)
        return NULL;
    struct write_job *job = p->v[0];
    p->v[0] = p->v[--p->n];
    for (size_t i = 0;;) {
        size_t least = i, left = 2 * i + 1;
        if (left < p->n && before(p, left, least))
            least = left;
        if (left + 1 < p->n && before(p, left + 1, least))
            least = left + 1;
        if (least == i)
            return job;
        swap(p, i, least);
        i = least;
    }
}
