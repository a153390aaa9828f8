/* SPDX-License-Identifier: MIT */
/*
 * An item passes if its type is known, or a `when` may hold, or it has no type and there are
 * entities found by their keys alone. A pattern becomes its fixed beginning, which lets too
 * much pass; below a `not` that would let too little pass, so a pattern there makes the
 * condition one that the service cannot test. Filter stages become part of the expression if
 * they are the first of their entity and read attributes, not parts of keys. An entity that
 * takes every item is what its filters keep; without any, nothing can be left with the service.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
#include "pipeline/plan/pushdown.h"

#include "pipeline/base/json.h"

enum { MAX_EXPRESSION = 4096, MAX_IN = 99, MAX_TERMS = 250, MAX_MAP = 1 << 20 };

void pushdown_init(struct pushdown *p)
{
    *p = (struct pushdown){0};
    buf_init(&p->projection, MAX_MAP);
    buf_init(&p->filter, MAX_MAP);
    buf_init(&p->names, MAX_MAP);
    buf_init(&p->values, MAX_MAP);
}

void pushdown_release(struct pushdown *p)
{
    buf_release(&p->projection);
    buf_release(&p->filter);
    buf_release(&p->names);
    buf_release(&p->values);
}

/* Writes an alias. A name that is mentioned twice gets two. */
static void alias(struct pushdown *p, struct buf *to, struct str name)
{
    buf_addf(&p->names, "%s\"#n%u\":", p->nnames ? "," : "", p->nnames);
    json_add_string(&p->names, name);
    buf_addf(to, "#n%u", p->nnames++);
}

static void value(struct pushdown *p, struct buf *to, const struct val *v)
{
    buf_addf(&p->values, "%s\":v%u\":", p->nvalues ? "," : "", p->nvalues);
    buf_addf(to, ":v%u", p->nvalues++);
    if (v->kind == VAL_S || v->kind == VAL_N) {
        buf_puts(&p->values, v->kind == VAL_S ? "{\"S\":" : "{\"N\":");
        json_add_string(&p->values, v->u.s);
        buf_putc(&p->values, '}');
    } else if (v->kind == VAL_BOOL) {
        buf_addf(&p->values, "{\"BOOL\":%s}", v->u.boolean ? "true" : "false");
    } else {
        buf_puts(&p->values, "{\"NULL\":true}");
    }
}

static void text_value(struct pushdown *p, struct buf *to, struct str text)
{
    value(p, to, &(struct val){.kind = VAL_S, .u.s = text});
}

static bool held(const struct pushdown *p, struct str name)
{
    return !p->holds || p->holds(p->ctx, name);
}

/* ---- conditions ---------------------------------------------------------------------------- */

static void path(struct pushdown *p, struct buf *to, const struct path *path)
{
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            buf_putc(to, '.');
        alias(p, to, path->members[i]);
    }
}

static bool pattern(struct pushdown *p, const struct cond *c, bool below_not)
{
    struct str s = c->value.u.s;
    size_t n = 0;
    while (n < s.n && !strchr("*?\\", s.p[n]))
        n++;
    bool exact = n + 1 == s.n && s.p[n] == '*';
    if (n == 0 || (below_not && !exact))
        return false;
    buf_puts(&p->filter, "begins_with(");
    path(p, &p->filter, &c->path);
    buf_putc(&p->filter, ',');
    text_value(p, &p->filter, str_make(s.p, n));
    buf_putc(&p->filter, ')');
    return true;
}

static bool one_test(struct pushdown *p, const struct cond *c, bool below_not)
{
    static const char *const OPS[] = {
        [COND_EQ] = "=", [COND_LT] = "<", [COND_LE] = "<=", [COND_GT] = ">", [COND_GE] = ">="};
    bool in_order = c->value.kind == VAL_S || c->value.kind == VAL_N;
    if (!held(p, c->path.members[0]))
        return false;
    if (c->op == COND_GLOB)
        return pattern(p, c, below_not);
    if (c->op >= COND_LT && !in_order)
        return false; /* such a test is never true here, and the service calls it a mistake */
    if (c->op == COND_EXISTS || c->op == COND_MISSING) {
        buf_puts(&p->filter,
                 c->op == COND_EXISTS ? "attribute_exists(" : "attribute_not_exists(");
        path(p, &p->filter, &c->path);
        buf_putc(&p->filter, ')');
        return true;
    }
    path(p, &p->filter, &c->path);
    buf_addf(&p->filter, " %s ", OPS[c->op]);
    value(p, &p->filter, &c->value);
    return true;
}

/* A group of one condition means that condition. */
static const struct cond *unwrap(const struct cond *c)
{
    while ((c->op == COND_ALL || c->op == COND_ANY) && c->nkids == 1)
        c = c->kids;
    return c;
}

static bool condition(struct pushdown *p, const struct cond *from, bool below_not);

/* The service refuses brackets around brackets. */
static bool bracketed(struct pushdown *p, const struct cond *from, bool below_not)
{
    const struct cond *c = unwrap(from);
    if (c->op == COND_ALL || c->op == COND_ANY)
        return condition(p, c, below_not);
    buf_putc(&p->filter, '(');
    bool said = condition(p, c, below_not);
    buf_putc(&p->filter, ')');
    return said;
}

static bool condition(struct pushdown *p, const struct cond *from, bool below_not)
{
    const struct cond *c = unwrap(from);
    if (c->op == COND_NOT) {
        buf_puts(&p->filter, "NOT ");
        return bracketed(p, c->kids, true);
    }
    if (c->op != COND_ALL && c->op != COND_ANY)
        return one_test(p, c, below_not);
    bool said = c->nkids > 0;
    buf_putc(&p->filter, '(');
    for (uint32_t i = 0; i < c->nkids && said; i++) {
        if (i)
            buf_puts(&p->filter, c->op == COND_ALL ? " AND " : " OR ");
        said = condition(p, &c->kids[i], below_not);
    }
    buf_putc(&p->filter, ')');
    return said;
}

/* ---- the filter ---------------------------------------------------------------------------- */

static void or_else(struct pushdown *p)
{
    if (p->filter.len)
        buf_puts(&p->filter, " OR ");
}

static bool is_part(const struct entity *e, struct str name)
{
    for (uint32_t i = 0; i < e->keys.n; i++) {
        const struct template *t = &e->keys.v[i].tpl;
        for (uint32_t k = 0; k < t->n; k++) {
            if (!t->pieces[k].literal && str_eq(t->pieces[k].text, name))
                return true;
        }
    }
    return false;
}

static bool on_attributes(const struct entity *e, const struct cond *c)
{
    bool ok = c->path.n == 0 || !is_part(e, c->path.members[0]);
    for (uint32_t i = 0; ok && i < c->nkids; i++)
        ok = on_attributes(e, &c->kids[i]);
    return ok;
}

/* Takes back what was written since `before`. */
static void retract(struct pushdown *p, const struct pushdown *before)
{
    p->filter.len = before->filter.len;
    p->projection.len = before->projection.len;
    p->names.len = before->names.len;
    p->values.len = before->values.len;
    p->nnames = before->nnames;
    p->nvalues = before->nvalues;
}

/* True for `when: {}`. */
static bool takes_all(const struct entity *e)
{
    const struct cond *c = e->when ? unwrap(e->when) : NULL;
    return c && c->op == COND_ALL && c->nkids == 0;
}

/* Writes the filter stages that the entity begins with, behind what it takes. One that the
   service cannot test is left out, so more items pass. True if any was written. */
static bool filter_stages(struct pushdown *p, const struct entity *e)
{
    bool any = false;
    for (uint32_t i = 0; i < e->stages.n && e->stages.v[i].stage->condition; i++) {
        const struct stage_spec *s = &e->stages.v[i];
        bool drop = false;
        const struct cond *c = s->stage->condition(s->spec, &drop);
        struct pushdown before = *p;
        if (!on_attributes(e, c))
            continue;
        buf_puts(&p->filter, any || !takes_all(e) ? " AND " : "");
        buf_puts(&p->filter, drop ? "NOT " : "");
        if (drop ? bracketed(p, c, true) : condition(p, c, false)) {
            any = true;
        } else {
            retract(p, &before);
        }
    }
    return any;
}

/* Does the entity begin with a filter that the service can test? Then it is written apart from
   the list of all types. */
static bool is_apart(struct pushdown *p, const struct entity *e)
{
    struct pushdown before = *p;
    bool any = filter_stages(p, e);
    retract(p, &before);
    return any;
}

/*
 * Writes that the type is one of those of an entity, or (only: MAP_NONE) of all entities that
 * are not written apart. A list is as long as the service allows, which counts the attribute,
 * too. False: there is no such type.
 */
static bool types(struct pushdown *p, const struct plan *plan, uint32_t only, bool stages)
{
    uint32_t n = 0;
    for (size_t i = 0; i < plan->types.cap; i++) {
        const struct map_entry *e = &plan->types.entries[i];
        if (!e->used || (only != MAP_NONE && e->value != only))
            continue;
        if (only == MAP_NONE && stages && is_apart(p, &plan->model->entities[e->value]))
            continue;
        if (n % MAX_IN == 0) {
            buf_puts(&p->filter, n ? ") OR " : "");
            alias(p, &p->filter, plan->type);
            buf_puts(&p->filter, " IN (");
        } else {
            buf_putc(&p->filter, ',');
        }
        text_value(p, &p->filter, e->key);
        n++;
    }
    if (n)
        buf_putc(&p->filter, ')');
    return n > 0;
}

static void untyped(struct pushdown *p, const struct plan *plan)
{
    or_else(p);
    buf_puts(&p->filter, "attribute_not_exists(");
    alias(p, &p->filter, plan->type);
    buf_puts(&p->filter, ") OR NOT attribute_type(");
    alias(p, &p->filter, plan->type);
    buf_putc(&p->filter, ',');
    text_value(p, &p->filter, STR("S"));
    buf_putc(&p->filter, ')');
}

/* Writes what the filters of an entity keep that takes every item. AND binds before OR, so there
   are no brackets, which the service would refuse around others. */
static bool every_item(struct pushdown *p, const struct entity *e, bool apart)
{
    if (!apart)
        return false;
    or_else(p);
    p->staged |= filter_stages(p, e);
    return true;
}

/* Writes what an entity takes, and (stages) its filters. False: the service cannot test it. */
static bool one_entity(struct pushdown *p, const struct plan *plan, uint32_t index, bool stages)
{
    const struct entity *e = &plan->model->entities[index];
    struct pushdown before = *p;
    bool apart = stages && is_apart(p, e);
    bool many = !e->when && e->types.n >= MAX_IN;
    if (!e->when && !apart)
        return true; /* its types are in the list of all types */
    if (takes_all(e))
        return every_item(p, e, apart);
    or_else(p);
    buf_puts(&p->filter, !apart ? "" : many ? "((" : "(");
    bool said = e->when ? condition(p, e->when, false) : types(p, plan, index, stages);
    if (!said) {
        retract(p, &before);
        return !e->when; /* other entities have its types, so no item comes to it by type */
    }
    if (apart) {
        buf_puts(&p->filter, many ? ")" : "");
        p->staged |= filter_stages(p, e);
        buf_putc(&p->filter, ')');
    }
    return true;
}

static bool entities(struct pushdown *p, const struct plan *plan, bool stages)
{
    const struct model *m = plan->model;
    bool by_keys = false, by_type = false;
    for (uint32_t i = 0; i < m->nentities; i++)
        by_type |= !m->entities[i].when;
    if (by_type && (!plan->type.n || !held(p, plan->type)))
        return false;
    if (by_type)
        (void)types(p, plan, MAP_NONE, stages);
    for (uint32_t i = 0; i < m->nentities; i++) {
        by_keys |= !m->entities[i].when && m->entities[i].keys.n > 0;
        if (!one_entity(p, plan, i, stages))
            return false;
    }
    if (by_keys)
        untyped(p, plan);
    return p->filter.len > 0;
}

static enum rc check(struct pushdown *p, struct err *err)
{
    enum rc rc = buf_check(&p->names, err);
    if (!rc)
        rc = buf_check(&p->values, err);
    if (!rc)
        rc = buf_check(&p->filter, err);
    return rc ? rc : buf_check(&p->projection, err);
}

static bool say_filter(struct pushdown *p, const struct plan *plan, bool stages)
{
    struct pushdown before = *p;
    bool said = entities(p, plan, stages);
    if (said && p->filter.len <= MAX_EXPRESSION && p->nvalues - before.nvalues <= MAX_TERMS)
        return true;
    retract(p, &before);
    p->staged = false;
    return false;
}

enum rc pushdown_filter(struct pushdown *p, const struct plan *plan, struct err *err)
{
    if (!say_filter(p, plan, true))
        (void)say_filter(p, plan, false);
    return check(p, err);
}

static void project(struct pushdown *p, struct str name)
{
    if (p->projection.len)
        buf_putc(&p->projection, ',');
    alias(p, &p->projection, name);
}

static bool is_named(const struct attributes_read *needs, struct str name)
{
    for (uint32_t i = 0; i < needs->names.n; i++) {
        if (str_eq(needs->names.v[i], name))
            return true;
    }
    return false;
}

/* Names each attribute once, because the service refuses paths that overlap. */
enum rc pushdown_projection(struct pushdown *p, const struct attributes_read *needs,
                            struct err *err)
{
    struct pushdown before = *p;
    if (needs->rest)
        return check(p, err);
    for (uint32_t i = 0; i < needs->names.n; i++) {
        if (held(p, needs->names.v[i]))
            project(p, needs->names.v[i]);
    }
    for (uint32_t i = 0; i < needs->maybe.n; i++) {
        if (!is_named(needs, needs->maybe.v[i]) && held(p, needs->maybe.v[i]))
            project(p, needs->maybe.v[i]);
    }
    if (p->projection.len > MAX_EXPRESSION)
        retract(p, &before);
    return check(p, err);
}
