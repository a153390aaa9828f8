/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/facts.h"

#include <string.h>

#include "pipeline/infer/words.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/timestamp.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_uuid(struct str s)
{
    if (s.n != 36)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        char c = s.p[i];
        if (dash ? c != '-'
                 : !(is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return false;
    }
    return true;
}

/* ISO 8601 but for the offset: no cast takes it for a time. */
static bool is_naive(struct str s)
{
    int64_t days = 0;
    return s.n >= 16 && s.n <= 26 && timestamp_parse_date(str_make(s.p, 10), &days) &&
           (s.p[10] == 'T' || s.p[10] == ' ') && is_digit(s.p[s.n - 1]);
}

static void add_integer(struct infer_facts *f, struct str s)
{
    int64_t i = 0;
    if (!decimal_int64(s, &i)) {
        f->big = true;
        return;
    }
    bool first = f->integers == 0;
    f->least = first || i < f->least ? i : f->least;
    f->most = first || i > f->most ? i : f->most;
}

/* Is it a number, and of which kind? Texts are numbers only in their canonical spelling, or padded. */
static void add_number(struct infer_facts *f, struct str s, bool text)
{
    char room[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    if (s.n == 0 || s.n > 60 || (!is_digit(s.p[0]) && s.p[0] != '-'))
        return;
    if (decimal_canon(s, room, &n, &same) != DECIMAL_OK)
        return;
    bool point = memchr(s.p, '.', s.n) != NULL;
    bool exponent = memchr(s.p, 'E', s.n) || memchr(s.p, 'e', s.n);
    struct str canonical = same ? s : str_make(room, n);
    bool whole =
        !memchr(canonical.p, '.', canonical.n) && !memchr(canonical.p, 'E', canonical.n);
    if (text && exponent)
        return;
    if (whole && (!text || same)) {
        add_integer(f, canonical);
        f->integers++;
    } else if (text && !point && s.p[0] == '0') {
        f->padded++;
        add_integer(f, canonical);
    } else if (!text || (point && is_digit(s.p[s.n - 1]) && (s.p[0] != '0' || s.p[1] == '.'))) {
        f->decimals++;
    }
}

void facts_add_text(struct infer_design *d, struct infer_facts *f, struct str s)
{
    int64_t at = 0;
    bool cut = false;
    f->kinds[VAL_S]++;
    f->filled++;
    f->shortest = f->filled == 1 || s.n < f->shortest ? (uint32_t)s.n : f->shortest;
    f->longest = s.n > f->longest ? (uint32_t)s.n : f->longest;
    f->nul_bytes += s.n && memchr(s.p, '\0', s.n) != NULL;
    f->uuids += is_uuid(s);
    f->booleans += str_is(s, "true") || str_is(s, "false");
    if (words_null_like(s)) {
        uint32_t number = infer_text(d, s);
        f->nulls += f->null_text == 0 || f->null_text == number;
        f->null_text = f->null_text ? f->null_text : number;
    }
    if (s.n == 10)
        f->dates += timestamp_parse_date(s, &at);
    if (s.n > 10 && s.n < 40 && is_digit(s.p[0])) {
        f->stamps += timestamp_parse_stamp(s, &at, &cut) && !cut && timestamp_in_range(at);
        f->naive += is_naive(s);
    }
    add_number(f, s, true);
}

void facts_add(struct infer_design *d, struct infer_facts *f, const struct val *v)
{
    if (v->kind == VAL_S) {
        facts_add_text(d, f, v->u.s);
        return;
    }
    f->kinds[v->kind]++;
    f->filled += v->kind != VAL_NULL && v->kind != VAL_MISSING;
    if (v->kind == VAL_N)
        add_number(f, v->u.s, false);
}

static uint32_t number_of(struct infer_design *d, const struct val *v)
{
    switch (v->kind) {
    case VAL_S:
    case VAL_N:
    case VAL_B:
        return infer_text(d, v->u.s);
    case VAL_BOOL:
        return infer_text(d, v->u.boolean ? STR("true") : STR("false"));
    case VAL_M:
    case VAL_L:
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
    case VAL_NULL:
    case VAL_MISSING:
        break;
    }
    return 0;
}

void facts_of_column(struct infer_design *d, const struct infer_table *t,
                     struct infer_column *c)
{
    c->facts = (struct infer_facts){0};
    if (c->node) {
        for (size_t i = 0; i < c->node->nseen; i++) {
            c->v[c->node->seen[i].row] = number_of(d, c->node->seen[i].val);
            facts_add(d, &c->facts, c->node->seen[i].val);
        }
        return;
    }
    for (uint32_t i = 0; i < t->nrows; i++) {
        if (c->v[i])
            facts_add_text(d, &c->facts, d->texts.v[c->v[i] - 1]);
    }
}

bool facts_lossy(const struct val *v)
{
    bool found = v->kind == VAL_B || v->kind >= VAL_SS;
    for (uint32_t i = 0; i < v->n && !found; i++) {
        if (v->kind == VAL_M) {
            found = facts_lossy(&v->u.members[i].val);
        } else if (v->kind == VAL_L) {
            found = facts_lossy(&v->u.list[i]);
        }
    }
    return found;
}

const char *facts_list_type(const struct infer_node *node)
{
    uint32_t kinds[VAL_BS + 1] = {0};
    for (size_t i = 0; i < node->nseen; i++) {
        const struct val *v = node->seen[i].val;
        if (v->kind == VAL_SS || v->kind == VAL_NS || v->kind == VAL_BS)
            kinds[v->kind == VAL_SS ? VAL_S : v->kind == VAL_NS ? VAL_N : VAL_B]++;
        for (uint32_t k = 0; v->kind == VAL_L && k < v->n; k++)
            kinds[v->u.list[k].kind]++;
    }
    uint32_t others = kinds[VAL_M] + kinds[VAL_L] + kinds[VAL_SS] + kinds[VAL_NS] +
                      kinds[VAL_BS] + kinds[VAL_BOOL] + kinds[VAL_NULL];
    if (others || (kinds[VAL_S] > 0) + (kinds[VAL_N] > 0) + (kinds[VAL_B] > 0) > 1)
        return NULL;
    return kinds[VAL_N] ? "numeric[]" : kinds[VAL_B] ? "bytea[]" : "text[]";
}

/* Whole numbers, from N or from texts; NULL: they are none. */
static const char *whole_type(const struct infer_facts *f)
{
    if (f->big)
        return "numeric";
    return f->least >= INT32_MIN && f->most <= INT32_MAX ? "integer" : "bigint";
}

/* Instants counted from 1970: the name says so and the numbers lie in this century. */
static const char *epoch_unit(const struct infer_column *c, const struct infer_facts *f)
{
    static const int64_t FROM = 946684800; /* 2000 */
    static const int64_t TO = 4133980800;  /* 2101 */
    struct str name = c->node ? c->node->name : c->name;
    if (!words_time_like(name) || f->big || f->padded || f->least <= 0)
        return NULL;
    if (f->least >= FROM && f->most <= TO)
        return "s";
    if (f->least >= FROM * 1000 && f->most <= TO * 1000)
        return "ms";
    return f->least >= FROM * 1000000 && f->most <= TO * 1000000 ? "us" : NULL;
}

/* All texts and numbers spell numbers. */
static const char *number_type(struct infer_column *c, const struct infer_facts *f, uint32_t n)
{
    struct str name = c->node ? c->node->name : c->name;
    if (f->integers + f->decimals != n)
        return NULL;
    if (f->kinds[VAL_S] && words_code_like(name))
        return "text";
    if (f->decimals)
        return "numeric";
    c->unit = epoch_unit(c, f);
    return c->unit ? "timestamptz" : whole_type(f);
}

static const char *text_type(const struct infer_facts *f, uint32_t n)
{
    if (f->dates == n)
        return "date";
    if (f->stamps == n)
        return "timestamptz";
    if (f->uuids == n)
        return "uuid";
    return f->booleans == n ? "boolean" : NULL;
}

/* Strings, numbers and booleans, of which n are no word for NULL. */
static const char *scalar_type(struct infer_column *c, const struct infer_facts *f, uint32_t n)
{
    const char *type = NULL;
    if (f->kinds[VAL_BOOL])
        return f->kinds[VAL_BOOL] + f->booleans == n ? "boolean" : NULL;
    type = number_type(c, f, n);
    if (!type && f->kinds[VAL_S] >= n)
        type = text_type(f, n);
    return type;
}

static bool nested(const struct infer_facts *f)
{
    return f->kinds[VAL_M] || f->kinds[VAL_L] || f->kinds[VAL_SS] || f->kinds[VAL_NS] ||
           f->kinds[VAL_BS];
}

static void decide_document(struct infer_column *c)
{
    c->type = "jsonb";
    c->lossy = c->lossy_asked ? "json" : NULL;
    for (size_t i = 0; c->node && i < c->node->nseen; i++) {
        if (facts_lossy(c->node->seen[i].val))
            c->lossy = "json";
    }
}

void facts_decide(struct infer_design *d, struct infer_column *c)
{
    const struct infer_facts *f = &c->facts;
    uint32_t n = f->filled - f->nulls;
    c->unit = NULL;
    c->null_if = (struct str){0};
    c->null_if_given = false;
    if (c->pinned) {
        c->type = c->pinned;
        if (strcmp(c->type, "jsonb") == 0)
            decide_document(c);
        return;
    }
    if (c->listed || nested(f)) {
        c->type = c->listed ? facts_list_type(c->node) : NULL;
        if (!c->type)
            decide_document(c);
        return;
    }
    if (f->kinds[VAL_B]) {
        c->type = "bytea";
        if (f->kinds[VAL_B] != f->filled)
            decide_document(c);
        return;
    }
    c->type = f->filled ? scalar_type(c, f, f->filled) : NULL;
    if (!c->type && f->nulls && n > 0 && c->origin == INFER_ATTRIBUTE) {
        c->type = scalar_type(c, f, n);
        c->null_if_given = c->type && strcmp(c->type, "text") != 0;
        if (c->null_if_given) {
            c->null_if = d->texts.v[f->null_text - 1];
        } else {
            c->type = NULL;
        }
    }
    if (c->type)
        return;
    c->type = f->kinds[VAL_BOOL] && f->filled != f->kinds[VAL_BOOL] ? "jsonb" : "text";
    c->lossy = f->nul_bytes ? "nul" : NULL;
}
