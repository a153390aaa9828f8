/* SPDX-License-Identifier: MIT */
/* Memory, texts by number, names. */
#include "pipeline/infer/design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "pipeline/model/model.h"

void *infer_new(struct infer_design *d, size_t count, size_t size)
{
    void *p = arena_array(&d->arena, count, size);
    d->failed = d->failed || !p;
    return p;
}

void *infer_push(struct infer_design *d, void *v, size_t n, size_t *cap, size_t size)
{
    void *p = arena_push(&d->arena, v, n, cap, 8, size);
    d->failed = d->failed || !p;
    return p;
}

/* The slot of the text, or the free one where it belongs. */
static size_t slot_of(const struct infer_texts *t, struct str s)
{
    size_t mask = t->nslots - 1;
    size_t at = (size_t)XXH3_64bits(s.n ? s.p : "", s.n) & mask;
    while (t->slots[at] && !str_eq(t->v[t->slots[at] - 1], s))
        at = (at + 1) & mask;
    return at;
}

static bool grow_slots(struct infer_design *d)
{
    struct infer_texts *t = &d->texts;
    t->nslots = t->nslots ? t->nslots * 2 : 1024;
    t->slots = infer_new(d, t->nslots, sizeof *t->slots);
    for (uint32_t i = 0; t->slots && i < t->n; i++)
        t->slots[slot_of(t, t->v[i])] = i + 1;
    return t->slots != NULL;
}

uint32_t infer_text(struct infer_design *d, struct str s)
{
    struct infer_texts *t = &d->texts;
    if (d->failed || (t->n * 2 >= t->nslots && !grow_slots(d)))
        return 0;
    size_t at = slot_of(t, s);
    if (t->slots[at])
        return t->slots[at];
    t->v = infer_push(d, t->v, t->n, &t->cap, sizeof *t->v);
    if (!t->v)
        return 0;
    t->v[t->n++] = s;
    t->slots[at] = (uint32_t)t->n;
    return (uint32_t)t->n;
}

uint32_t infer_text_known(const struct infer_design *d, struct str s)
{
    return d->texts.nslots ? d->texts.slots[slot_of(&d->texts, s)] : 0;
}

struct str infer_printf(struct infer_design *d, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, (size_t)1 << 20);
    va_start(ap, fmt);
    buf_vaddf(&b, fmt, ap);
    va_end(ap);
    struct str s = b.rc ? (struct str){0} : arena_dup(&d->arena, buf_view(&b));
    buf_release(&b);
    d->failed = d->failed || !s.p;
    return s.p ? s : STR("");
}

struct str infer_snake(struct infer_design *d, struct str name)
{
    struct path path = {&name, 1};
    struct str s = name_snake(&d->arena, &path);
    d->failed = d->failed || !s.p;
    return s.p ? s : STR("");
}

int infer_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
