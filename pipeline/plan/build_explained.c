/* SPDX-License-Identifier: MIT */
/*
 * An attribute is explained if a key template matched it and every part of it is taken: the template
 * prints it back, so nothing is lost without it. With several forms of keys that can differ from
 * item to item. Of all others the table's key attributes are kept like any attribute. That must
 * not undo a mask.
 */
#include "pipeline/plan/plan_private.h"

static uint32_t count_taken(const struct templated *t, enum part_taken how)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++)
        n += t->parts[i]->taken == how;
    return n;
}

static bool is_table_key(const struct scope *s, struct str name)
{
    for (uint32_t i = 0; s->entity && i < s->planner->key->n; i++) {
        if (str_eq(s->planner->key->v[i], name))
            return true;
    }
    return false;
}

/* Adds a way in which the attribute is explained in some items. */
static void add_way(struct scope *s, const struct templated *t)
{
    struct planner *p = s->planner;
    const struct explanations *before = t->node->explained;
    uint32_t n = before ? before->n : 0;
    struct explanations *all = plan_array(p, 1, sizeof *all);
    struct explanation *v = plan_array(p, n + 1, sizeof *v);
    uint32_t *extracted = plan_array(p, t->n, sizeof *extracted);
    if (!all || !v || !extracted)
        return;
    if (n)
        memcpy(v, before->v, n * sizeof *v);
    v[n] = (struct explanation){.matched = t->matched, .extracted = extracted};
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->parts[i]->taken == PART_EXTRACTED)
            extracted[v[n].n++] = t->parts[i]->slot;
    }
    s->shape->formed |= t->matched != SLOT_NONE;
    *all = (struct explanations){v, n + 1};
    t->node->explained = all;
}

/* Is the attribute explained whichever form of these keys an item has? */
static bool in_all_forms(const struct scope *s, const struct templated *of)
{
    uint32_t n = 0;
    for (const struct templated *t = s->templated; t; t = t->next) {
        n += t->keys == of->keys && t->node == of->node && !count_taken(t, PART_LEFT) &&
             !count_taken(t, PART_EXTRACTED);
    }
    return n == of->keys->nforms;
}

static void explain(struct scope *s)
{
    for (const struct templated *t = s->templated; t; t = t->next) {
        bool by_column = t->node && t->node->consumed && !t->node->by_template;
        if (!t->node || by_column || count_taken(t, PART_LEFT))
            continue;
        bool always = in_all_forms(s, t);
        if (always) {
            t->node->explained = NULL;
        } else if (!t->node->consumed || t->node->explained) {
            add_way(s, t);
        }
        t->node->consumed = t->node->by_template = true;
        t->node->by_parts = !is_table_key(s, t->attribute); /* those are never NULL */
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
        return !node->dropped && !node->masked && (!node->consumed || node->explained);
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

/* Is it explained in all items of which copies are made? */
static bool by_extracts(const struct scope *s, const struct name_node *node)
{
    uint32_t n = 0, forms = 0;
    for (const struct templated *t = s->templated; t; t = t->next) {
        if (t->node != node)
            continue;
        n += !count_taken(t, PART_LEFT);
        forms = t->keys->nforms;
    }
    return n > 0 && n >= forms;
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
        if (is_rest(s, key->v[i], node) && !(node && by_extracts(s, node)))
            out->v[out->n++] = key->v[i];
    }
}

void build_explained(struct scope *s)
{
    explain(s);
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
