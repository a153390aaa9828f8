/* SPDX-License-Identifier: MIT */
/*
 * An attribute is explained if a key template matched it and every part of it is taken: the template
 * prints it back, so nothing is lost without it. Of all others the table's key attributes are kept
 * like any attribute. That must not undo a mask.
 */
#include "pipeline/plan/plan_private.h"

static uint32_t count_taken(const struct templated *t, enum part_taken how)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++)
        n += t->parts[i]->taken == how;
    return n;
}

/* Some part is taken by extracts alone, so whether it is taken is known only when an item was. */
static const struct part_slots *depends_on(struct scope *s, const struct templated *t)
{
    struct part_slots *parts = plan_array(s->planner, 1, sizeof *parts);
    uint32_t *v = plan_array(s->planner, t->n, sizeof *v);
    if (!parts || !v)
        return NULL;
    *parts = (struct part_slots){.v = v};
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->parts[i]->taken == PART_EXTRACTED)
            v[parts->n++] = t->parts[i]->slot;
    }
    return parts;
}

static bool is_table_key(const struct scope *s, struct str name)
{
    for (uint32_t i = 0; s->entity && i < s->planner->key->n; i++) {
        if (str_eq(s->planner->key->v[i], name))
            return true;
    }
    return false;
}

static void explain(struct scope *s, bool by_extracts)
{
    for (const struct templated *t = s->templated; t; t = t->next) {
        bool extracted = count_taken(t, PART_EXTRACTED) > 0;
        if (!t->node || t->node->consumed || count_taken(t, PART_LEFT) ||
            extracted != by_extracts)
            continue;
        t->node->consumed = true;
        t->node->by_parts = !is_table_key(s, t->attribute); /* those are never NULL */
        if (extracted)
            t->node->parts = depends_on(s, t);
    }
}

/* Does the rest have what the item has under that name? */
static bool is_rest(const struct scope *s, struct str name, const struct name_node *node)
{
    const struct shape *shape = s->shape;
    if (shape->picked && !node)
        return false;
    for (uint32_t i = 0; i < shape->strips.n; i++) {
        if (str_glob(name, shape->strips.v[i]))
            return false;
    }
    if (node)
        return !node->dropped && !node->masked && (!node->consumed || node->parts);
    struct str snake = name_snake(s->planner->arena, &(struct path){&name, 1});
    return map_get(&shape->open, name) == MAP_NONE && map_get(&shape->open, snake) == MAP_NONE;
}

/* Would the rest show it? */
static bool is_kept(const struct scope *s, struct str name, const struct name_node *node)
{
    bool shown = s->shape->rest == REST_EXTRA || s->shape->rest_column != SLOT_NONE;
    return shown && is_rest(s, name, node);
}

static const struct name_node *find_node(const struct scope *s, struct str name)
{
    for (const struct name_node *k = s->shape->names->kids; k; k = k->next) {
        if (str_eq(k->name, name))
            return k;
    }
    return NULL;
}

static void check_key(struct scope *s, struct str name)
{
    if (!is_kept(s, name, find_node(s, name)))
        return;
    problems_add(
        s->planner->problems, s->entity->place,
        "entity \"%.*s\" masks values, and would keep its key attribute \"%.*s\" as it "
        "is in \"extra\"\n"
        "hint: name it, or all parts of its template, in columns, \"mask\" or \"drop\"",
        STR_FMT(s->entity->name), STR_FMT(name));
}

static bool is_indexed(const struct scope *s, struct str name)
{
    for (uint32_t i = 0; s->shape->strip && i < s->shape->strip->n; i++) {
        if (str_glob(name, s->shape->strip->v[i]))
            return true;
    }
    return false;
}

static void check_template(struct scope *s, const struct templated *t)
{
    bool masked = false;
    for (uint32_t i = 0; i < t->n; i++)
        masked |= t->parts[i]->masked;
    if (!masked || !t->node || is_table_key(s, t->attribute) || is_indexed(s, t->attribute) ||
        !is_kept(s, t->attribute, t->node))
        return;
    problems_add(s->planner->problems, t->place,
                 "\"%.*s\" masks a part of \"%.*s\", and would keep \"%.*s\" as it is in "
                 "\"extra\"\n"
                 "hint: name all its parts in columns, \"mask\" or \"drop\"",
                 STR_FMT(s->shape->label), STR_FMT(t->attribute), STR_FMT(t->attribute));
}

/* Finds the table's key attributes that nothing explains, for check to tell. */
static void find_unexplained(struct scope *s)
{
    const struct names *key = s->planner->key;
    struct names *out = &s->shape->unexplained;
    bool drops = s->shape->rest == REST_DROP && s->shape->rest_column == SLOT_NONE;
    out->v = drops ? NULL : plan_array(s->planner, key->n, sizeof *out->v);
    for (uint32_t i = 0; out->v && i < key->n; i++) {
        const struct name_node *node = find_node(s, key->v[i]);
        if (is_rest(s, key->v[i], node) && !(node && node->parts))
            out->v[out->n++] = key->v[i];
    }
}

void build_explained(struct scope *s)
{
    explain(s, false);
    explain(s, true);
    if (s->entity)
        find_unexplained(s);
    if (!s->shape->masks)
        return;
    for (uint32_t i = 0; s->entity && i < s->planner->key->n; i++)
        check_key(s, s->planner->key->v[i]);
    for (const struct templated *t = s->templated; t; t = t->next)
        check_template(s, t);
}

void build_index_notes(struct planner *p, struct shape *shape)
{
    bool keeps = shape->rest != REST_DROP || shape->rest_column != SLOT_NONE;
    if (!keeps || !shape->strip || shape->strip->n == 0)
        return;
    shape->note_indexed =
        plan_note(p, "index attributes left out: %.*s", STR_FMT(shape->label));
    /* What mask has hidden in a row is not found there, so it is not looked for either. */
    if (!shape->masks)
        shape->note_unsaid = plan_note(p, "of these in no column: %.*s", STR_FMT(shape->label));
}
