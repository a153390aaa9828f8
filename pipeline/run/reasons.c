/* SPDX-License-Identifier: MIT */
/* A list that is searched from its start: reasons are few, and an item that has one is rare. */
#include "pipeline/run/reasons.h"

#include <stdlib.h>
#include <string.h>

static bool own(struct str *out, struct str s)
{
    char *p = malloc(s.n + 1);
    if (!p)
        return false;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *out = str_make(p, s.n);
    return true;
}

static void disown(struct str *s)
{
    union {
        const char *in;
        char *out;
    } p = {.in = s->p};
    free(p.out);
    *s = (struct str){0};
}

void reasons_clear(struct reasons *r)
{
    for (size_t i = 0; i < r->n; i++) {
        disown(&r->v[i].name);
        disown(&r->v[i].example);
    }
    r->n = r->of_kind[0] = r->of_kind[1] = 0;
}

void reasons_release(struct reasons *r)
{
    reasons_clear(r);
    free(r->v);
    *r = (struct reasons){0};
}

static struct reason *find(struct reasons *r, enum reject_kind kind, struct str name)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->v[i].kind == kind && str_eq(r->v[i].name, name))
            return &r->v[i];
    }
    return NULL;
}

static struct reason *grow(struct reasons *r)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 16;
        struct reason *v = realloc(r->v, cap * sizeof *v);
        if (!v)
            return NULL;
        r->v = v;
        r->cap = cap;
    }
    r->v[r->n] = (struct reason){0};
    return &r->v[r->n];
}

static struct reason *have(struct reasons *r, enum reject_kind kind, struct str name)
{
    if (name.n > REASONS_NAME_MAX) {
        name.n = REASONS_NAME_MAX;
        while (name.n && ((unsigned char)name.p[name.n] & 0xc0) == 0x80)
            name.n--; /* not inside a character */
    }
    struct reason *found = find(r, kind, name);
    if (!found && r->of_kind[kind] >= REASONS_MAX - 1) {
        name = STR("(others)");
        found = find(r, kind, name);
    }
    if (found)
        return found;
    struct reason *slot = grow(r);
    if (!slot || !own(&slot->name, name))
        return NULL;
    slot->kind = kind;
    r->of_kind[kind]++;
    r->n++;
    return slot;
}

enum rc reasons_add(struct reasons *r, enum reject_kind kind, struct str name, uint64_t count,
                    struct err *err)
{
    struct reason *slot = have(r, kind, name);
    if (!slot)
        return err_nomem(err);
    slot->count += count;
    return RC_OK;
}

enum rc reasons_count(struct reasons *r, const struct reject *reject, uint32_t segment,
                      struct err *err)
{
    bool unrouted = reject->kind == REJECT_UNROUTED;
    struct reason *slot =
        have(r, reject->kind, unrouted ? reject->entity : str_of(reject->reason));
    if (!slot)
        return err_nomem(err);
    slot->count++;
    bool earlier = segment < slot->segment ||
                   (segment == slot->segment && reject->position < slot->position);
    if (reject->detail.n == 0 || (slot->example.p && !earlier))
        return RC_OK;
    disown(&slot->example);
    slot->segment = segment;
    slot->position = reject->position;
    return own(&slot->example, reject->detail) ? RC_OK : err_nomem(err);
}

static int compare(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return str_cmp(x->name, y->name);
}

void reasons_sort(struct reasons *r)
{
    if (r->n)
        qsort(r->v, r->n, sizeof *r->v, compare);
}
