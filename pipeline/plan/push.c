/* SPDX-License-Identifier: MIT */
/*
 * An item passes if its type is known, or a `when` may hold, or it has no type and there are
 * entities found by their keys alone. A pattern becomes its fixed beginning, which lets too
 * much pass; below a `not` that would let too little pass, so it is not said at all.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
#include "pipeline/plan/push.h"

#include "pipeline/base/json.h"

enum { MAX_EXPRESSION = 4096, MAX_IN = 100, MAX_TERMS = 250, MAX_MAP = 1 << 20 };

void push_init(struct push *p)
{
    *p = (struct push){0};
    buf_init(&p->projection, MAX_MAP);
    buf_init(&p->filter, MAX_MAP);
    buf_init(&p->names, MAX_MAP);
    buf_init(&p->values, MAX_MAP);
}

void push_release(struct push *p)
{
    buf_release(&p->projection);
    buf_release(&p->filter);
    buf_release(&p->names);
    buf_release(&p->values);
}

/* Aliases are not shared: a name that is mentioned twice has two. */
static void alias(struct push *p, struct buf *to, struct str name)
{
    buf_addf(&p->names, "%s\"#n%u\":", p->nnames ? "," : "", p->nnames);
    json_add_string(&p->names, name);
    buf_addf(to, "#n%u", p->nnames++);
}

static void value(struct push *p, struct buf *to, const struct val *v)
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

static void text_value(struct push *p, struct buf *to, struct str text)
{
    value(p, to, &(struct val){.kind = VAL_S, .u.s = text});
}

/* ---- conditions ---------------------------------------------------------------------------- */

static void path(struct push *p, struct buf *to, const struct path *path)
{
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            buf_putc(to, '.');
        alias(p, to, path->members[i]);
    }
}

static bool pattern(struct push *p, const struct cond *c, bool below_not)
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

static bool one_test(struct push *p, const struct cond *c, bool below_not)
{
    static const char *const OPS[] = {
        [COND_EQ] = "=", [COND_LT] = "<", [COND_LE] = "<=", [COND_GT] = ">", [COND_GE] = ">="};
    if (c->op == COND_GLOB)
        return pattern(p, c, below_not);
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

static bool condition(struct push *p, const struct cond *c, bool below_not)
{
    if (c->op == COND_NOT) {
        buf_puts(&p->filter, "NOT (");
        bool said = condition(p, c->kids, true);
        buf_putc(&p->filter, ')');
        return said;
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

static void or_else(struct push *p)
{
    if (p->filter.len)
        buf_puts(&p->filter, " OR ");
}

/* The type is one of these; at most a hundred of them in one list. */
static void types(struct push *p, const struct plan *plan)
{
    uint32_t n = 0;
    for (size_t i = 0; i < plan->types.cap; i++) {
        const struct map_entry *e = &plan->types.entries[i];
        if (!e->used)
            continue;
        if (n % MAX_IN == 0) {
            if (n)
                buf_putc(&p->filter, ')');
            or_else(p);
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
}

static void untyped(struct push *p, const struct plan *plan)
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

static bool entities(struct push *p, const struct plan *plan)
{
    const struct model *m = plan->model;
    bool by_keys = false;
    if (!plan->type.n)
        return false;
    types(p, plan);
    for (uint32_t i = 0; i < m->nentities; i++) {
        const struct entity *e = &m->entities[i];
        by_keys |= !e->when && e->keys.n > 0;
        if (!e->when)
            continue;
        or_else(p);
        if (!condition(p, e->when, false))
            return false;
    }
    if (by_keys)
        untyped(p, plan);
    return p->filter.len > 0;
}

static enum rc check(struct push *p, struct err *err)
{
    enum rc rc = buf_check(&p->names, err);
    if (!rc)
        rc = buf_check(&p->values, err);
    if (!rc)
        rc = buf_check(&p->filter, err);
    return rc ? rc : buf_check(&p->projection, err);
}

/* Takes back what was said since. */
static void undo(struct push *p, struct buf *expression, const struct push *before)
{
    buf_clear(expression);
    p->names.len = before->names.len;
    p->values.len = before->values.len;
    p->nnames = before->nnames;
    p->nvalues = before->nvalues;
}

enum rc push_filter(struct push *p, const struct plan *plan, struct err *err)
{
    struct push before = *p;
    bool said = entities(p, plan);
    if (!said || p->filter.len > MAX_EXPRESSION || p->nvalues - before.nvalues > MAX_TERMS)
        undo(p, &p->filter, &before);
    return check(p, err);
}

static void project(struct push *p, struct str name)
{
    if (p->projection.len)
        buf_putc(&p->projection, ',');
    alias(p, &p->projection, name);
}

static bool is_named(const struct needs *needs, struct str name)
{
    for (uint32_t i = 0; i < needs->names.n; i++) {
        if (str_eq(needs->names.v[i], name))
            return true;
    }
    return false;
}

/* No name twice: the service takes overlapping paths for a mistake. */
enum rc push_projection(struct push *p, const struct needs *needs, struct err *err)
{
    struct push before = *p;
    if (needs->rest)
        return check(p, err);
    for (uint32_t i = 0; i < needs->names.n; i++)
        project(p, needs->names.v[i]);
    for (uint32_t i = 0; i < needs->maybe.n; i++) {
        if (!is_named(needs, needs->maybe.v[i]))
            project(p, needs->maybe.v[i]);
    }
    if (p->projection.len > MAX_EXPRESSION)
        undo(p, &p->projection, &before);
    return check(p, err);
}
