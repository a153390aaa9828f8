/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/words.h"

/* The value of an attribute that is called like a type counts as an attribute of its own. */
static uint32_t add_kind(struct infer_design *d, const struct member *m)
{
    enum { ROOM = 96 };
    char text[ROOM];
    if (m->val.kind != VAL_S || !words_type_like(m->name) || m->val.u.s.n > 40 ||
        m->name.n + m->val.u.s.n + 1 > ROOM)
        return 0;
    char *end = str_put(text, m->name.p, m->name.n);
    *end++ = '\x01'; /* in no name that people give */
    end = str_put(end, m->val.u.s.p, m->val.u.s.n);
    struct str s = str_make(text, (size_t)(end - text));
    uint32_t known = infer_text_known(d, s);
    if (known)
        return known;
    s = arena_dup(&d->arena, s);
    d->failed = d->failed || !s.p;
    return s.p ? infer_text(d, s) : 0;
}

static bool is_key(const struct infer_design *d, struct str name)
{
    return (d->nkey > 0 && str_eq(name, d->key[0])) || (d->nkey > 1 && str_eq(name, d->key[1]));
}

void likeness_attributes(struct infer_design *d)
{
    d->attrs = infer_new(d, d->nitems ? d->nitems : 1, sizeof *d->attrs);
    for (uint32_t i = 0; d->attrs && i < d->nitems && !d->failed; i++) {
        const struct item *item = &d->items[i];
        struct infer_attrs *a = &d->attrs[i];
        a->v = infer_new(d, (size_t)item->n * 2 + 1, sizeof *a->v);
        for (uint32_t m = 0; a->v && m < item->n; m++) {
            if (is_key(d, item->members[m].name))
                continue;
            a->v[a->n++] = infer_text(d, item->members[m].name);
            uint32_t kind = add_kind(d, &item->members[m]);
            if (kind)
                a->v[a->n++] = kind;
        }
        if (a->v)
            qsort(a->v, a->n, sizeof *a->v, infer_compare_numbers);
    }
}

struct infer_likeness likeness_of(struct infer_design *d, const uint32_t *items, uint32_t n)
{
    struct infer_likeness p = {.items = n};
    size_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += d->attrs[items[i]].n;
    uint32_t *all = malloc((total + 1) * sizeof *all);
    if (!all) {
        d->failed = true;
        return p;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct infer_attrs *a = &d->attrs[items[i]];
        memcpy(all + at, a->v, a->n * sizeof *all);
        at += a->n;
    }
    qsort(all, total, sizeof *all, infer_compare_numbers);
    size_t distinct = 0;
    for (size_t i = 0; i < total; i++)
        distinct += i == 0 || all[i] != all[i - 1];
    p.names = infer_new(d, distinct + 1, sizeof *p.names);
    p.counts = infer_new(d, distinct + 1, sizeof *p.counts);
    for (size_t i = 0; p.names && p.counts && i < total; i++) {
        if (i == 0 || all[i] != all[i - 1])
            p.names[p.n++] = all[i];
        p.counts[p.n - 1]++;
    }
    free(all);
    return p;
}

struct infer_likeness likeness_sum(struct infer_design *d, const struct infer_likeness *a,
                                   const struct infer_likeness *b)
{
    struct infer_likeness p = {.items = a->items + b->items};
    p.names = infer_new(d, (size_t)a->n + b->n + 1, sizeof *p.names);
    p.counts = infer_new(d, (size_t)a->n + b->n + 1, sizeof *p.counts);
    uint32_t i = 0;
    uint32_t j = 0;
    while (p.names && p.counts && (i < a->n || j < b->n)) {
        uint32_t x = i < a->n ? a->names[i] : UINT32_MAX;
        uint32_t y = j < b->n ? b->names[j] : UINT32_MAX;
        p.names[p.n] = x < y ? x : y;
        p.counts[p.n] = (x <= y ? a->counts[i] : 0) + (y <= x ? b->counts[j] : 0);
        p.n++;
        i += x <= y;
        j += y <= x;
    }
    return p;
}

double likeness_alike(const struct infer_likeness *a, const struct infer_likeness *b)
{
    double least = 0;
    double most = 0;
    uint32_t i = 0;
    uint32_t j = 0;
    if (!a->items || !b->items)
        return 0;
    while (i < a->n || j < b->n) {
        uint32_t x = i < a->n ? a->names[i] : UINT32_MAX;
        uint32_t y = j < b->n ? b->names[j] : UINT32_MAX;
        double p = x <= y ? (double)a->counts[i] / a->items : 0;
        double q = y <= x ? (double)b->counts[j] / b->items : 0;
        least += p < q ? p : q;
        most += p < q ? q : p;
        i += x <= y;
        j += y <= x;
    }
    return most > 0 ? least / most : 1;
}

bool likeness_fits(const struct infer_likeness *group, const struct infer_likeness *few)
{
    uint32_t i = 0;
    uint32_t j = 0;
    if (few->items > 3 || group->items < 4 || !few->n)
        return false;
    while (i < group->n || j < few->n) {
        uint32_t x = i < group->n ? group->names[i] : UINT32_MAX;
        uint32_t y = j < few->n ? few->names[j] : UINT32_MAX;
        if (y < x || (x < y && group->counts[i] == group->items))
            return false;
        i += x <= y;
        j += y <= x;
    }
    return true;
}

uint32_t likeness_usual(const struct infer_likeness *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        n += p->counts[i] * 2 > p->items;
    return n;
}
