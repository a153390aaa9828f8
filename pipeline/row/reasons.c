/* SPDX-License-Identifier: MIT */
/* A list that is searched from its start: reasons are few, and an item that has one is rare. */
#include "pipeline/row/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/base/memory.h"
#include "pipeline/base/utf8.h"

void reasons_clear(struct reasons *r)
{
    for (size_t i = 0; i < r->n; i++) {
        memory_disown(&r->v[i].name);
        memory_disown(&r->v[i].column);
        memory_disown(&r->v[i].example);
    }
    r->n = r->of_kind[0] = r->of_kind[1] = 0;
}

void reasons_release(struct reasons *r)
{
    reasons_clear(r);
    free(r->v);
    *r = (struct reasons){0};
}

static struct reason *find(struct reasons *r, enum reject_kind kind, struct str name,
                           struct str column)
{
    for (size_t i = 0; i < r->n; i++) {
        struct reason *one = &r->v[i];
        if (one->kind == kind && str_eq(one->name, name) && str_eq(one->column, column))
            return one;
    }
    return NULL;
}

static struct reason *grow(struct reasons *r)
{
    struct reason *v = memory_push(r->v, r->n, &r->cap, 16, sizeof *v);
    if (!v)
        return NULL;
    r->v = v;
    r->v[r->n] = (struct reason){0};
    return &r->v[r->n];
}

static struct reason *have(struct reasons *r, enum reject_kind kind, struct str name,
                           struct str column)
{
    name = utf8_cut(name, REASONS_NAME_MAX);
    column = utf8_cut(column, REASONS_NAME_MAX);
    struct reason *found = find(r, kind, name, column);
    if (!found && r->of_kind[kind] >= REASONS_MAX - 1) {
        if (kind == REJECT_ITEM) { /* reasons are a few words of ours, so they always fit */
            column = STR("(others)");
        } else {
            name = STR("(others)");
        }
        found = find(r, kind, name, column);
    }
    if (found)
        return found;
    struct reason *slot = grow(r);
    if (!slot || !memory_own(&slot->name, name) || !memory_own(&slot->column, column)) {
        if (slot)
            memory_disown(&slot->name);
        return NULL;
    }
    slot->kind = kind;
    r->of_kind[kind]++;
    r->n++;
    return slot;
}

enum rc reasons_add(struct reasons *r, const struct reason *one, struct err *err)
{
    struct reason *slot = have(r, one->kind, one->name, one->column);
    if (!slot)
        return err_nomem(err);
    slot->count += one->count;
    bool earlier = one->segment < slot->segment ||
                   (one->segment == slot->segment && one->position < slot->position);
    if (one->example.n == 0 || (slot->example.n && !earlier))
        return RC_OK;
    slot->segment = one->segment;
    slot->position = one->position;
    return memory_own(&slot->example, one->example) ? RC_OK : err_nomem(err);
}

enum rc reasons_count(struct reasons *r, const struct reject *reject, uint32_t segment,
                      struct err *err)
{
    bool unrouted = reject->kind == REJECT_UNROUTED;
    struct reason one = {.kind = reject->kind,
                         .name = unrouted ? reject->entity : str_of(reject->reason),
                         .column = reject->column,
                         .count = 1,
                         .example = utf8_cut(reject->example, REASONS_EXAMPLE_MAX),
                         .segment = segment,
                         .position = reject->position};
    return reasons_add(r, &one, err);
}

static bool same_name(const struct reason *a, const struct reason *b)
{
    return a->kind == b->kind && str_eq(a->name, b->name);
}

uint64_t reasons_named(const struct reasons *r, size_t i)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < r->n; k++)
        sum += same_name(&r->v[k], &r->v[i]) ? r->v[k].count : 0;
    return sum;
}

bool reasons_is_first(const struct reasons *r, size_t i)
{
    size_t k = 0;
    while (!same_name(&r->v[k], &r->v[i]))
        k++;
    return k == i;
}

static int compare(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int order = str_cmp(x->name, y->name);
    return order ? order : str_cmp(x->column, y->column);
}

void reasons_sort(struct reasons *r)
{
    if (r->n)
        qsort(r->v, r->n, sizeof *r->v, compare);
}
