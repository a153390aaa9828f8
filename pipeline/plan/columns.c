/* SPDX-License-Identifier: MIT */
/*
 * Columns find their attributes by three rules, in this order: `from`, the very name, the
 * name in snake case. Attributes that the model never mentions are matched while running,
 * against the open slots left here.
 */
#include "pipeline/plan/columns.h"

/* Does a column name the binding by `from`, or by its very name? A part goes to the column of
   its name even if that has a `from`. */
static bool claimed(const struct columns_spec *columns, const struct binding *b,
                    struct str joined)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct column_spec *c = &columns->v[i];
        bool by_name = (b->part || !column_spec_says(c)) && joined.n && str_eq(c->name, joined);
        if (by_name || column_spec_takes(c, &b->path))
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
        return !claimed(columns, b, (struct str){0});
    return str_eq(name_snake(a, &b->path), column) && !claimed(columns, b, joined);
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

/* The columns of the scope itself are filled for sure, those of an extract if it makes a copy. */
static enum part_taken how_taken(const struct scope *s, const struct columns_spec *columns)
{
    return columns == &s->columns ? PART_TAKEN : PART_EXTRACTED;
}

static void add_parts(struct scope *s, const struct columns_spec *columns, struct str name,
                      struct sources *out)
{
    for (const struct binding *b = s->bindings; b; b = b->next) {
        if (!b->part || !names_column(s, b, columns, name))
            continue;
        add(out, b->slot);
        scope_take(s, &b->path, how_taken(s, columns));
    }
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
    add_parts(s, columns, name, out);
}

/* Key parts that are called like a column of the scope feed it, too: they must agree with what
   `from` names. The columns of an extract are those of another table, where a part of the same
   name is a coincidence. */
static void add_parts_beside(struct scope *s, const struct columns_spec *columns,
                             struct str name, struct sources *out)
{
    uint32_t count = out->n;
    for (const struct binding *b = s->bindings; b; b = b->next)
        count += b->part;
    uint32_t *slots = plan_array(s->planner, count, sizeof *slots);
    if (!slots)
        return;
    if (out->n)
        memcpy(slots, out->slots, out->n * sizeof *slots);
    out->slots = slots;
    add_parts(s, columns, name, out);
}

static struct sources find_path(struct scope *s, const struct columns_spec *columns,
                                const struct path *path, struct place at)
{
    struct sources out = scope_find(s, path, at);
    scope_take(s, path, how_taken(s, columns));
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->node && path_eq(&b->path, path))
            b->node->consumed = true;
    }
    return out;
}

static void find_by_from(struct scope *s, const struct columns_spec *columns,
                         const struct column_spec *spec, struct sources *out)
{
    *out = find_path(s, columns, &spec->from, spec->place);
    if (columns == &s->columns)
        add_parts_beside(s, columns, spec->name, out);
}

/* All that "from_any" names, in its order; a part that it names is one of them. */
static void find_by_any(struct scope *s, const struct columns_spec *columns,
                        const struct column_spec *spec, struct sources *out)
{
    for (uint32_t i = 0; i < spec->from_any.n; i++) {
        struct sources one = find_path(s, columns, &spec->from_any.v[i], spec->place);
        uint32_t *slots = plan_array(s->planner, out->n + one.n, sizeof *slots);
        if (!slots || !one.slots)
            return;
        if (out->n)
            memcpy(slots, out->slots, out->n * sizeof *slots);
        memcpy(slots + out->n, one.slots, one.n * sizeof *slots);
        out->slots = slots;
        out->n += one.n;
    }
    out->nattributes = out->n;
    if (columns == &s->columns)
        add_parts_beside(s, columns, spec->name, out);
}

void columns_mention(struct scope *s, const struct columns_spec *columns)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct column_spec *spec = &columns->v[i];
        if (spec->from.n)
            scope_mention(s, &spec->from, spec->place);
        for (uint32_t k = 0; k < spec->from_any.n; k++)
            scope_mention(s, &spec->from_any.v[k], spec->place);
    }
}

static void parse_column(struct scope *s, const struct column_spec *spec,
                         const struct sources *from)
{
    struct str name = spec->name;
    const struct path own = {&name, 1};
    const struct path *path = spec->from.n       ? &spec->from
                              : spec->from_any.n ? &spec->from_any.v[0]
                                                 : &own;
    struct parse_rule rule = {.form = spec->parse,
                              .keep = spec->cast.lossy & LOSSY_PARSE,
                              .note = NOTE_NONE,
                              .name = spec->name,
                              .null_if =
                                  spec->null_if ? spec->null_if : s->planner->model->null_if};
    scope_parse(s, from, path, &rule, spec->place);
}

static void find_sources(struct scope *s, const struct columns_spec *columns,
                         const struct column_spec *spec, struct sources *out)
{
    if (spec->from_any.n) {
        find_by_any(s, columns, spec, out);
    } else if (spec->from.n) {
        find_by_from(s, columns, spec, out);
    } else {
        find_by_name(s, columns, spec->name, out);
    }
    if (spec->parse != DECODER_TEXT)
        parse_column(s, spec, out);
}

static enum prefer_rule preferred(const struct scope *s, const struct column_spec *spec)
{
    bool own = spec->prefer != PREFER_NONE && spec->prefer != PREFER_FIRST;
    if (own)
        return spec->prefer;
    return s->entity ? s->entity->prefer : PREFER_NONE;
}

void columns_fill(struct scope *s, const struct columns_spec *columns, uint32_t i,
                  struct str table, struct fill *out)
{
    const struct column_spec *spec = &columns->v[i];
    struct planner *p = s->planner;
    *out = (struct fill){.cast = spec->cast,
                         .not_null = spec->not_null,
                         .prefer = preferred(s, spec),
                         .any = spec->from_any.n > 0,
                         .first = spec->prefer == PREFER_FIRST};
    find_sources(s, columns, spec, &out->from);
    out->note_null =
        plan_note(p, "null folded: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    out->note_lossy = out->note_prefer = NOTE_NONE;
    if (spec->cast.lossy)
        out->note_lossy = plan_note(p, "lossy: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    const struct names *texts = spec->null_if ? spec->null_if : p->model->null_if;
    if (texts && texts->n) {
        out->null_if = texts;
        out->null_if_parts = spec->null_if != NULL;
        out->note_null_if =
            plan_note(p, "null_if: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    }
    if (out->prefer != PREFER_NONE || out->first) {
        out->note_prefer =
            plan_note(p, "preferred: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
    }
}
