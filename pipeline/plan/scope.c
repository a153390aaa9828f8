/* SPDX-License-Identifier: MIT */
/*
 * Names while compiling. An attribute is a node in a tree of names below the item; a binding
 * says under which path it can be seen at this point of the stages. Hiding a binding leaves
 * the node: an attribute that nothing takes goes to the rest.
 */
#include "pipeline/plan/scope.h"

#include <stdarg.h>
#include <stdio.h>

#include "pipeline/plan/columns.h"
#include "pipeline/plan/watches.h"

void *plan_array(struct planner *p, size_t count, size_t size)
{
    void *v = arena_array(p->arena, count ? count : 1, size);
    if (!v)
        p->rc = RC_NOMEM;
    return v;
}

void *plan_append(struct planner *p, void *v, uint32_t n, size_t *cap, size_t size)
{
    void *room = arena_push(p->arena, v, n, cap, 8, size);
    if (!room)
        p->rc = RC_NOMEM;
    return room;
}

uint32_t plan_note(struct planner *p, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    uint32_t at = map_get(&p->note_at, str_of(text));
    if (at != MAP_NONE)
        return at;
    struct str *v = plan_append(p, p->notes, p->nnotes, &p->cap_notes, sizeof *v);
    struct str kept = v ? arena_dup(p->arena, str_of(text)) : (struct str){0};
    if (!kept.p || map_put(&p->note_at, kept, p->nnotes)) {
        p->rc = RC_NOMEM;
        return NOTE_NONE;
    }
    p->notes = v;
    v[p->nnotes] = kept;
    return p->nnotes++;
}

uint32_t plan_table_find(const struct planner *p, struct str name)
{
    return map_get(&p->table_at, name);
}

struct path scope_path_one(struct planner *p, struct str name)
{
    struct str *member = plan_array(p, 1, sizeof *member);
    if (!member)
        return (struct path){0};
    *member = name;
    return (struct path){member, 1};
}

static struct name_node *node_kid(struct planner *p, struct name_node *at, struct str name)
{
    for (struct name_node *k = at->kids; k; k = k->next) {
        if (str_eq(k->name, name))
            return k;
    }
    struct name_node *k = plan_array(p, 1, sizeof *k);
    if (!k)
        return NULL;
    *k = (struct name_node){.name = name, .slot = SLOT_NONE, .next = at->kids};
    at->kids = k;
    return k;
}

/* Finds the open slot of a column that takes the attribute by its name, or MAP_NONE. */
static uint32_t open_match(struct scope *s, const struct path *path)
{
    struct arena *a = s->planner->arena;
    uint32_t slot = map_get(&s->shape->open, path_join(a, path));
    return slot != MAP_NONE ? slot : map_get(&s->shape->open, name_snake(a, path));
}

/* Finds or makes the node of an attribute. A column may have taken the attribute by its name
   before an extract, or a child that reads its parent, mentions it: both share the slot. */
static struct name_node *node_of(struct scope *s, const struct path *path)
{
    struct name_node *at = s->shape->names;
    uint32_t seen = 1; /* how many levels columns look into */
    for (uint32_t i = 0; at && i < path->n; i++) {
        at = node_kid(s->planner, at, path->members[i]);
        if (at && at->flatten)
            seen = i + 1 + at->flatten;
    }
    if (!at || at->slot != SLOT_NONE)
        return at;
    uint32_t open = path->n <= seen ? open_match(s, path) : MAP_NONE;
    at->slot = open != MAP_NONE ? open : s->shape->nslots++;
    at->consumed = at->consumed || open != MAP_NONE;
    return at;
}

static struct binding *bind(struct scope *s, const struct path *path)
{
    struct binding *b = plan_array(s->planner, 1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct binding){.path = *path, .slot = SLOT_NONE, .next = s->bindings};
    s->bindings = b;
    return b;
}

static struct binding *find_attribute(struct scope *s, const struct path *path)
{
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (!b->part && path_eq(&b->path, path))
            return b;
    }
    return NULL;
}

struct binding *scope_attribute(struct scope *s, const struct path *path, struct place at)
{
    struct binding *b = find_attribute(s, path);
    if (b) {
        watches_add(s, path, b->slot);
        return b;
    }
    if (path->n && str_starts(path->members[0], STR("^"))) {
        problems_add(s->planner->problems, at,
                     "\"%.*s\" belongs to the parent and can only be read",
                     STR_FMT(path->members[0]));
        return NULL;
    }
    struct name_node *node = node_of(s, path);
    b = node ? bind(s, path) : NULL;
    if (!b)
        return NULL;
    b->node = node;
    /* A name that was renamed or dropped stands for nothing from then on. */
    b->slot = node->gone ? s->shape->nslots++ : node->slot;
    if (node->gone)
        b->node = NULL;
    watches_add(s, path, b->slot);
    return b;
}

/* `^Name`: the parent's sources, imported into slots of the element. */
static struct sources import_parent(struct scope *s, const struct path *path, struct place at)
{
    struct sources none = {0};
    if (!s->parent) {
        problems_add(s->planner->problems, at,
                     "\"%.*s\" reads a parent, but this is not inside an explode\n"
                     "hint: leave out the ^",
                     STR_FMT(path->members[0]));
        return none;
    }
    struct path up = {plan_array(s->planner, path->n, sizeof *up.members), path->n};
    if (!up.members)
        return none;
    memcpy(up.members, path->members, path->n * sizeof *up.members);
    up.members[0] = str_from(path->members[0], 1);
    struct sources from = scope_find(s->parent, &up, at);
    struct sources to = {plan_array(s->planner, from.n, sizeof *to.slots), from.n,
                         from.nattributes};
    struct import *imports =
        plan_array(s->planner, s->shape->nimports + from.n, sizeof *imports);
    if (!to.slots || !imports)
        return none;
    if (s->shape->nimports)
        memcpy(imports, s->shape->imports, s->shape->nimports * sizeof *imports);
    for (uint32_t i = 0; i < from.n; i++) {
        to.slots[i] = s->shape->nslots++;
        imports[s->shape->nimports++] = (struct import){from.slots[i], to.slots[i]};
        watches_add(s, path, to.slots[i]);
    }
    s->shape->imports = imports;
    return to;
}

static uint32_t count_parts(const struct scope *s, const struct path *path)
{
    uint32_t n = 0;
    for (const struct binding *b = s->bindings; b; b = b->next)
        n += b->part && path_eq(&b->path, path);
    return n;
}

struct sources scope_find(struct scope *s, const struct path *path, struct place at)
{
    struct sources out = {0};
    if (path->n && str_starts(path->members[0], STR("^")))
        return import_parent(s, path, at);
    uint32_t parts = count_parts(s, path);
    struct binding *attribute = find_attribute(s, path);
    if (!attribute && parts == 0)
        attribute = scope_attribute(s, path, at);
    out.slots = plan_array(s->planner, parts + 1, sizeof *out.slots);
    if (!out.slots)
        return (struct sources){0};
    if (attribute)
        out.slots[out.n++] = attribute->slot;
    out.nattributes = out.n;
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->part && path_eq(&b->path, path))
            out.slots[out.n++] = b->slot;
    }
    for (uint32_t i = 0; i < out.n; i++)
        watches_add(s, path, out.slots[i]);
    return out;
}

void scope_mention(struct scope *s, const struct path *path, struct place at)
{
    bool parent = path->n && str_starts(path->members[0], STR("^"));
    bool dropped = s->shape->picked && count_parts(s, path) > 0;
    if (!parent && !dropped)
        (void)scope_attribute(s, path, at);
}

void scope_take(struct scope *s, const struct path *path, enum part_taken how)
{
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (b->part && b->taken < how && path_eq(&b->path, path))
            b->taken = how;
    }
}

void scope_mask(struct scope *s, const struct path *path)
{
    scope_take(s, path, PART_TAKEN);
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (!path_eq(&b->path, path))
            continue;
        b->masked = true;
        if (b->node)
            b->node->masked = true;
    }
}

uint32_t scope_bind_new(struct scope *s, const struct path *path, bool part, enum col_type type)
{
    struct binding *b = bind(s, path);
    if (!b)
        return 0;
    b->part = part;
    b->type = type;
    b->slot = s->shape->nslots++;
    return b->slot;
}

void scope_hide(struct scope *s, const struct path *path)
{
    for (struct binding **at = &s->bindings; *at;) {
        if (path_eq(&(*at)->path, path)) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
}

void scope_add_op(struct scope *s, const struct op *op)
{
    struct op *v = plan_append(s->planner, s->ops, s->nops, &s->cap_ops, sizeof *v);
    if (!v)
        return;
    s->ops = v;
    v[s->nops] = *op;
    v[s->nops].spec = s->stage;
    v[s->nops++].name = s->stage ? s->stage->stage->name : "keys";
}

void scope_add_child(struct scope *s, const struct explode *explode,
                     const struct child_table *child)
{
    size_t cap = s->cap_explodes;
    struct explode *v = plan_append(s->planner, s->explodes, s->nexplodes, &cap, sizeof *v);
    struct child_table *children =
        plan_append(s->planner, s->children, s->nexplodes, &s->cap_explodes, sizeof *children);
    if (!v || !children)
        return;
    s->explodes = v;
    s->children = children;
    v[s->nexplodes] = *explode;
    children[s->nexplodes++] = *child;
}

void scope_add_extract(struct scope *s, const struct extract_table *to,
                       struct extract_cells *cells)
{
    struct place at = s->stage->place;
    struct pending_extract *pending = plan_array(s->planner, 1, sizeof *pending);
    if (!pending)
        return;
    *pending = (struct pending_extract){
        .to = to, .place = at, .label = s->shape->label, .cells = cells};
    struct pending_extract **end = &s->planner->pending;
    while (*end)
        end = &(*end)->next;
    *end = pending;
    if (s->nextracted == sizeof s->extracted / sizeof s->extracted[0]) {
        problems_add(s->planner->problems, at, "too many extracts in one place");
    } else {
        s->extracted[s->nextracted++] = &cells->fills;
    }
}

void scope_declare(struct scope *s, const struct column_spec *column)
{
    for (uint32_t i = 0; i < s->columns.n; i++) {
        if (str_eq(s->columns.v[i].name, column->name))
            return;
    }
    struct column_spec *v = plan_array(s->planner, s->columns.n + 1, sizeof *v);
    if (!v)
        return;
    if (s->columns.n)
        memcpy(v, s->columns.v, s->columns.n * sizeof *v);
    v[s->columns.n] = *column;
    s->columns = (struct columns_spec){v, s->columns.n + 1};
}

uint32_t scope_open(struct scope *s, struct str name)
{
    uint32_t slot = map_get(&s->shape->open, name);
    if (slot != MAP_NONE)
        return slot;
    slot = s->shape->nslots++;
    if (map_put(&s->shape->open, name, slot))
        s->planner->rc = RC_NOMEM;
    return slot;
}
