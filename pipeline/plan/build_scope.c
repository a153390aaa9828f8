/* SPDX-License-Identifier: MIT */
/*
 * What entities and exploded elements have in common: stages, columns, the rest, children.
 * Children come last, because they carry their parent's key.
 */
#include "pipeline/plan/columns.h"
#include "pipeline/plan/plan_private.h"

struct shape *build_shape(struct planner *p, struct str label)
{
    struct shape *shape = plan_array(p, 1, sizeof *shape);
    struct name_node *root = plan_array(p, 1, sizeof *root);
    if (!shape || !root)
        return NULL;
    root->slot = SLOT_NONE;
    *shape = (struct shape){.label = label,
                            .names = root,
                            .extra_column = SLOT_NONE,
                            .rest_column = SLOT_NONE,
                            .note_rest_lossy = NOTE_NONE,
                            .note_indexed = NOTE_NONE,
                            .note_unsaid = NOTE_NONE,
                            .ordinal = SLOT_NONE,
                            .mirror = UINT32_MAX,
                            .merge = UINT32_MAX};
    return shape;
}

void build_stages(struct scope *s, const struct stages_spec *specs)
{
    for (uint32_t i = 0; i < specs->n; i++) {
        s->stage = &specs->v[i];
        s->stage->stage->plan(s, s->stage);
    }
    s->stage = NULL;
}

static struct str from_text(struct scope *s, const struct column_spec *spec)
{
    struct buf text;
    buf_init(&text, 4096);
    if (spec->from_any.n) {
        path_print_all(&spec->from_any, &text);
    } else if (spec->from.n) {
        path_print(&spec->from, &text);
    } else {
        buf_add_str(&text, spec->name);
    }
    struct str out = arena_dup(s->planner->arena, buf_view(&text));
    if (text.rc || !out.p)
        s->planner->rc = RC_NOMEM;
    buf_release(&text);
    return out;
}

static bool is_rest_document(const struct scope *s, const struct column_spec *spec)
{
    return s->rest_document.n && str_eq(s->rest_document.members[0], spec->name);
}

void build_fills(struct scope *s)
{
    struct planner *p = s->planner;
    struct shape *shape = s->shape;
    struct str table = p->tables[shape->table].name;
    shape->fills.v = plan_array(p, s->columns.n, sizeof *shape->fills.v);
    columns_mention(s, &s->columns);
    columns_certain(s, &s->columns);
    for (uint32_t i = 0; shape->fills.v && i < s->columns.n; i++) {
        const struct column_spec *spec = &s->columns.v[i];
        struct column c = {.name = spec->name,
                           .type = spec->cast.type,
                           .not_null = spec->not_null,
                           .mixed = (spec->cast.lossy & LOSSY_TEXT) != 0,
                           .from = from_text(s, spec)};
        uint32_t column = build_column(p, shape->table, &c, spec->place);
        if (column == UINT32_MAX)
            return;
        if (is_rest_document(s, spec)) {
            shape->rest_column = column;
            shape->rest_lossy = spec->cast.lossy;
            shape->note_rest_lossy =
                plan_note(p, "lossy: %.*s.%.*s", STR_FMT(table), STR_FMT(spec->name));
            continue;
        }
        struct fill *fill = &shape->fills.v[shape->fills.n];
        columns_fill(s, &s->columns, i, table, fill);
        fill->column = column;
        shape->fills.n++;
    }
}

static void add_extra(struct scope *s)
{
    struct shape *shape = s->shape;
    if (shape->rest != REST_EXTRA || shape->rest_column != SLOT_NONE)
        return;
    struct place at = s->entity ? s->entity->place : (struct place){0, 0};
    struct table *t = &s->planner->tables[shape->table];
    uint32_t taken = build_column_find(t, STR("extra"));
    if (taken != UINT32_MAX && !t->columns[taken].extra) {
        problems_add(
            s->planner->problems, at,
            "table \"%.*s\" has a column \"extra\", which is the name of the column for what "
            "the "
            "model does not name\nhint: rename it, or set \"rest\" to \"drop\" or \"reject\"",
            STR_FMT(t->name));
        return;
    }
    struct column c = {.name = STR("extra"), .type = COL_JSONB, .extra = true};
    shape->extra_column = build_column(s->planner, shape->table, &c, at);
}

static void mark(bool *only, const struct sources *from, bool value)
{
    for (uint32_t i = 0; i < from->n; i++)
        only[from->slots[i]] = value;
}

/* Finds the slots that only an extract takes: their values stay with an item that lacks the key
   to extract by. */
static void find_extract_only(struct scope *s)
{
    struct shape *shape = s->shape;
    bool *only = s->nextracted ? plan_array(s->planner, shape->nslots, sizeof *only) : NULL;
    if (!only)
        return;
    for (uint32_t i = 0; i < s->nextracted; i++) {
        for (uint32_t k = 0; k < s->extracted[i]->n; k++)
            mark(only, &s->extracted[i]->v[k].from, true);
    }
    for (uint32_t i = 0; i < shape->fills.n; i++)
        mark(only, &shape->fills.v[i].from, false);
    for (uint32_t i = 0; i < s->nexplodes; i++)
        mark(only, &s->explodes[i].from, false);
    shape->extract_only = only;
}

static void mark_losers(struct scope *s, const struct fills *fills)
{
    struct shape *shape = s->shape;
    for (uint32_t i = 0; i < fills->n; i++) {
        if (fills->v[i].first && !shape->may_lose)
            shape->may_lose = plan_array(s->planner, shape->nslots, sizeof *shape->may_lose);
        if (fills->v[i].first && shape->may_lose)
            mark(shape->may_lose, &fills->v[i].from, true);
    }
}

/* Finds the slots of attributes that give way to others. */
static void find_losers(struct scope *s)
{
    mark_losers(s, &s->shape->fills);
    for (uint32_t i = 0; i < s->nextracted; i++)
        mark_losers(s, s->extracted[i]);
}

/* Finds how many levels of members the name of an open column can stand for: they are joined by
   underscores. */
static uint32_t levels_asked(const struct map *open)
{
    uint32_t most = 1;
    for (size_t i = 0; i < open->cap; i++) {
        uint32_t levels = 1;
        struct str name = open->entries[i].used ? open->entries[i].key : (struct str){0};
        for (size_t k = 0; k < name.n; k++)
            levels += name.p[k] == '_';
        most = levels > most ? levels : most;
    }
    return most;
}

/* Nobody asks for members below `levels`: maps down there are not looked into. */
static void cut_flatten(struct name_node *at, uint32_t levels)
{
    for (struct name_node *k = at->kids; k; k = k->next) {
        uint32_t below = levels > k->shown.n ? levels - k->shown.n : 1;
        if (k->flatten == FLATTEN_ALL && below < FLATTEN_ALL)
            k->flatten = below;
        cut_flatten(k, levels);
    }
}

void build_finish(struct scope *s)
{
    struct shape *shape = s->shape;
    add_extra(s);
    shape->ops = s->ops;
    shape->nops = s->nops;
    for (uint32_t i = 0; i < s->nexplodes; i++)
        s->explodes[i].shape = build_child(s, &s->children[i], &s->explodes[i]);
    /* A child that reads its parent may have added names, so slots are counted only now. */
    shape->explodes = s->explodes;
    shape->nexplodes = s->nexplodes;
    build_explained(s);
    find_extract_only(s);
    find_losers(s);
    scope_parse_finish(s);
    build_flattened(s);
    cut_flatten(shape->names, levels_asked(&shape->open));
}
