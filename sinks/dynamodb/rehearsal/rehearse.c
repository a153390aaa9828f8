/* SPDX-License-Identifier: MIT */
/*
 * Gathering: one record per entity, one sketch per partition key it writes. Nothing grows with the
 * number of items: pairs and reasons have places for so many, sketches are of one size and made
 * when their first value comes.
 */
#include "sinks/dynamodb/rehearsal/rehearse.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/item/canon.h"
#include "sinks/dynamodb/recipe/key_role.h"

/* What the results do not show. */
struct role {
    enum key_role role;
    uint32_t spread; /* UINT32_MAX: none */
    const struct dynamodb_index *index;
};

struct gather {
    struct rehearse_entity out;
    struct role *roles; /* by target */
    struct value_counts **sketches;
};

struct rehearse {
    const struct plan *plan;
    const struct dynamodb_table *table;
    uint32_t n;
    struct gather *entities; /* n + 1 */
    struct buf text;
};

static bool init_spreads(struct rehearse *r, uint32_t entity)
{
    const struct entity *e = &r->plan->model->entities[entity];
    struct gather *g = &r->entities[entity];
    g->roles = calloc(e->nbackfill + 1, sizeof *g->roles);
    g->sketches = calloc(e->nbackfill + 1, sizeof(struct value_counts *));
    g->out.spreads = calloc(e->nbackfill + 1, sizeof *g->out.spreads);
    if (!g->roles || !g->sketches || !g->out.spreads)
        return false;
    for (uint32_t i = 0; i < e->nbackfill; i++) {
        const struct dynamodb_index *index = NULL;
        struct role *role = &g->roles[i];
        *role = (struct role){.spread = UINT32_MAX};
        if (e->backfill[i].remove)
            continue;
        role->role = key_role(r->plan, r->table, e->backfill[i].attribute, &index);
        if (role->role != KEY_HASH && role->role != KEY_HASH_NAMED)
            continue;
        role->spread = g->out.nspreads++;
        role->index = index;
        g->out.spreads[role->spread] =
            (struct rehearse_spread){.attribute = e->backfill[i].attribute,
                                     .index = index ? index->name : (struct str){0}};
    }
    return true;
}

struct rehearse *rehearse_new(const struct plan *plan, const struct dynamodb_table *table)
{
    struct rehearse *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->plan = plan;
    r->table = table;
    buf_init(&r->text, BUF_NO_LIMIT);
    r->entities = calloc(plan->model->nentities + 1, sizeof *r->entities);
    bool ok = r->entities != NULL;
    if (ok)
        r->n = plan->model->nentities;
    for (uint32_t i = 0; ok && i < r->n; i++)
        ok = init_spreads(r, i);
    if (ok)
        return r;
    rehearse_free(r);
    return NULL;
}

static void free_pair(struct rehearse_pair *p)
{
    free(p->key);
    free(p->before);
    free(p->after);
    *p = (struct rehearse_pair){0};
}

void rehearse_free(struct rehearse *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; r->entities && i <= r->n; i++) {
        struct gather *g = &r->entities[i];
        for (uint32_t k = 0; k < g->out.nspreads; k++)
            value_counts_free(g->sketches[k]);
        for (uint32_t k = 0; k < REHEARSE_PAIRS; k++)
            free_pair(&g->out.pairs[k]);
        free(g->sketches);
        free(g->roles);
        free(g->out.spreads);
    }
    free(r->entities);
    buf_release(&r->text);
    free(r);
}

/* ---- reasons ---- */

static void count_reason(struct rehearse_entity *e, const char *reason, const char *example,
                         uint64_t count)
{
    uint32_t i = 0;
    while (i < e->nreasons && strcmp(e->reasons[i].reason, reason) != 0)
        i++;
    if (i >= REHEARSE_REASONS - 1) { /* the last place is for all that have none */
        i = REHEARSE_REASONS - 1;
        reason = "other";
    }
    struct rehearse_reason *r = &e->reasons[i];
    if (i >= e->nreasons) {
        e->nreasons = i + 1;
        r->reason = reason;
        (void)snprintf(r->example, sizeof r->example, "%s", example);
    }
    r->count += count;
}

/* ---- pairs ---- */

static char *copy_text(struct buf *b)
{
    return !b->rc ? strdup(buf_cstr(b)) : NULL;
}

static char *show_key(struct rehearse *r, const struct item *item)
{
    struct str names[DDB_KEYS_MAX];
    size_t n = 0;
    buf_clear(&r->text);
    if (!r->table) {
        canon_key(&r->text, item, r->plan->key.v, r->plan->key.n);
        return copy_text(&r->text);
    }
    for (; n < r->table->schema.n; n++)
        names[n] = r->table->schema.keys[n].name;
    canon_key(&r->text, item, names, n);
    return copy_text(&r->text);
}

static char *show_targets(struct rehearse *r, const struct change *c, bool after)
{
    struct member *v = calloc(c->ntargets + 1, sizeof *v);
    uint32_t n = 0;
    char *text = NULL;
    for (uint32_t i = 0; v && i < c->ntargets; i++) {
        const struct val *value = after ? c->targets[i].new_ : c->targets[i].old;
        if (value)
            v[n++] = (struct member){c->targets[i].path.members[0], *value};
    }
    if (v) {
        buf_clear(&r->text);
        canon_ddb_members(&r->text, v, n);
        text = copy_text(&r->text);
    }
    free(v);
    return text;
}

static bool keep_pair(struct rehearse *r, struct rehearse_entity *e, const struct item *item,
                      const struct change *c)
{
    struct rehearse_pair *p = &e->pairs[e->npairs];
    *p = (struct rehearse_pair){show_key(r, item), show_targets(r, c, false),
                                show_targets(r, c, true)};
    if (!p->key || !p->before || !p->after) {
        free_pair(p);
        return false;
    }
    e->npairs++;
    return true;
}

/* ---- values ---- */

static bool count_values(struct rehearse *r, struct gather *g, const struct item *item,
                         const struct change *c)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        uint32_t at = g->roles[i].spread;
        if (at == UINT32_MAX || !c->targets[i].new_)
            continue;
        if (!g->sketches[at])
            g->sketches[at] = value_counts_new();
        if (!g->sketches[at])
            return false;
        const struct dynamodb_index *index = g->roles[i].index;
        uint64_t units = 0;
        if (r->table && index && index->global && c->fate == FATE_CHANGED)
            units = units_of_entry(r->table, index, item, c);
        value_counts_add(g->sketches[at], c->targets[i].new_, units);
    }
    return true;
}

/* Keys of an index that is still to come. */
static void count_bad_keys(struct gather *g, const struct change *c)
{
    bool empty = false, too_long = false;
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct val *v = c->targets[i].new_;
        enum key_role role = g->roles[i].role;
        if (!v || v->kind == VAL_N || (role != KEY_HASH_NAMED && role != KEY_RANGE_NAMED))
            continue;
        empty |= v->u.s.n == 0;
        too_long |= v->u.s.n > (role == KEY_HASH_NAMED ? KEY_HASH_MAX : KEY_RANGE_MAX);
    }
    g->out.empty_keys += empty;
    g->out.long_keys += too_long;
}

static void count_units(struct rehearse *r, struct gather *g, const struct item *item,
                        const struct change *c)
{
    static const struct dynamodb_table NO_INDEXES;
    struct units u = units_of(r->table ? r->table : &NO_INDEXES, item, c);
    g->out.units.table += u.table;
    g->out.units.indexes += u.indexes;
    g->out.bytes += c->size_after;
}

enum rc rehearse_add(struct rehearse *r, const struct item *item, const struct change *c,
                     struct err *err)
{
    struct gather *g = &r->entities[c->entity < r->n ? c->entity : r->n];
    bool ok = true;
    g->out.fates[c->fate]++;
    if (c->why.reason)
        count_reason(&g->out, c->why.reason, c->why.detail, 1);
    if (c->fate == FATE_CHANGED || c->fate == FATE_ALREADY)
        ok = count_values(r, g, item, c);
    if (ok && c->fate == FATE_CHANGED) {
        count_units(r, g, item, c);
        count_bad_keys(g, c);
        ok = g->out.npairs == REHEARSE_PAIRS || keep_pair(r, &g->out, item, c);
    }
    return ok ? RC_OK : err_nomem(err);
}

/* ---- merging and results ---- */

static bool merge_pairs(struct rehearse_entity *to, const struct rehearse_entity *from)
{
    for (uint32_t i = 0; i < from->npairs && to->npairs < REHEARSE_PAIRS; i++) {
        struct rehearse_pair *p = &to->pairs[to->npairs];
        *p = (struct rehearse_pair){strdup(from->pairs[i].key), strdup(from->pairs[i].before),
                                    strdup(from->pairs[i].after)};
        if (!p->key || !p->before || !p->after) {
            free_pair(p);
            return false;
        }
        to->npairs++;
    }
    return true;
}

static bool merge_one(struct gather *to, const struct gather *from)
{
    for (size_t i = 0; i < FATES; i++)
        to->out.fates[i] += from->out.fates[i];
    for (uint32_t i = 0; i < from->out.nreasons; i++) {
        const struct rehearse_reason *r = &from->out.reasons[i];
        count_reason(&to->out, r->reason, r->example, r->count);
    }
    to->out.units.table += from->out.units.table;
    to->out.units.indexes += from->out.units.indexes;
    to->out.bytes += from->out.bytes;
    to->out.long_keys += from->out.long_keys;
    to->out.empty_keys += from->out.empty_keys;
    for (uint32_t i = 0; i < from->out.nspreads; i++) {
        if (!from->sketches[i])
            continue;
        if (!to->sketches[i])
            to->sketches[i] = value_counts_new();
        if (!to->sketches[i])
            return false;
        value_counts_merge(to->sketches[i], from->sketches[i]);
    }
    return merge_pairs(&to->out, &from->out);
}

enum rc rehearse_merge(struct rehearse *into, const struct rehearse *from, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i <= into->n; i++)
        ok = merge_one(&into->entities[i], &from->entities[i]);
    return ok ? RC_OK : err_nomem(err);
}

const struct rehearse_entity *rehearse_entity(struct rehearse *r, uint32_t entity)
{
    struct gather *g = &r->entities[entity < r->n ? entity : r->n];
    for (uint32_t i = 0; i < g->out.nspreads; i++) {
        struct rehearse_spread *s = &g->out.spreads[i];
        const struct value_counts *sketch = g->sketches[i];
        if (!sketch)
            continue;
        s->values = value_counts_values(sketch);
        s->distinct = value_counts_distinct(sketch);
        s->ntop = value_counts_top(sketch, s->top, REHEARSE_TOP);
    }
    return &g->out;
}
