/* SPDX-License-Identifier: MIT */
/* Lengths are native 32-bit numbers: candidates never leave the machine that made them. */
#include "pipeline/row/reduce/candidate.h"

static void put(struct buf *b, uint32_t v)
{
    buf_add(b, &v, sizeof v);
}

static bool get(struct str s, size_t *at, uint32_t *v)
{
    if (s.n - *at < sizeof *v)
        return false;
    memcpy(v, s.p + *at, sizeof *v);
    *at += sizeof *v;
    return true;
}

static bool get_bytes(struct str s, size_t *at, uint32_t n, struct str *out)
{
    if (s.n - *at < n)
        return false;
    *out = str_make(s.p + *at, n);
    *at += n;
    return true;
}

static void patch(struct buf *b, size_t at, size_t v)
{
    uint32_t n = (uint32_t)v;
    if (!b->rc)
        memcpy(b->p + at, &n, sizeof n);
}

static void add_cell(struct buf *b, enum col_type type, const struct datum *d)
{
    size_t at = b->len;
    put(b, 0);
    if (d->state == DATUM_MISSING) {
        buf_puts(b, "null");
    } else {
        datum_json(b, type, d);
    }
    patch(b, at, b->len - at - sizeof(uint32_t));
}

static bool is_key(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return true;
    }
    return false;
}

static enum candidate_order add_order(struct buf *b, const struct row *row)
{
    if (row->order.state != DATUM_VALUE)
        return ORDER_NONE;
    buf_add_str(b, row->order.u.text);
    return row->order_type == COL_TEXT ? ORDER_TEXT : ORDER_NUMBER;
}

static uint32_t add_cells(struct buf *b, const struct table *into, const struct extract *ex,
                          const struct row *row)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ex->ncolumns; i++) {
        uint32_t c = ex->columns[i];
        if (is_key(into, c) || row->cells[c].state == DATUM_MISSING)
            continue;
        put(b, c);
        add_cell(b, into->columns[c].type, &row->cells[c]);
        n++;
    }
    return n;
}

void candidate_encode(struct buf *b, const struct table *into, const struct extract *ex,
                      const struct row *row)
{
    enum { HEAD = 6 };
    uint32_t head[HEAD] = {0};
    size_t start = b->len;
    buf_add(b, head, sizeof head);
    size_t at = b->len;
    for (uint32_t i = 0; i < into->nkey; i++)
        add_cell(b, into->columns[into->key[i]].type, &row->cells[into->key[i]]);
    head[1] = (uint32_t)(b->len - at);
    buf_add_str(b, row->source_key);
    head[2] = (uint32_t)row->source_key.n;
    at = b->len;
    head[4] = (uint32_t)add_order(b, row);
    head[3] = (uint32_t)(b->len - at);
    head[5] = add_cells(b, into, ex, row);
    head[0] = (uint32_t)(b->len - start - sizeof head[0]);
    if (!b->rc)
        memcpy(b->p + start, head, sizeof head);
}

bool candidate_decode(struct str bytes, struct candidate *out)
{
    uint32_t key, source, order, kind;
    size_t at = 0;
    bool ok = get(bytes, &at, &key) && get(bytes, &at, &source) && get(bytes, &at, &order) &&
              get(bytes, &at, &kind) && get(bytes, &at, &out->ncells) && kind <= ORDER_NUMBER &&
              get_bytes(bytes, &at, key, &out->key) &&
              get_bytes(bytes, &at, source, &out->source) &&
              get_bytes(bytes, &at, order, &out->order);
    if (!ok)
        return false;
    out->order_kind = (enum candidate_order)kind;
    out->cells = str_from(bytes, at);
    return true;
}

bool candidate_cell(const struct candidate *c, size_t *at, uint32_t *column, struct str *json)
{
    uint32_t n;
    return get(c->cells, at, column) && get(c->cells, at, &n) &&
           get_bytes(c->cells, at, n, json);
}

void candidate_key_add(struct buf *b, struct str json)
{
    put(b, (uint32_t)json.n);
    buf_add_str(b, json);
}

bool candidate_key_next(struct str key, size_t *at, struct str *json)
{
    uint32_t n;
    return get(key, at, &n) && get_bytes(key, at, n, json);
}
