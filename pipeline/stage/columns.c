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

static bool names_column(struct scope *s, const struct binding *b, struct str column)
{
    struct arena *a = s->planner->arena;
    return str_eq(path_join(a, &b->path), column) || str_eq(name_snake(a, &b->path), column);
}

/* A derived attribute hides those of the item: they go to the rest. */
static bool is_derived(struct scope *s, struct str name)
{
    for (const struct binding *b = s->bindings; b; b = b->next)
        if (!b->part && !b->node && names_column(s, b, name))
            return true;
    return false;
}

static void add(struct sources *from, uint32_t slot)
{
    from->slots[from->n++] = slot;
}

static void find_by_name(struct scope *s, struct str name, struct sources *out)
{
    uint32_t count = 1;
    for (struct binding *b = s->bindings; b; b = b->next)
        count++;
    out->slots = plan_array(s->planner, count, sizeof *out->slots);
    if (!out->slots)
        return;
    if (!is_derived(s, name))
        add(out, scope_open(s, name));
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->part || !names_column(s, b, name))
            continue;
        add(out, b->slot);
        if (b->node)
            b->node->consumed = true;
    }
    out->nattributes = out->n;
    for (struct binding *b = s->bindings; b; b = b->next)
        if (b->part && names_column(s, b, name))
            add(out, b->slot);
}

static void find_by_from(struct scope *s, const struct column_spec *spec, struct sources *out)
{
    *out = scope_find(s, &spec->from, spec->place);
    for (struct binding *b = s->bindings; b; b = b->next)
        if (b->node && path_eq(&b->path, &spec->from))
            b->node->consumed = true;
}

void column_fill(struct scope *s, const struct column_spec *spec, struct str table,
                 struct fill *out)
{
    *out =
        (struct fill){.cast = spec->cast, .not_null = spec->not_null, .prefer = spec->prefer};
    if (out->prefer == PREFER_NONE && s->entity)
        out->prefer = s->entity->prefer;
    if (spec->from.n)
        find_by_from(s, spec, &out->from);
    else
        find_by_name(s, spec->name, &out->from);
    struct planner *p = s->planner;
    out->note_null =
        plan_note(p, "null folded: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    out->note_lossy = out->note_prefer = NOTE_NONE;
    if (spec->cast.lossy)
        out->note_lossy = plan_note(p, "lossy: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    if (out->prefer != PREFER_NONE)
        out->note_prefer =
            plan_note(p, "preferred: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
}
