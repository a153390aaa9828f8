/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/attribute_split.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/likeness.h"

enum { GROUPS_MAX = 12 };

/* Attributes that come together, as a forest over the names of the profile. */
struct forest {
    uint32_t *up;
    const struct infer_likeness *profile;
};

static uint32_t top(struct forest *f, uint32_t i)
{
    while (f->up[i] != i) {
        f->up[i] = f->up[f->up[i]];
        i = f->up[i];
    }
    return i;
}

static uint32_t place_of(const struct infer_likeness *p, uint32_t name)
{
    uint32_t low = 0;
    uint32_t high = p->n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (p->names[mid] < name) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* An attribute of nearly all items says nothing. */
static bool says_nothing(const struct infer_likeness *p, uint32_t at)
{
    return p->counts[at] * 10 >= p->items * 9;
}

/* Joins what comes together; false if some item has nothing to go by. */
static bool join_items(const struct infer_design *d, const struct infer_entity *e,
                       struct forest *f)
{
    for (uint32_t i = 0; i < e->n; i++) {
        const struct infer_attrs *a = &d->attrs[e->items[i]];
        uint32_t first = UINT32_MAX;
        for (uint32_t k = 0; k < a->n; k++) {
            uint32_t at = place_of(f->profile, a->v[k]);
            if (says_nothing(f->profile, at))
                continue;
            at = top(f, at);
            first = first == UINT32_MAX ? at : first;
            f->up[at] = top(f, first);
        }
        if (first == UINT32_MAX)
            return false;
    }
    return true;
}

static uint32_t group_of(const struct infer_design *d, struct forest *f, uint32_t item)
{
    const struct infer_attrs *a = &d->attrs[item];
    for (uint32_t k = 0; k < a->n; k++) {
        uint32_t at = place_of(f->profile, a->v[k]);
        if (!says_nothing(f->profile, at))
            return top(f, at);
    }
    return UINT32_MAX;
}

/* A name, not a name with its value: see likeness_attributes. */
static bool is_name(const struct infer_design *d, uint32_t number)
{
    struct str s = d->texts.v[number - 1];
    return !s.n || !memchr(s.p, '\x01', s.n);
}

/* Two attributes or more that each item of a group has, of those no other group has. */
static uint32_t find_must(const struct infer_design *d, struct forest *f, uint32_t group,
                          uint32_t items, uint32_t *must)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->profile->n; i++) {
        if (!says_nothing(f->profile, i) && top(f, i) == group &&
            f->profile->counts[i] == items && is_name(d, f->profile->names[i])) {
            *must = n ? *must : f->profile->names[i];
            n++;
        }
    }
    return n;
}

struct part {
    uint32_t group, must, nmust, items;
};

static uint32_t find_parts(const struct infer_design *d, const struct infer_entity *e,
                           struct forest *f, struct part parts[GROUPS_MAX])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        uint32_t group = group_of(d, f, e->items[i]);
        uint32_t k = 0;
        while (k < n && parts[k].group != group)
            k++;
        if (k == n && n == GROUPS_MAX)
            return 0;
        if (k == n)
            parts[n++] = (struct part){.group = group};
        parts[k].items++;
    }
    for (uint32_t k = 0; k < n; k++) {
        parts[k].nmust = find_must(d, f, parts[k].group, parts[k].items, &parts[k].must);
        if (parts[k].nmust < 2 || parts[k].items < 2)
            return 0;
    }
    return n;
}

static void take_part(struct infer_design *d, struct infer_entity *from,
                      struct infer_entity *to, struct forest *f, const struct part *part)
{
    uint32_t *items = infer_new(d, part->items, sizeof *items);
    to->must = infer_new(d, 1, sizeof *to->must);
    if (!items || !to->must)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (group_of(d, f, from->items[i]) == part->group)
            items[n++] = from->items[i];
    }
    to->items = items;
    to->n = n;
    to->untyped = n;
    to->must[0] = d->texts.v[part->must - 1];
    to->nmust = 1;
}

static void divide(struct infer_design *d, struct infer_entity *e, struct forest *f,
                   const struct part *parts, uint32_t n)
{
    struct infer_entity whole = *e;
    for (uint32_t i = 0; i < n; i++) {
        struct infer_entity *to = i == 0 ? e : infer_new(d, 1, sizeof *to);
        d->entities = infer_push(d, d->entities, d->nentities, &d->capentities, sizeof(void *));
        if (!to || !d->entities)
            return;
        take_part(d, &whole, to, f, &parts[i]);
        if (i)
            d->entities[d->nentities++] = to;
    }
}

void attribute_split(struct infer_design *d, struct infer_entity *e)
{
    struct infer_likeness p = likeness_of(d, e->items, e->n);
    struct forest f = {.profile = &p};
    struct part parts[GROUPS_MAX];
    f.up = infer_new(d, p.n + 1, sizeof *f.up);
    for (uint32_t i = 0; f.up && i < p.n; i++)
        f.up[i] = i;
    if (!f.up || e->n < 6 || !join_items(d, e, &f))
        return;
    uint32_t n = find_parts(d, e, &f, parts);
    if (n > 1)
        divide(d, e, &f, parts, n);
}
