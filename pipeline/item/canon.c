/* SPDX-License-Identifier: MIT */
/*
 * One text per value. Members are put in order by sorting indexes: on the stack for maps of
 * ordinary size, on the heap for large ones.
 */
#include "pipeline/item/canon.h"

#include <stdlib.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/item/decimal.h"

enum { SMALL = 32 };

enum form { FORM_TAGGED, FORM_PLAIN };

struct order {
    const struct member *few[SMALL];
    const struct member **at; /* NULL: out of memory */
};

static int by_name(const void *a, const void *b)
{
    const struct member *const *x = a, *const *y = b;
    return str_cmp((*x)->name, (*y)->name);
}

/* Maps of ordinary size are sorted in place of a call to qsort. */
static void sort_few(const struct member **at, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct member *m = at[i];
        uint32_t k = i;
        for (; k > 0 && str_cmp(at[k - 1]->name, m->name) > 0; k--)
            at[k] = at[k - 1];
        at[k] = m;
    }
}

static void order_init(struct order *o, const struct member *members, uint32_t n)
{
    o->at = n <= SMALL ? o->few : malloc(n * sizeof(const struct member *));
    if (!o->at)
        return;
    for (uint32_t i = 0; i < n; i++)
        o->at[i] = &members[i];
    if (n <= SMALL) {
        sort_few(o->at, n);
    } else {
        qsort(o->at, n, sizeof(const struct member *), by_name);
    }
}

static void order_release(struct order *o)
{
    if (o->at != o->few)
        free(o->at);
}

/* Base64 needs quotes but no escapes. */
static void add_bytes(struct buf *b, struct str bytes)
{
    buf_putc(b, '"');
    base64_add(b, bytes);
    buf_putc(b, '"');
}

static void add_number_text(struct buf *b, struct str number)
{
    buf_putc(b, '"');
    buf_add_str(b, number);
    buf_putc(b, '"');
}

static void add_set(struct buf *b, const struct val *v)
{
    buf_putc(b, '[');
    for (uint32_t i = 0; i < v->n; i++) {
        if (i)
            buf_putc(b, ',');
        struct str s = v->u.list[i].u.s;
        if (v->kind == VAL_SS) {
            json_add_string(b, s);
        } else if (v->kind == VAL_NS) {
            add_number_text(b, s);
        } else {
            add_bytes(b, s);
        }
    }
    buf_putc(b, ']');
}

/* A value inside another is written in the same form. lossy is canon_plain's. */
static void add_inner(struct buf *b, const struct val *v, enum form form, uint64_t *lossy)
{
    if (form == FORM_TAGGED) {
        canon_ddb(b, v);
    } else {
        canon_plain(b, v, lossy);
    }
}

static void add_list(struct buf *b, const struct val *v, enum form form, uint64_t *lossy)
{
    buf_putc(b, '[');
    for (uint32_t i = 0; i < v->n; i++) {
        if (i)
            buf_putc(b, ',');
        add_inner(b, &v->u.list[i], form, lossy);
    }
    buf_putc(b, ']');
}

static void add_members(struct buf *b, const struct member *members, uint32_t n, enum form form,
                        uint64_t *lossy)
{
    struct order o;
    order_init(&o, members, n);
    if (!o.at) {
        b->rc = RC_NOMEM;
        return;
    }
    buf_putc(b, '{');
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            buf_putc(b, ',');
        json_add_string(b, o.at[i]->name);
        buf_putc(b, ':');
        add_inner(b, &o.at[i]->val, form, lossy);
    }
    buf_putc(b, '}');
    order_release(&o);
}

static void add_under_tag(struct buf *b, const struct val *v)
{
    switch (v->kind) {
    case VAL_S:
        json_add_string(b, v->u.s);
        break;
    case VAL_N:
        add_number_text(b, v->u.s);
        break;
    case VAL_B:
        add_bytes(b, v->u.s);
        break;
    case VAL_BOOL:
        buf_puts(b, v->u.boolean ? "true" : "false");
        break;
    case VAL_M:
        canon_ddb_members(b, v->u.members, v->n);
        break;
    case VAL_L:
        add_list(b, v, FORM_TAGGED, NULL);
        break;
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        add_set(b, v);
        break;
    case VAL_NULL:
    case VAL_MISSING:
        buf_puts(b, "true");
        break;
    }
}

void canon_ddb(struct buf *b, const struct val *v)
{
    buf_puts(b, "{\"");
    buf_puts(b, value_kind_name(v->kind));
    buf_puts(b, "\":");
    add_under_tag(b, v);
    buf_putc(b, '}');
}

void canon_ddb_members(struct buf *b, const struct member *members, uint32_t n)
{
    add_members(b, members, n, FORM_TAGGED, NULL);
}

void canon_plain(struct buf *b, const struct val *v, uint64_t *lossy)
{
    uint64_t inner = 0; /* a set counts once, its members are not counted again */
    if (lossy &&
        (v->kind == VAL_B || v->kind == VAL_SS || v->kind == VAL_NS || v->kind == VAL_BS))
        ++*lossy;
    switch (v->kind) {
    case VAL_S:
    case VAL_B:
    case VAL_BOOL: /* both forms write these alike */
        add_under_tag(b, v);
        break;
    case VAL_N:
        buf_add_str(b, v->u.s);
        break;
    case VAL_M:
        add_members(b, v->u.members, v->n, FORM_PLAIN, lossy);
        break;
    case VAL_L:
        add_list(b, v, FORM_PLAIN, lossy);
        break;
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        add_list(b, v, FORM_PLAIN, &inner);
        break;
    case VAL_NULL:
    case VAL_MISSING:
        buf_puts(b, "null");
        break;
    }
}

void canon_key(struct buf *b, const struct item *item, const struct str *key, size_t nkey)
{
    struct member found[8];
    uint32_t n = 0;
    for (size_t i = 0; i < nkey && n < sizeof found / sizeof found[0]; i++) {
        const struct val *v = item_get(item, key[i]);
        if (v)
            found[n++] = (struct member){key[i], *v};
    }
    canon_ddb_members(b, found, n);
}
