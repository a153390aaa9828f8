/* SPDX-License-Identifier: MIT */
/*
 * What can be seen only once all is read: tables that are referred to must be made by somebody,
 * and no two tables may have names that PostgreSQL takes for one.
 */
#include "pipeline/base/map.h"
#include "pipeline/model/model_reader.h"

enum { NAME_MAX_BYTES = 63 };

struct tables {
    const char **names;
    uint32_t n, cap;
    struct map by_name; /* whole names and their first 63 bytes, to the index */
};

static uint32_t count_tables(const struct stages_spec *stages)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < stages->n; i++) {
        const struct stage_spec *s = &stages->v[i];
        n += s->kind == STAGE_EXTRACT || s->kind == STAGE_EXPLODE;
        if (s->kind == STAGE_EXPLODE && s->u.explode)
            n += count_tables(&s->u.explode->stages);
    }
    return n;
}

static void add_table(struct reader *r, struct tables *t, struct str name, struct place place)
{
    struct str cut = name;
    if (cut.n > NAME_MAX_BYTES)
        cut.n = NAME_MAX_BYTES;
    if (name.n == 0 || map_get(&t->by_name, name) != MAP_NONE)
        return;
    uint32_t before = map_get(&t->by_name, cut);
    if (before != MAP_NONE) {
        problems_add(r->problems, place,
                     "table %s is equal in its first 63 bytes to table %s\nhint: shorten one",
                     reader_show(r, name), reader_show(r, str_of(t->names[before])));
    }
    t->names[t->n] = name.p;
    if (map_put(&t->by_name, name, t->n) || map_put(&t->by_name, cut, t->n))
        r->nomem = true;
    t->n++;
}

static void add_made(struct reader *r, struct tables *t, const struct stages_spec *stages)
{
    for (uint32_t i = 0; i < stages->n; i++) {
        const struct stage_spec *s = &stages->v[i];
        if (s->kind == STAGE_EXTRACT && s->u.extract)
            add_table(r, t, s->u.extract->into, s->place);
        if (s->kind == STAGE_EXPLODE && s->u.explode) {
            add_table(r, t, s->u.explode->into, s->place);
            add_made(r, t, &s->u.explode->stages);
        }
    }
}

static void check_to(struct reader *r, const struct tables *t, const struct reference_spec *ref)
{
    if (ref->to.n == 0 || map_get(&t->by_name, ref->to) != MAP_NONE)
        return;
    const char *near = name_nearest(ref->to, t->names, t->n);
    problems_add(r->problems, ref->place, "no entity or stage makes a table %s\nhint: %s%s%s",
                 reader_show(r, ref->to), near ? "did you mean \"" : "name one that \"table\"",
                 near ? near : "", near ? "\"?" : " or \"into\" names");
}

static void check_links(struct reader *r, const struct tables *t,
                        const struct stages_spec *stages)
{
    for (uint32_t i = 0; i < stages->n; i++) {
        const struct stage_spec *s = &stages->v[i];
        for (uint32_t k = 0; s->kind == STAGE_LINK && k < s->u.link.n; k++)
            check_to(r, t, &s->u.link.v[k]);
        if (s->kind == STAGE_EXPLODE && s->u.explode)
            check_links(r, t, &s->u.explode->stages);
    }
}

void reader_check(struct reader *r)
{
    const struct model *m = r->m;
    struct tables t = {0};
    for (uint32_t i = 0; i < m->nentities; i++)
        t.cap += 1 + count_tables(&m->entities[i].stages);
    map_init(&t.by_name);
    t.names = reader_array(r, t.cap, sizeof *t.names);
    for (uint32_t i = 0; t.names && i < m->nentities; i++) {
        add_table(r, &t, m->entities[i].table, m->entities[i].place);
        add_made(r, &t, &m->entities[i].stages);
    }
    for (uint32_t i = 0; t.names && i < m->nentities; i++) {
        const struct entity *e = &m->entities[i];
        for (uint32_t k = 0; k < e->nreferences; k++)
            check_to(r, &t, &e->references[k]);
        check_links(r, &t, &e->stages);
    }
    map_release(&t.by_name);
}
