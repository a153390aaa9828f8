/* SPDX-License-Identifier: MIT */
/*
 * What can be seen only once all is read: entities must be known by something, tables that are
 * referred to must be made by somebody, and no two tables may have names that PostgreSQL takes
 * for one. The model is walked three times: to count the tables, to note their names, and to
 * look up those that are referred to.
 */
#include "pipeline/base/map.h"
#include "pipeline/model/read/reader.h"

enum { NAME_MAX_BYTES = 63 };

enum walk { WALK_COUNT, WALK_NOTE, WALK_LOOK_UP };

struct read_tables {
    struct model_reader *r;
    enum walk walk;
    const char **names;
    uint32_t n, cap;
    struct map by_name; /* whole names and their first 63 bytes, to the index */
};

static void note_table(struct read_tables *t, struct str name, struct place place)
{
    struct model_reader *r = t->r;
    struct str cut = name;
    if (cut.n > NAME_MAX_BYTES)
        cut.n = NAME_MAX_BYTES;
    if (name.n == 0 || map_get(&t->by_name, name) != MAP_NONE)
        return;
    uint32_t before = map_get(&t->by_name, cut);
    if (before != MAP_NONE) {
        problems_add(r->problems, place,
                     "table %s is equal in its first 63 bytes to table %s\nhint: shorten one",
                     read_show(r, name), read_show(r, str_of(t->names[before])));
    }
    t->names[t->n] = name.p;
    if (map_put(&t->by_name, name, t->n) || map_put(&t->by_name, cut, t->n))
        r->nomem = true;
    t->n++;
}

void read_table_made(struct read_tables *t, struct str name, struct place at)
{
    if (t->walk == WALK_COUNT)
        t->cap++;
    if (t->walk == WALK_NOTE)
        note_table(t, name, at);
}

void read_table_named(struct read_tables *t, const struct reference_spec *ref)
{
    if (t->walk != WALK_LOOK_UP || ref->to.n == 0 || map_get(&t->by_name, ref->to) != MAP_NONE)
        return;
    const char *near = name_nearest(ref->to, t->names, t->n);
    problems_add(t->r->problems, ref->place,
                 "no entity or stage makes a table %s\nhint: %s%s%s", read_show(t->r, ref->to),
                 near ? "did you mean \"" : "name one that \"table\"", near ? near : "",
                 near ? "\"?" : " or \"into\" names");
}

void read_tables_of(struct read_tables *t, const struct stages_spec *stages)
{
    for (uint32_t i = 0; i < stages->n; i++) {
        const struct stage_spec *s = &stages->v[i];
        if (s->spec && s->stage && s->stage->tables)
            s->stage->tables(s, t);
    }
}

static void walk(struct read_tables *t, enum walk how)
{
    const struct model *m = t->r->m;
    t->walk = how;
    for (uint32_t i = 0; i < m->nentities; i++) {
        const struct entity *e = &m->entities[i];
        read_table_made(t, e->table, e->place);
        for (uint32_t k = 0; k < e->references.n; k++)
            read_table_named(t, &e->references.v[k]);
        read_tables_of(t, &e->stages);
    }
}

/* Without a type attribute an entity is known by its condition or its keys. */
static void check_route(struct model_reader *r, const struct entity *e)
{
    if (e->broken)
        return;
    if (e->types.n) {
        problems_add(r->problems, e->place,
                     "entity %s has \"types\", but \"type\" is null: there is no type attribute"
                     "\nhint: leave \"types\" out, or name the attribute under \"source\"",
                     read_show(r, e->name));
    }
    if (!e->when && e->keys.n == 0) {
        problems_add(
            r->problems, e->place,
            "nothing recognises entity %s: \"type\" is null, and it has neither \"when\" "
            "nor \"keys\"\nhint: give it one of them",
            read_show(r, e->name));
    }
}

void read_check(struct model_reader *r)
{
    for (uint32_t i = 0; r->m->type.n == 0 && i < r->m->nentities; i++)
        check_route(r, &r->m->entities[i]);
    struct read_tables t = {.r = r};
    map_init(&t.by_name);
    walk(&t, WALK_COUNT);
    t.names = read_array(r, t.cap, sizeof *t.names);
    if (t.names) {
        walk(&t, WALK_NOTE);
        walk(&t, WALK_LOOK_UP);
    }
    map_release(&t.by_name);
}
