/* SPDX-License-Identifier: MIT */
/* The usual binary heap. */
#include "sinks/dynamodb/writer/delay_heap.h"

#include <stdlib.h>

enum rc delay_heap_init(struct delay_heap *p, size_t cap, struct err *err)
{
    *p = (struct delay_heap){.v = calloc(cap + 1, sizeof(struct write_job *)), .cap = cap};
    return p->v ? RC_OK : err_nomem(err);
}

void delay_heap_release(struct delay_heap *p)
{
    free(p->v);
    *p = (struct delay_heap){0};
}

static bool before(const struct delay_heap *p, size_t a, size_t b)
{
    return p->v[a]->due_us < p->v[b]->due_us;
}

static void swap(struct delay_heap *p, size_t a, size_t b)
{
    struct write_job *job = p->v[a];
    p->v[a] = p->v[b];
    p->v[b] = job;
}

void delay_heap_add(struct delay_heap *p, struct write_job *job)
{
    size_t i = p->n++;
    p->v[i] = job;
    for (; i > 0 && before(p, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(p, i, (i - 1) / 2);
}

struct write_job *delay_heap_first(const struct delay_heap *p)
{
    return p->n ? p->v[0] : NULL;
}

struct write_job *delay_heap_take(struct delay_heap *p)
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
