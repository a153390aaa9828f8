/* SPDX-License-Identifier: MIT */
/*
 * Conditions as a tree: all, any and not above, tests of one attribute below. Values of
 * different kinds are never equal and never in order, so a number is not the string that spells
 * it.
 */
#include "pipeline/model/condition.h"

#include "pipeline/base/json.h"
#include "pipeline/item/decimal.h"

static bool equal(const struct val *a, const struct val *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VAL_S)
        return str_eq(a->u.s, b->u.s);
    if (a->kind == VAL_N)
        return decimal_cmp(a->u.s, b->u.s) == 0;
    if (a->kind == VAL_BOOL)
        return a->u.boolean == b->u.boolean;
    return a->kind == VAL_NULL;
}

static bool ordered(enum cond_op op, const struct val *v, const struct val *limit)
{
    int c = 0;
    if (v->kind != limit->kind)
        return false;
    if (v->kind == VAL_S) {
        c = str_cmp(v->u.s, limit->u.s);
    } else if (v->kind == VAL_N) {
        c = decimal_cmp(v->u.s, limit->u.s);
    } else {
        return false;
    }
    switch ((int)op) {
    case COND_LT:
        return c < 0;
    case COND_LE:
        return c <= 0;
    case COND_GT:
        return c > 0;
    default:
        return c >= 0;
    }
}

static bool leaf(const struct cond *c, const struct val *v)
{
    bool there = v && v->kind != VAL_MISSING;
    if (c->op == COND_EXISTS)
        return there;
    if (c->op == COND_MISSING)
        return !there;
    if (!there)
        return false;
    if (c->op == COND_EQ)
        return equal(v, &c->value);
    if (c->op == COND_GLOB)
        return v->kind == VAL_S && str_glob(v->u.s, c->value.u.s);
    return ordered(c->op, v, &c->value);
}

bool condition_eval(const struct cond *c, cond_get *get, void *ctx)
{
    if (c->op == COND_NOT)
        return !condition_eval(c->kids, get, ctx);
    if (c->op != COND_ALL && c->op != COND_ANY)
        return leaf(c, get(ctx, c));
    bool any = c->op == COND_ANY;
    for (uint32_t i = 0; i < c->nkids; i++) {
        if (condition_eval(&c->kids[i], get, ctx) == any)
            return any;
    }
    return !any;
}

static void print_value(const struct val *v, struct buf *out)
{
    if (v->kind == VAL_S) {
        json_add_string(out, v->u.s);
    } else if (v->kind == VAL_N) {
        buf_add_str(out, v->u.s);
    } else if (v->kind == VAL_BOOL) {
        buf_puts(out, v->u.boolean ? "true" : "false");
    } else {
        buf_puts(out, "null");
    }
}

static void print_kids(const struct cond *c, struct buf *out)
{
    if (c->nkids == 0)
        buf_puts(out, c->op == COND_ALL ? "always" : "never");
    for (uint32_t i = 0; i < c->nkids; i++) {
        bool group = c->kids[i].nkids > 1 && c->kids[i].op != COND_NOT;
        if (i)
            buf_puts(out, c->op == COND_ALL ? " and " : " or ");
        if (group)
            buf_putc(out, '(');
        condition_print(&c->kids[i], out);
        if (group)
            buf_putc(out, ')');
    }
}

void condition_print(const struct cond *c, struct buf *out)
{
    static const char *const OPS[] = {
        [COND_EQ] = " = ", [COND_GLOB] = " like ",      [COND_EXISTS] = " exists",
        [COND_LT] = " < ", [COND_MISSING] = " missing", [COND_LE] = " <= ",
        [COND_GT] = " > ", [COND_GE] = " >= "};
    if (c->op == COND_NOT) {
        buf_puts(out, "not (");
        condition_print(c->kids, out);
        buf_putc(out, ')');
    } else if (c->op == COND_ALL || c->op == COND_ANY) {
        print_kids(c, out);
    } else {
        path_print(&c->path, out);
        buf_puts(out, OPS[c->op]);
        if (c->op != COND_EXISTS && c->op != COND_MISSING)
            print_value(&c->value, out);
    }
}
