/* SPDX-License-Identifier: MIT */
/*
 * Looks at the attributes that serve DynamoDB and are not exported: does one of them say
 * something that no row says, do two always hold the same? A piece of a key (between '#')
 * counts as said when it stands somewhere in the item's rows; pieces that are the same in
 * every item are taken for prefixes. The first so many items decide.
 */
#include "cmd/advice.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmd/items.h"
#include "cmd/plain.h"
#include "pipeline/base/env.h"
#include "pipeline/run/pass.h"

enum { MAX_ITEMS = 100000, MAX_ATTRIBUTES = 24 };

struct indexing {
    struct str name;
    struct str first; /* its value in the first item: constant pieces are told by it */
    uint64_t count;
    uint64_t alone; /* items in which it says something that no row says */
    struct str example;
    uint64_t same[MAX_ATTRIBUTES]; /* items in which another one held the same value */
};

struct entity_advice {
    struct indexing v[MAX_ATTRIBUTES];
    uint32_t n;
    uint64_t items, untyped;
};

struct advice {
    const struct plan *plan;
    struct pass *pass;
    struct entity_advice *entities;
    struct arena arena;
    struct buf rows;
    uint64_t seen;
    bool short_of_memory;
    const atomic_bool *stop;
};

static bool is_indexing(const struct plan *plan, struct str name)
{
    for (uint32_t i = 0; i < plan->indexing.n; i++) {
        if (str_glob(name, plan->indexing.v[i]))
            return true;
    }
    for (uint32_t i = 0; i < plan->key.n; i++) {
        if (str_eq(name, plan->key.v[i]))
            return true;
    }
    return false;
}

static struct indexing *find(struct advice *a, struct entity_advice *e, const struct member *m)
{
    for (uint32_t i = 0; i < e->n; i++) {
        if (str_eq(e->v[i].name, m->name))
            return &e->v[i];
    }
    if (e->n == MAX_ATTRIBUTES)
        return NULL;
    struct indexing *x = &e->v[e->n];
    x->name = arena_dup(&a->arena, m->name);
    x->first = arena_dup(&a->arena, m->val.u.s);
    a->short_of_memory |= !x->name.p || !x->first.p;
    e->n += !a->short_of_memory;
    return a->short_of_memory ? NULL : x;
}

static struct str piece(struct str s, size_t *at)
{
    size_t end = *at;
    while (end < s.n && s.p[end] != '#')
        end++;
    struct str out = str_make(s.p + *at, end - *at);
    *at = end + 1;
    return out;
}

/* The k-th piece of the first item's value. */
static bool is_constant(struct str first, size_t k, struct str text)
{
    size_t at = 0;
    for (size_t i = 0; at <= first.n; i++) {
        struct str p = piece(first, &at);
        if (i == k)
            return str_eq(p, text);
    }
    return false;
}

static bool says_more(const struct advice *a, const struct indexing *x, struct str value)
{
    size_t at = 0;
    struct str rows = buf_view(&a->rows);
    for (size_t k = 0; at <= value.n; k++) {
        struct str p = piece(value, &at);
        if (p.n == 0 || (x->count > 1 && is_constant(x->first, k, p)))
            continue;
        if (str_find(rows, p, 0) == rows.n)
            return true;
    }
    return false;
}

static void look_at(struct advice *a, struct entity_advice *e, const struct item *item)
{
    for (uint32_t i = 0; i < item->n; i++) {
        const struct member *m = &item->members[i];
        if (!is_indexing(a->plan, m->name) || m->val.kind > VAL_N || m->val.kind == VAL_MISSING)
            continue;
        struct indexing *x = find(a, e, m);
        if (!x)
            continue;
        x->count++;
        if (x->count > 1 && says_more(a, x, m->val.u.s)) {
            x->alone++;
            if (!x->example.p)
                x->example = arena_dup(&a->arena, m->val.u.s);
            a->short_of_memory |= !x->example.p;
        }
        for (uint32_t k = 0; k < e->n; k++) {
            const struct val *other = item_get(item, e->v[k].name);
            x->same[k] += other && other->kind == m->val.kind && str_eq(other->u.s, m->val.u.s);
        }
    }
}

static enum rc one_item(void *ctx, struct str raw, const char *fault, struct err *err)
{
    struct advice *a = ctx;
    struct pass_trace t;
    if (fault)
        return RC_OK;
    if (a->seen++ >= MAX_ITEMS)
        return RC_END;
    if (a->stop && atomic_load(a->stop))
        return err_set(err, RC_CANCEL, "interrupted");
    enum rc rc = pass_one(a->pass, raw, &t, err);
    if (rc != RC_OK || t.fate != FATE_ROUTED)
        return rc;
    struct entity_advice *e = &a->entities[t.entity];
    e->items++;
    e->untyped += a->plan->type.n && !item_get(&t.item, a->plan->type);
    buf_clear(&a->rows);
    for (size_t i = 0; i < t.nrows; i++)
        table_row_json(&a->rows, &a->plan->schema.tables[t.rows[i].table], t.rows[i].cells);
    look_at(a, e, &t.item);
    return a->short_of_memory ? err_nomem(err) : buf_check(&a->rows, err);
}

static void tell_pairs(const struct entity_advice *e, struct str entity, struct buf *out)
{
    for (uint32_t i = 0; i < e->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (e->v[i].count > 1 && e->v[i].same[k] == e->v[i].count &&
                e->v[k].count == e->v[i].count) {
                buf_addf(out,
                         "advice: %.*s: \"%.*s\" and \"%.*s\" always hold the same value: "
                         "one attribute could serve both indexes\n",
                         STR_FMT(entity), STR_FMT(e->v[k].name), STR_FMT(e->v[i].name));
            }
        }
    }
}

static void tell_entity(const struct entity_advice *e, struct str name, struct str type,
                        struct buf *out)
{
    if (e->untyped) {
        buf_addf(out,
                 "advice: %.*s: %" PRIu64 " of %" PRIu64
                 " items have no \"%.*s\": a backfill could add it\n",
                 STR_FMT(name), e->untyped, e->items, STR_FMT(type));
    }
    for (uint32_t k = 0; k < e->n; k++) {
        if (!e->v[k].alone)
            continue;
        buf_addf(out, "advice: %.*s: \"%.*s\" says something no column says, as in \"",
                 STR_FMT(name), STR_FMT(e->v[k].name));
        plain_add(out, e->v[k].example, 200);
        buf_puts(out, "\": give it a key template or a column\n");
    }
    tell_pairs(e, name, out);
}

static enum rc look(struct advice *a, const struct options *o, struct err *err)
{
    struct job again;
    job_init(&again);
    enum rc rc = job_source(&again, o->words + 1, o->nwords - 1, o, err);
    if (rc == RC_OK)
        rc = items_walk(again.source, one_item, a, err);
    job_release(&again);
    return rc;
}

enum rc advice_give(struct job *job, const struct options *o, struct buf *out, struct err *err)
{
    if (!job->source->resumable)
        return RC_OK; /* standard input cannot be read twice */
    struct advice a = {.plan = job->plan, .stop = job->stop};
    arena_init(&a.arena, 65536);
    buf_init(&a.rows, BUF_NO_LIMIT);
    a.entities = calloc(job->plan->model->nentities + 1, sizeof *a.entities);
    int64_t now_us = 0;
    enum rc rc = job_now(o, &now_us, err);
    a.pass = pass_new(job->plan,
                      &(struct pass_options){now_us, buf_view(&job->mask_key), true, false});
    if (!a.entities || !a.pass)
        rc = err_nomem(err);
    if (rc == RC_OK)
        rc = look(&a, o, err);
    const struct model *m = job->plan->model;
    for (uint32_t i = 0; rc == RC_OK && i < m->nentities; i++)
        tell_entity(&a.entities[i], m->entities[i].name, job->plan->type, out);
    pass_free(a.pass);
    free(a.entities);
    buf_release(&a.rows);
    arena_release(&a.arena);
    return rc == RC_OK ? buf_check(out, err) : rc;
}
