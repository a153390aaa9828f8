/* SPDX-License-Identifier: MIT */
/*
 * One run may read several tables or files. Each has a key: what the model says of it, what it knows
 * itself, or what the model says of all. The plan's own key is all of these together: none of their
 * attributes is left out for serving an index.
 */
#include "pipeline/model/read/reader.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/plan_private.h"

static bool is_called(struct str name, struct str stem, struct str wanted)
{
    return str_eq(name, wanted) || (stem.n && str_eq(stem, wanted));
}

/* What a run before left as it was may be of any source. */
static bool is_left(struct str name)
{
    return str_is(name, "rejects") || str_is(name, "unrouted");
}

static struct names key_of(const struct plan *plan, const struct plan_part *part, bool several)
{
    const struct model *m = plan->model;
    for (uint32_t i = 0; i < m->nsources; i++) {
        if (is_called(part->name, part->stem, m->sources[i].name))
            return m->sources[i].key;
    }
    return several && part->key.n ? part->key : plan->key;
}

static enum rc add_key(struct plan *plan, const struct names *key)
{
    struct str *v = arena_array(&plan->arena, plan->key.n + key->n + 1, sizeof *v);
    uint32_t n = 0;
    if (!v)
        return RC_NOMEM;
    for (uint32_t i = 0; i < plan->key.n; i++)
        v[n++] = plan->key.v[i];
    for (uint32_t k = 0; k < key->n; k++) {
        uint32_t i = 0;
        while (i < n && !str_eq(v[i], key->v[k]))
            i++;
        if (i == n)
            v[n++] = key->v[k];
    }
    plan->key = (struct names){v, n};
    return RC_OK;
}

/* An entity whose items nobody reads would have its tables emptied. */
static void check_entity(const struct plan *plan, const struct entity *e,
                         struct problems *problems)
{
    const char *names[32];
    size_t n = 0;
    for (uint32_t i = 0; i < plan->nsources; i++) {
        const struct plan_source *s = &plan->sources[i];
        if (is_called(s->name, s->stem, e->source) || is_left(s->name))
            return;
        if (n < 32)
            names[n++] = s->name.p;
    }
    const char *near = name_nearest(e->source, names, n);
    problems_add(problems, e->place,
                 "the items of \"%.*s\" are in \"%.*s\", which is not read\nhint: %s%s%s",
                 STR_FMT(e->name), STR_FMT(e->source),
                 near ? "did you mean \"" : "name it, too",
                 near ? near : ", or leave the entity out with --only", near ? "\"?" : "");
}

static void add_source(struct plan *plan, const struct plan_part *part, bool several)
{
    plan->sources[plan->nsources++] =
        (struct plan_source){part->name, part->stem, key_of(plan, part, several)};
}

/* Without a source at hand they are those that the model speaks of. */
static void add_named(struct plan *plan)
{
    const struct model *m = plan->model;
    for (uint32_t i = 0; i < m->nsources + m->nentities; i++) {
        bool entity = i >= m->nsources;
        struct str name = entity ? m->entities[i - m->nsources].source : m->sources[i].name;
        if (name.n && plan_source_of(plan, name, name) == SOURCE_ANY)
            add_source(plan, &(struct plan_part){.name = name}, true);
    }
}

enum rc plan_sources(struct plan *plan, const struct plan_options *opts)
{
    const struct model *m = plan->model;
    bool several = opts->nparts > 1;
    if (!several && !plan->placed && !m->nsources)
        return RC_OK;
    size_t most = opts->nparts + m->nsources + m->nentities;
    plan->sources = arena_array(&plan->arena, most, sizeof *plan->sources);
    if (!plan->sources)
        return RC_NOMEM;
    for (size_t i = 0; i < opts->nparts; i++)
        add_source(plan, &opts->parts[i], several);
    if (!opts->nparts)
        add_named(plan);
    if (opts->nparts == 1) {
        plan->key = plan->sources[0].key;
        return RC_OK;
    }
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < plan->nsources; i++)
        rc = add_key(plan, &plan->sources[i].key);
    return rc;
}

void plan_check_sources(const struct plan *plan, struct problems *problems)
{
    const struct model *m = plan->model;
    for (uint32_t i = 0; i < m->nentities; i++) {
        if (m->entities[i].source.n && plan->shapes[i])
            check_entity(plan, &m->entities[i], problems);
    }
}

uint32_t plan_source_of(const struct plan *p, struct str name, struct str stem)
{
    for (uint32_t i = 0; i < p->nsources; i++) {
        if (is_called(name, stem, p->sources[i].name))
            return is_left(name) ? SOURCE_ANY : i;
    }
    return SOURCE_ANY;
}

const struct names *plan_key_of(const struct plan *p, uint32_t source)
{
    return source < p->nsources ? &p->sources[source].key : &p->key;
}

const struct names *plan_key_for(const struct plan *p, const struct entity *e)
{
    for (uint32_t i = 0; e->source.n && i < p->nsources; i++) {
        if (is_called(p->sources[i].name, p->sources[i].stem, e->source))
            return &p->sources[i].key;
    }
    return &p->key;
}

uint32_t plan_place(const struct plan *p, const struct entity *e, uint32_t source)
{
    for (uint32_t i = 0; source == SOURCE_ANY && e->source.n && i < p->nsources; i++) {
        if (is_called(p->sources[i].name, p->sources[i].stem, e->source))
            return i;
    }
    return source;
}

bool plan_takes_from(const struct plan *p, const struct entity *e, uint32_t source)
{
    if (!e->source.n || source >= p->nsources)
        return true;
    return is_called(p->sources[source].name, p->sources[source].stem, e->source);
}
