/* SPDX-License-Identifier: MIT */
/*
 * Parsing is one pass from left to right: a literal up to the next brace, then a part up to its
 * closing brace. Literals are unquoted here, names are not: a backslash in one is for
 * path_parse. Where nothing but a literal stands before the first optional part, only the
 * separator at the literal's end goes with that part: `ORDERS#{year?}` is `ORDERS` without a
 * year.
 */
#include "pipeline/model/template.h"

#include "pipeline/item/cast/column_type.h"

enum { PAD_MAX = 64 };

struct parser {
    struct str text;
    size_t at;
    struct arena *a;
    struct template *out;
    struct err *err;
    size_t *where;
};

static enum rc wrong(struct parser *p, size_t at, const char *what)
{
    *p->where = at;
    return err_set(p->err, RC_USAGE, "%s", what);
}

static char peek(const struct parser *p)
{
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static bool doubled(const struct parser *p)
{
    return p->at + 1 < p->text.n && p->text.p[p->at + 1] == p->text.p[p->at];
}

static enum rc parse_literal(struct parser *p)
{
    char *copy = arena_alloc(p->a, p->text.n - p->at + 1);
    size_t n = 0, start = p->at;
    if (!copy)
        return err_nomem(p->err);
    while (p->at < p->text.n) {
        char c = p->text.p[p->at];
        if (c == '{' || c == '}') {
            if (!doubled(p) && c == '{')
                break;
            if (!doubled(p)) {
                *p->where = p->at;
                err_set(p->err, RC_USAGE, "a \"}\" without a \"{\" before it");
                return err_hint(p->err, "write \"}}\" for the brace itself");
            }
            p->at++;
        }
        copy[n++] = c;
        p->at++;
    }
    copy[n] = '\0';
    if (n) {
        p->out->pieces[p->out->n++] =
            (struct template_piece){.literal = true, .text = {copy, n}, .at = start};
    }
    return RC_OK;
}

static bool ends_name(char c)
{
    return c == ':' || c == '|' || c == '?' || c == '}';
}

/* Reads plain characters up to one that ends them; a backslash makes the next one plain. */
static struct str word(struct parser *p)
{
    size_t start = p->at;
    while (p->at < p->text.n && !ends_name(p->text.p[p->at]) && p->text.p[p->at] != '{')
        p->at += p->text.p[p->at] == '\\' && p->at + 1 < p->text.n ? 2 : 1;
    return str_make(p->text.p + start, p->at - start);
}

static enum rc parse_width(struct parser *p, uint32_t *out)
{
    size_t start = p->at;
    unsigned long long n = 0;
    if (!str_uint(word(p), &n) || n < 1 || n > PAD_MAX)
        return wrong(p, start, "a width is a number from 1 to 64");
    *out = (uint32_t)n;
    return RC_OK;
}

static enum rc wrong_type(struct parser *p, struct str name)
{
    struct buf list;
    buf_init(&list, BUF_NO_LIMIT);
    column_type_list(&list, COLUMN_PART, ", ");
    err_set(p->err, RC_USAGE, "\"%.*s\" is no type a part can have",
            (int)(name.n > 40 ? 40 : name.n), name.n ? name.p : "");
    err_hint(p->err, "use one of %s; in a key also no-sep and sep", buf_cstr(&list));
    buf_release(&list);
    return RC_USAGE;
}

static enum rc no_width(struct parser *p)
{
    struct buf list;
    buf_init(&list, BUF_NO_LIMIT);
    column_type_list(&list, COLUMN_WIDTH, " and ");
    *p->where = p->at;
    err_set(p->err, RC_USAGE, "only %s take a width", buf_cstr(&list));
    buf_release(&list);
    return RC_USAGE;
}

static enum rc parse_type(struct parser *p, struct template_piece *piece)
{
    size_t start = p->at;
    struct str name = word(p);
    if (str_is(name, "no-sep") || str_is(name, "sep")) {
        piece->separators = str_is(name, "sep") ? SEPARATORS_ANY : SEPARATORS_NONE;
        return RC_OK;
    }
    if (!column_type_parse(name, &piece->type) || !column_type_has(piece->type, COLUMN_PART)) {
        *p->where = start;
        return wrong_type(p, name);
    }
    if (peek(p) != ':')
        return RC_OK;
    if (!column_type_has(piece->type, COLUMN_WIDTH))
        return no_width(p);
    p->at++;
    return parse_width(p, &piece->pad);
}

static const struct {
    const char *name;
    enum template_func_kind kind;
} FUNCS[] = {{"lower", TPL_LOWER}, {"upper", TPL_UPPER},   {"pad", TPL_PAD},
             {"date", TPL_DATE},   {"sha256", TPL_SHA256}, {"trim", TPL_TRIM}};

static enum rc parse_unit(struct parser *p, uint32_t *out)
{
    static const char *const UNITS[] = {
        [UNIT_NONE] = "", [UNIT_S] = "s", [UNIT_MS] = "ms", [UNIT_US] = "us"};
    size_t start = p->at;
    struct str name = word(p);
    for (uint32_t u = UNIT_S; u <= UNIT_US; u++) {
        if (str_is(name, UNITS[u])) {
            *out = u;
            return RC_OK;
        }
    }
    return wrong(p, start, "the unit of \"date\" is s, ms or us");
}

static enum rc parse_func(struct parser *p, struct template_func *f)
{
    size_t start = p->at, i = 0;
    struct str name = word(p);
    while (i < sizeof FUNCS / sizeof FUNCS[0] && !str_is(name, FUNCS[i].name))
        i++;
    if (i == sizeof FUNCS / sizeof FUNCS[0]) {
        *p->where = start;
        err_set(p->err, RC_USAGE, "\"%.*s\" is no function", (int)(name.n > 40 ? 40 : name.n),
                name.n ? name.p : "");
        return err_hint(p->err, "use one of lower, upper, pad, date, sha256, trim");
    }
    *f = (struct template_func){.kind = FUNCS[i].kind};
    bool colon = peek(p) == ':';
    if (f->kind == TPL_PAD && !colon)
        return wrong(p, start, "\"pad\" needs a width, as in pad:5");
    if (!colon)
        return RC_OK;
    p->at++;
    if (f->kind == TPL_PAD)
        return parse_width(p, &f->arg);
    if (f->kind == TPL_DATE)
        return parse_unit(p, &f->arg);
    return wrong(p, p->at - 1, "only \"pad\" and \"date\" take an argument");
}

static enum rc parse_funcs(struct parser *p, struct template_piece *piece)
{
    enum rc rc = RC_OK;
    size_t most = 0;
    for (size_t i = p->at; i < p->text.n; i++)
        most += p->text.p[i] == '|';
    if (most == 0)
        return RC_OK;
    piece->funcs = arena_array(p->a, most, sizeof *piece->funcs);
    if (!piece->funcs)
        return err_nomem(p->err);
    while (!rc && peek(p) == '|') {
        p->at++;
        rc = parse_func(p, &piece->funcs[piece->nfuncs]);
        piece->nfuncs += !rc;
    }
    return rc;
}

static enum rc parse_part(struct parser *p)
{
    size_t open = p->at++, name = p->at;
    struct template_piece piece = {.type = COL_TEXT, .at = open};
    piece.text = arena_dup(p->a, word(p));
    if (!piece.text.p)
        return err_nomem(p->err);
    if (piece.text.n == 0)
        return wrong(p, name, "a part needs a name, as in {order_id}");
    enum rc rc = RC_OK;
    if (peek(p) == ':') {
        p->at++;
        rc = parse_type(p, &piece);
    }
    if (!rc)
        rc = parse_funcs(p, &piece);
    if (rc)
        return rc;
    if (peek(p) == '?') {
        piece.optional = true;
        p->at++;
    }
    if (p->at >= p->text.n) {
        *p->where = open;
        err_set(p->err, RC_USAGE, "a \"{\" without its \"}\"");
        return err_hint(p->err, "write \"{{\" for the brace itself");
    }
    if (p->text.p[p->at] != '}')
        return wrong(p, p->at, "unexpected character in a part; a \"}\" was expected");
    p->at++;
    p->out->pieces[p->out->n++] = piece;
    p->out->nparts++;
    return RC_OK;
}

/* In `ORDERS#{year?}` the separator leaves the literal and goes with the part. */
static void split_head(struct template *t)
{
    if (t->n < 2 || !t->pieces[0].literal || !t->pieces[1].optional)
        return;
    struct str s = t->pieces[0].text;
    size_t cut = s.n;
    while (cut > 0 && template_is_separator(s.p[cut - 1]))
        cut--;
    if (cut == 0 || cut == s.n)
        return;
    memmove(t->pieces + 2, t->pieces + 1, (t->n - 1) * sizeof *t->pieces);
    t->pieces[0].text.n = cut;
    t->pieces[1] = (struct template_piece){.literal = true, .text = str_from(s, cut)};
    t->n++;
}

enum rc template_parse(struct str text, struct arena *a, struct template *out, size_t *at,
                       struct err *err)
{
    struct parser p = {.text = text, .a = a, .out = out, .err = err, .where = at};
    size_t most = 2;
    for (size_t i = 0; i < text.n; i++)
        most += text.p[i] == '{' ? 2 : 0;
    *at = 0;
    *out = (struct template){.text = arena_dup(a, text)};
    out->pieces = arena_array(a, most, sizeof *out->pieces);
    if (!out->text.p || !out->pieces)
        return err_nomem(err);
    enum rc rc = RC_OK;
    while (!rc && p.at < text.n) {
        rc = parse_literal(&p);
        if (!rc && p.at < text.n)
            rc = parse_part(&p);
    }
    if (!rc)
        split_head(out);
    return rc;
}

static const char *key_fault(const struct template *t, uint32_t i, bool tail)
{
    const struct template_piece *p = &t->pieces[i];
    if (p->nfuncs) {
        return "a key template takes no functions\nhint: functions are for derive and "
               "backfill";
    }
    if (p->separators == SEPARATORS_NONE && !template_has_separator(t)) {
        return "no literal of the template has a separator that the part could hold\nhint: "
               "leave \"no-sep\" out";
    }
    if (memchr(p->text.p, '.', p->text.n) || memchr(p->text.p, '\\', p->text.n) ||
        p->text.p[0] == '^')
        return "the name of a key's part holds no \".\", \"\\\" or \"^\"";
    if (i > 0 && !t->pieces[i - 1].literal)
        return "two parts need a literal between them";
    if (tail && !p->optional)
        return "a part after an optional one must be optional too\nhint: write {name?}";
    for (uint32_t k = 0; k < i; k++) {
        if (!t->pieces[k].literal && str_eq(t->pieces[k].text, p->text))
            return "two parts have the same name";
    }
    return NULL;
}

enum rc template_check_key(const struct template *t, size_t *at, struct err *err)
{
    bool tail = false;
    uint32_t parts = 0;
    *at = 0;
    if (t->n == 0)
        return err_set(err, RC_USAGE, "a key template cannot be empty");
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->pieces[i].literal)
            continue;
        const char *fault = key_fault(t, i, tail);
        if (!fault && ++parts > TPL_PARTS)
            fault = "a key template has 64 parts at most";
        if (fault) {
            *at = t->pieces[i].at;
            return err_set(err, RC_USAGE, "%s", fault);
        }
        tail = t->pieces[i].optional;
    }
    if (tail && t->pieces[t->n - 1].literal) {
        *at = t->text.n;
        return err_set(err, RC_USAGE, "nothing can follow an optional part but more of them");
    }
    return RC_OK;
}
