/* SPDX-License-Identifier: MIT */
/*
 * Columns that a key or a reference names and that are not there. A mistake is told where it was
 * made, with the name that may be meant; what follows from it is not told.
 */
#include "pipeline/model/read/reader.h"
#include "pipeline/plan/plan_private.h"

bool build_missing_note(struct planner *p, uint32_t table, struct str name, bool key)
{
    bool known = false;
    for (const struct missing_name *m = p->missing; m; m = m->next)
        known = known || (m->table == table && str_eq(m->name, name));
    struct missing_name *m = plan_array(p, 1, sizeof *m);
    if (m) {
        *m = (struct missing_name){table, name, key, p->missing};
        p->missing = m;
    }
    return !known;
}

bool build_missing_key(const struct planner *p, uint32_t table)
{
    for (const struct missing_name *m = p->missing; m; m = m->next) {
        if (m->key && m->table == table)
            return true;
    }
    return false;
}

static uint32_t count_parts(const struct scope *s)
{
    uint32_t n = 0;
    for (const struct binding *b = s ? s->bindings : NULL; b; b = b->next)
        n += b->part && b->path.n == 1;
    return n;
}

const char *build_missing_near(struct planner *p, uint32_t table, const struct scope *s,
                               struct str name)
{
    const struct table *t = &p->tables[table];
    uint32_t n = 0;
    const char **v = plan_array(p, t->ncolumns + count_parts(s), sizeof *v);
    for (uint32_t i = 0; v && i < t->ncolumns; i++) {
        if (!t->columns[i].extra)
            v[n++] = arena_cstr(p->arena, t->columns[i].name);
    }
    for (const struct binding *b = v && s ? s->bindings : NULL; b; b = b->next) {
        if (b->part && b->path.n == 1)
            v[n++] = arena_cstr(p->arena, b->path.members[0]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!v[i]) {
            p->rc = RC_NOMEM;
            return NULL;
        }
    }
    return name_nearest(name, v, n);
}
