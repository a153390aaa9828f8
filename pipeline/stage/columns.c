/* SPDX-License-Identifier: MIT */
/*
 * Columns find their attributes by three rules, in this order: `from`, the very name, the
 * name in snake case. Attributes that the model never mentions are matched while running,
 * against the open slots left here.
 */
#include "pipeline/stage/columns.h"

struct str path_join(struct arena *a, const struct path *path)
{
    size_t n = path->n ? path->n - 1 : 0;
    for (uint32_t i = 0; i < path->n; i++)
        n += path->members[i].n;
    char *p = arena_alloc(a, n + 1);
    if (!p)
        return (struct str){0};
    size_t at = 0;
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            p[at++] = '_';
        if (path->members[i].n)
            memcpy(p + at, path->members[i].p, path->members[i].n);
        at += path->members[i].n;
    }
    p[n] = '\0';
    return str_make(p, n);
}

/* Another column names the attribute by `from`, or by its very name. */
static bool claimed(const struct columns_spec *columns, const struct path *path,
                    struct str joined)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct column_spec *c = &columns->v[i];
        if (c->from.n ? path_eq(&c->from, path) : joined.n && str_eq(c->name, joined))
            return true;
    }
    return false;
}

static bool names_column(struct scope *s, const struct binding *b,
                         const struct columns_spec *columns, struct str column)
{
    struct arena *a = s->planner->arena;
    struct str joined = path_join(a, &b->path);
    if (str_eq(joined, column))
        return !claimed(columns, &b->path, (struct str){0});
    return str_eq(name_snake(a, &b->path), column) && !claimed(columns, &b->path, joined);
}

/* A derived attribute hides those of the item: they go to the rest. */
static bool is_derived(struct scope *s, const struct columns_spec *columns, struct str name)
{
    for (const struct binding *b = s->bindings; b; b = b->next) {
        if (!b->part && !b->node && names_column(s, b, columns, name))
            return true;
    }
    return false;
}

static void add(struct sources *from, uint32_t slot)
{
    from->slots[from->n++] = slot;
}

static void find_by_name(struct scope *s, const struct columns_spec *columns, struct str name,
                         struct sources *out)
{
    uint32_t count = 1;
    for (struct binding *b = s->bindings; b; b = b->next)
        count++;
    out->slots = plan_array(s->planner, count, sizeof *out->slots);
    if (!out->slots)
        return;
    if (!is_derived(s, columns, name))
        add(out, scope_open(s, name));
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->part || !names_column(s, b, columns, name))
            continue;
        add(out, b->slot);
        if (b->node)
            b->node->consumed = true;
    }
    out->nattributes = out->n;
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->part && names_column(s, b, columns, name))
            add(out, b->slot);
    }
}

static void find_by_from(struct scope *s, const struct column_spec *spec, struct sources *out)
{
    *out = scope_find(s, &spec->from, spec->place);
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->node && path_eq(&b->path, &spec->from))
            b->node->consumed = true;
    }
}

void columns_mention(struct scope *s, const struct columns_spec *columns)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct path *from = &columns->v[i].from;
        if (from->n && !str_starts(from->members[0], STR("^")))
            (void)scope_find(s, from, columns->v[i].place);
    }
}

void column_fill(struct scope *s, const struct columns_spec *columns, uint32_t i,
                 struct str table, struct fill *out)
{
    const struct column_spec *spec = &columns->v[i];
    *out =
        (struct fill){.cast = spec->cast, .not_null = spec->not_null, .prefer = spec->prefer};
    if (out->prefer == PREFER_NONE && s->entity)
        out->prefer = s->entity->prefer;
    if (spec->from.n) {
        find_by_from(s, spec, &out->from);
    } else {
        find_by_name(s, columns, spec->name, &out->from);
    }
    struct planner *p = s->planner;
    out->note_null =
        plan_note(p, "null folded: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    out->note_lossy = out->note_prefer = NOTE_NONE;
    if (spec->cast.lossy)
        out->note_lossy = plan_note(p, "lossy: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    if (out->prefer != PREFER_NONE) {
        out->note_prefer =
            plan_note(p, "preferred: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    }
}
