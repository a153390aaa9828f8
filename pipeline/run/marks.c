/* SPDX-License-Identifier: MIT */
/* A small array: a worker has a handful of segments started at once. */
#include "pipeline/run/marks.h"

#include <stdlib.h>

void marks_init(struct marks *m, uint32_t ncounters)
{
    *m = (struct marks){.ncounters = ncounters};
}

static void drop(struct seg_mark *s)
{
    buf_release(&s->resume);
    free(s->counters);
}

void marks_release(struct marks *m)
{
    for (size_t i = 0; i < m->n; i++)
        drop(&m->v[i]);
    free(m->v);
    free(m->out);
    marks_init(m, m->ncounters);
}

static enum rc grow(struct marks *m)
{
    size_t cap = m->cap ? m->cap * 2 : 16;
    struct seg_mark *v = realloc(m->v, cap * sizeof *v);
    if (!v)
        return RC_NOMEM;
    m->v = v;
    struct mark *out = realloc(m->out, cap * sizeof *out);
    if (!out)
        return RC_NOMEM;
    m->out = out;
    m->cap = cap;
    return RC_OK;
}

enum rc marks_add(struct marks *m, uint32_t segment, uint32_t epoch)
{
    if (m->n == m->cap && grow(m))
        return RC_NOMEM;
    struct seg_mark *s = &m->v[m->n];
    *s = (struct seg_mark){.segment = segment, .epoch = epoch};
    buf_init(&s->resume, (size_t)1 << 20);
    s->counters = calloc(m->ncounters, sizeof *s->counters);
    if (!s->counters)
        return RC_NOMEM;
    m->n++;
    return RC_OK;
}

struct seg_mark *marks_find(struct marks *m, uint32_t segment)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->v[i].segment == segment)
            return &m->v[i];
    }
    return NULL;
}

size_t marks_view(struct marks *m, const struct mark **out)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct seg_mark *s = &m->v[i];
        if (!s->touched)
            continue;
        m->out[n++] = (struct mark){.segment = s->segment,
                                    .epoch = s->epoch,
                                    .done = s->done,
                                    .resume = buf_view(&s->resume),
                                    .counters = s->counters};
    }
    *out = m->out;
    return n;
}

uint32_t marks_committed(struct marks *m)
{
    size_t kept = 0;
    uint32_t done = 0;
    for (size_t i = 0; i < m->n; i++) {
        struct seg_mark *s = &m->v[i];
        if (s->touched && s->done) {
            drop(s);
            done++;
            continue;
        }
        s->touched = false;
        memset(s->counters, 0, m->ncounters * sizeof *s->counters);
        m->v[kept++] = *s;
    }
    m->n = kept;
    return done;
}
