/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/entities.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/attribute_split.h"
#include "pipeline/infer/entities/likeness.h"
#include "pipeline/infer/entities/type_attribute.h"
#include "pipeline/infer/tables/templates.h"

enum { SAME_MAX = 3000 };

static const double ALIKE = 0.6;

/* Which shape leads to which entity, while they are made. */
struct assignment {
    struct infer_shapes shapes;
    uint32_t *group;      /* by shape: the first shape that is the same entity */
    uint32_t *type;       /* by item: the number of its type, 0: none */
    uint32_t *shape_type; /* by shape: the type of most of its items, 0: none */
};

static struct infer_entity *add_entity(struct infer_design *d)
{
    struct infer_entity *e = infer_new(d, 1, sizeof *e);
    d->entities = infer_push(d, d->entities, d->nentities, &d->capentities, sizeof(void *));
    if (!e || !d->entities)
        return NULL;
    d->entities[d->nentities++] = e;
    return e;
}

static void add_item(struct infer_design *d, struct infer_entity *e, uint32_t item, size_t *cap)
{
    e->items = infer_push(d, e->items, e->n, cap, sizeof *e->items);
    if (e->items)
        e->items[e->n++] = item;
}

/* The constants of a shape, and how its keys go on behind the last of them. */
static void print_constants(const struct infer_design *d, const struct infer_shape *s,
                            struct buf *out)
{
    for (uint32_t k = 0; k < d->nkey; k++) {
        uint32_t end = s->n[k];
        while (end > 0 && !s->v[k][end - 1].literal.p)
            end--;
        buf_addf(out, "%u:", end < s->n[k]);
        for (uint32_t i = 0; i < end; i++) {
            buf_add_str(out, s->v[k][i].literal.p ? s->v[k][i].literal : STR("\x01"));
            buf_putc(out, '\x02');
        }
    }
}

/* Shapes that differ in the number of their last parts alone are one. */
static void group_shapes(struct infer_design *d, struct assignment *a)
{
    struct infer_likeness *p = infer_new(d, a->shapes.n + 1, sizeof *p);
    uint32_t *constants = infer_new(d, a->shapes.n + 1, sizeof *constants);
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    for (uint32_t i = 0; p && constants && i < a->shapes.n; i++) {
        struct infer_shape *s = &a->shapes.v[i];
        buf_clear(&text);
        print_constants(d, s, &text);
        struct str kept = arena_dup(&d->arena, buf_view(&text));
        d->failed = d->failed || !kept.p;
        constants[i] = infer_text(d, kept);
        a->group[i] = i;
        if (i >= SAME_MAX)
            continue;
        p[i] = likeness_of(d, s->items, s->nitems);
        for (uint32_t k = 0; k < i && a->group[i] == i; k++) {
            if (constants[k] == constants[i] &&
                (likeness_alike(&p[k], &p[i]) >= ALIKE || likeness_fits(&p[k], &p[i])))
                a->group[i] = a->group[k];
        }
    }
    buf_release(&text);
}

static void read_types(struct infer_design *d, struct assignment *a)
{
    for (uint32_t i = 0; i < d->nitems; i++) {
        const struct val *v = d->type.n ? item_get(&d->items[i], d->type) : NULL;
        a->type[i] = v && v->kind == VAL_S ? infer_text(d, v->u.s) : 0;
    }
    for (uint32_t s = 0; s < a->shapes.n; s++) {
        const struct infer_shape *shape = &a->shapes.v[s];
        uint32_t best = 0;
        uint32_t *v = malloc((shape->nitems + 1) * sizeof *v);
        d->failed = d->failed || !v;
        uint32_t n = 0;
        for (uint32_t i = 0; v && i < shape->nitems; i++) {
            if (a->type[shape->items[i]])
                v[n++] = a->type[shape->items[i]];
        }
        if (v)
            qsort(v, n, sizeof *v, infer_compare_numbers);
        for (uint32_t i = 0; i < n;) {
            uint32_t end = i;
            while (end < n && v[end] == v[i])
                end++;
            if (end - i > best) {
                best = end - i;
                a->shape_type[s] = v[i];
            }
            i = end;
        }
        free(v);
    }
}

/* One entity for each type, and for each group of shapes without one. */
static void assign(struct infer_design *d, struct assignment *a)
{
    uint32_t *of_type = infer_new(d, d->texts.n + 2, sizeof *of_type);
    uint32_t *of_group = infer_new(d, a->shapes.n + 1, sizeof *of_group);
    size_t *caps = infer_new(d, a->shapes.n + (size_t)d->nitems + 2, sizeof *caps);
    for (uint32_t s = 0; of_type && of_group && caps && s < a->shapes.n; s++) {
        const struct infer_shape *shape = &a->shapes.v[s];
        for (uint32_t i = 0; i < shape->nitems && !d->failed; i++) {
            uint32_t item = shape->items[i];
            uint32_t type = a->type[item] ? a->type[item] : a->shape_type[s];
            uint32_t *at = type ? &of_type[type] : &of_group[a->group[s]];
            if (!*at) {
                struct infer_entity *e = add_entity(d);
                if (!e)
                    return;
                *at = (uint32_t)d->nentities;
                e->type = type ? d->texts.v[type - 1] : (struct str){0};
            }
            struct infer_entity *e = d->entities[*at - 1];
            add_item(d, e, item, &caps[*at - 1]);
            e->untyped += !a->type[item];
        }
    }
}

static void make_forms(struct infer_design *d, struct infer_entity *e)
{
    struct infer_shapes shapes;
    qsort(e->items, e->n, sizeof *e->items, infer_compare_numbers);
    uint32_t *items = infer_new(d, e->n + 1, sizeof *items);
    if (!items)
        return;
    memcpy(items, e->items, e->n * sizeof *items);
    shapes_find(d, items, e->n, e->type.p != NULL, &shapes);
    templates_forms(d, e, &shapes);
}

/* The first item decides the order: the same whatever the threads did. */
static int compare_entities(const void *a, const void *b)
{
    const struct infer_entity *x = *(struct infer_entity *const *)a;
    const struct infer_entity *y = *(struct infer_entity *const *)b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return (x->items[0] > y->items[0]) - (x->items[0] < y->items[0]);
}

void entities_find(struct infer_design *d)
{
    struct assignment a = {0};
    uint32_t *all = infer_new(d, (size_t)d->nitems + 1, sizeof *all);
    for (uint32_t i = 0; all && i < d->nitems; i++)
        all[i] = i;
    if (!all)
        return;
    shapes_find(d, all, d->nitems, false, &a.shapes);
    if (!d->failed)
        type_attribute_find(d, &a.shapes);
    a.group = infer_new(d, a.shapes.n + 1, sizeof *a.group);
    a.type = infer_new(d, (size_t)d->nitems + 1, sizeof *a.type);
    a.shape_type = infer_new(d, a.shapes.n + 1, sizeof *a.shape_type);
    if (d->failed)
        return;
    group_shapes(d, &a);
    read_types(d, &a);
    assign(d, &a);
    size_t n = d->nentities;
    for (size_t i = 0; i < n && !d->failed; i++) {
        qsort(d->entities[i]->items, d->entities[i]->n, sizeof *all, infer_compare_numbers);
        if (!d->entities[i]->type.p)
            attribute_split(d, d->entities[i]);
    }
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        make_forms(d, d->entities[i]);
    if (!d->failed && d->nentities)
        qsort(d->entities, d->nentities, sizeof(void *), compare_entities);
}
