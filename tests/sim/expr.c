/* SPDX-License-Identifier: MIT */
/*
 * Recursive descent without a tree: both sides of AND and OR are always evaluated, which also
 * checks their syntax. Operands are values of the request or of the item.
 */
#include "tests/sim/expr.h"

#include "tests/sim/av.h"

struct operand {
    yyjson_val *av; /* NULL: there is no such attribute */
    bool is_size;
    size_t size;
};

static bool parse_or(struct lex *l, int depth);

static yyjson_val *step_index(struct lex *l, yyjson_val *av)
{
    unsigned long long index = 0;
    if (!str_uint(l->word, &index))
        lex_fail(l, "Syntax error; expected an index");
    lex_next(l);
    lex_expect(l, "]");
    return yyjson_arr_get(yyjson_obj_get(av, "L"), (size_t)index);
}

static yyjson_val *path(struct lex *l)
{
    struct str name = lex_attribute(l);
    yyjson_val *av = yyjson_obj_getn(l->scope->item, name.p, name.n);
    while (l->kind == LEX_SIGN) {
        if (lex_take(l, ".")) {
            name = lex_attribute(l);
            av = yyjson_obj_getn(yyjson_obj_get(av, "M"), name.p, name.n);
        } else if (lex_take(l, "[")) {
            av = step_index(l, av);
        } else {
            break;
        }
    }
    return av;
}

static size_t value_length(yyjson_val *av)
{
    yyjson_val *in;
    struct str type = av_type(av, &in);
    if (str_is(type, "S"))
        return yyjson_get_len(in);
    if (str_is(type, "B"))
        return yyjson_get_len(in) / 4 * 3;
    return yyjson_is_obj(in) ? yyjson_obj_size(in) : yyjson_arr_size(in);
}

static struct operand operand(struct lex *l)
{
    struct operand o = {0};
    if (l->kind == LEX_VALUE) {
        o.av = lex_value(l);
    } else if (lex_is(l, "size")) {
        lex_next(l);
        lex_expect(l, "(");
        o.is_size = true;
        o.size = value_length(path(l));
        lex_expect(l, ")");
    } else {
        o.av = path(l);
    }
    return o;
}

static bool begins_with(yyjson_val *av, yyjson_val *start)
{
    yyjson_val *a;
    yyjson_val *b;
    bool same = str_eq(av_type(av, &a), av_type(start, &b));
    return same && yyjson_is_str(a) && yyjson_is_str(b) && str_starts(av_text(a), av_text(b));
}

static bool contains(yyjson_val *av, yyjson_val *part)
{
    yyjson_val *in;
    yyjson_val *what;
    struct str type = av_type(av, &in);
    (void)av_type(part, &what);
    if (str_is(type, "S"))
        return str_find(av_text(in), av_text(what), 0) < yyjson_get_len(in);
    yyjson_arr_iter it = yyjson_arr_iter_with(in);
    for (yyjson_val *v = yyjson_arr_iter_next(&it); v; v = yyjson_arr_iter_next(&it)) {
        if (str_is(type, "L") ? av_equal(v, part) : str_eq(av_text(v), av_text(what)))
            return true;
    }
    return false;
}

static bool is_of_type(yyjson_val *av, yyjson_val *wanted)
{
    yyjson_val *in;
    yyjson_val *name;
    (void)av_type(wanted, &name);
    return str_eq(av_type(av, &in), av_text(name));
}

static bool function(struct lex *l, bool *result)
{
    enum { EXISTS, MISSING, TYPE, BEGINS, CONTAINS, NONE };
    static const char *const names[] = {"attribute_exists", "attribute_not_exists",
                                        "attribute_type", "begins_with", "contains"};
    int which = 0;
    while (which < NONE && !lex_is(l, names[which]))
        which++;
    if (which == NONE)
        return false;
    lex_next(l);
    lex_expect(l, "(");
    yyjson_val *av = path(l);
    yyjson_val *arg = NULL;
    if (which >= TYPE) {
        lex_expect(l, ",");
        arg = operand(l).av;
    }
    lex_expect(l, ")");
    *result = which == EXISTS    ? av != NULL
              : which == MISSING ? av == NULL
              : which == TYPE    ? is_of_type(av, arg)
              : which == BEGINS  ? begins_with(av, arg)
                                 : contains(av, arg);
    return true;
}

static int order(struct operand a, struct operand b, bool *ok)
{
    if (!a.is_size && !b.is_size)
        return av_compare(a.av, b.av, ok);
    unsigned long long n = 0;
    yyjson_val *in;
    (void)av_type(a.is_size ? b.av : a.av, &in);
    *ok = a.is_size && b.is_size ? true : str_uint(av_text(in), &n);
    size_t left = a.is_size ? a.size : (size_t)n;
    size_t right = b.is_size ? b.size : (size_t)n;
    return left < right ? -1 : left > right;
}

static bool compare(struct operand a, struct str sign, struct operand b)
{
    bool ok = false;
    bool sized = a.is_size || b.is_size;
    int c = order(a, b, &ok);
    bool equal = sized ? ok && c == 0 : av_equal(a.av, b.av);
    if (str_is(sign, "="))
        return equal;
    if (str_is(sign, "<>"))
        return !equal;
    if (!ok)
        return false;
    if (str_is(sign, "<"))
        return c < 0;
    if (str_is(sign, "<="))
        return c <= 0;
    return str_is(sign, ">") ? c > 0 : c >= 0;
}

static bool in_list(struct lex *l, struct operand a)
{
    bool found = false;
    lex_expect(l, "(");
    do {
        found = compare(a, STR("="), operand(l)) || found;
    } while (lex_take(l, ","));
    lex_expect(l, ")");
    return found;
}

static bool comparison(struct lex *l)
{
    struct operand a = operand(l);
    if (lex_take(l, "BETWEEN")) {
        struct operand low = operand(l);
        lex_expect(l, "AND");
        struct operand high = operand(l);
        return compare(a, STR(">="), low) && compare(a, STR("<="), high);
    }
    if (lex_take(l, "IN"))
        return in_list(l, a);
    struct str sign = l->word;
    if (l->kind != LEX_SIGN || (sign.p[0] != '=' && sign.p[0] != '<' && sign.p[0] != '>'))
        lex_fail(l, "Syntax error; expected a comparison");
    lex_next(l);
    return compare(a, sign, operand(l));
}

static bool primary(struct lex *l, int depth)
{
    bool result = false;
    if (depth > 100) {
        lex_fail(l, "nested too deeply");
    } else if (lex_take(l, "NOT")) {
        result = !primary(l, depth + 1);
    } else if (lex_take(l, "(")) {
        result = parse_or(l, depth + 1);
        lex_expect(l, ")");
    } else if (!function(l, &result)) {
        result = comparison(l);
    }
    return result;
}

static bool parse_and(struct lex *l, int depth)
{
    bool result = primary(l, depth);
    while (lex_take(l, "AND"))
        result = primary(l, depth) && result;
    return result;
}

static bool parse_or(struct lex *l, int depth)
{
    bool result = parse_and(l, depth);
    while (lex_take(l, "OR"))
        result = parse_and(l, depth) || result;
    return result;
}

bool expr_condition(struct lex_scope *scope, struct str text)
{
    struct lex l;
    lex_init(&l, scope, text);
    bool result = parse_or(&l, 0);
    if (l.kind != LEX_END)
        lex_fail(&l, "Syntax error");
    return result && scope->error[0] == '\0';
}

static void put(yyjson_mut_doc *doc, yyjson_mut_val *target, struct str name, yyjson_val *av)
{
    yyjson_mut_val *key = yyjson_mut_strncpy(doc, name.p, name.n);
    (void)yyjson_mut_obj_put(target, key, av ? yyjson_val_mut_copy(doc, av) : NULL);
}

static yyjson_val *set_value(struct lex *l)
{
    if (!lex_is(l, "if_not_exists"))
        return operand(l).av;
    lex_next(l);
    lex_expect(l, "(");
    yyjson_val *old = path(l);
    lex_expect(l, ",");
    yyjson_val *fresh = operand(l).av;
    lex_expect(l, ")");
    return old ? old : fresh;
}

static void set_clause(struct lex *l, yyjson_mut_doc *doc, yyjson_mut_val *target)
{
    do {
        struct str name = lex_attribute(l);
        lex_expect(l, "=");
        yyjson_val *av = set_value(l);
        if (!av) {
            lex_fail(l, "The provided expression refers to an attribute that does not exist");
        } else {
            put(doc, target, name, av);
        }
    } while (lex_take(l, ","));
}

void expr_update(struct lex_scope *scope, struct str text, yyjson_mut_doc *doc,
                 yyjson_mut_val *target)
{
    struct lex l;
    lex_init(&l, scope, text);
    while (l.kind != LEX_END) {
        if (lex_take(&l, "SET")) {
            set_clause(&l, doc, target);
        } else if (lex_take(&l, "REMOVE")) {
            do {
                put(doc, target, lex_attribute(&l), NULL);
            } while (lex_take(&l, ","));
        } else {
            lex_fail(&l,
                     "Syntax error; the simulator knows SET and REMOVE of whole attributes");
        }
    }
}

void expr_project(struct lex_scope *scope, struct str text, yyjson_mut_doc *doc,
                  yyjson_mut_val *target)
{
    struct lex l;
    lex_init(&l, scope, text);
    do {
        struct str name = lex_attribute(&l);
        yyjson_val *av = yyjson_obj_getn(scope->item, name.p, name.n);
        if (av)
            put(doc, target, name, av);
    } while (lex_take(&l, ","));
    if (l.kind != LEX_END)
        lex_fail(&l, "Syntax error; the simulator projects whole attributes");
}
