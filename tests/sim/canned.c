/* SPDX-License-Identifier: MIT */
/*
 * A page's text ends before LastEvaluatedKey and ConsumedCapacity; those are rendered per
 * request, and the crc of both parts is combined without touching the page again.
 */
#include "tests/sim/canned.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "tests/sim/av.h"
#include "tests/sim/mem.h"
#include "tests/sim/sim.h"

/* Items [from, ...) that fit the page, at most `most`. Returns how many. */
static size_t render(struct canned_page *p, const struct table *t, size_t from,
                     size_t page_bytes, size_t most)
{
    *p = (struct canned_page){0};
    buf_init(&p->body, BUF_NO_LIMIT);
    buf_puts(&p->body, "{\"Items\":[");
    size_t i = from;
    for (; i < t->n && i - from < most; i++) {
        uint64_t size = t->items[i]->size;
        if (i > from && p->bytes + size > page_bytes)
            break;
        if (i > from)
            buf_putc(&p->body, ',');
        buf_add_str(&p->body, table_json(t->items[i]));
        p->bytes += size;
    }
    p->items = i - from;
    buf_addf(&p->body, "],\"Count\":%zu,\"ScannedCount\":%zu", i - from, i - from);
    p->crc = (uint32_t)crc32_z(0, (const Bytef *)p->body.p, p->body.len);
    return i - from;
}

void canned_init(struct canned *c, const struct table *t, size_t page_bytes,
                 const struct opt *o)
{
    *c = (struct canned){.total_items = o->canned_items ? (uint64_t)o->canned_items : t->n};
    uint64_t pooled = 0;
    uint64_t bytes = 0;
    size_t max = (size_t)o->canned_pages;
    c->pool = mem_zeroed(max * sizeof *c->pool);
    for (size_t from = 0; from < t->n && c->n < max && pooled < c->total_items; c->n++) {
        size_t left = (size_t)(c->total_items - pooled);
        from += render(&c->pool[c->n], t, from, page_bytes, left);
        pooled += c->pool[c->n].items;
        bytes += c->pool[c->n].bytes;
    }
    if (pooled == 0)
        return;
    uint64_t rounds = c->total_items / pooled;
    uint64_t rest = c->total_items % pooled;
    c->pages = rounds * c->n;
    c->total_bytes = rounds * bytes;
    size_t at = 0;
    for (size_t i = 0; rest > 0; i++, c->pages++) {
        const struct canned_page *p = &c->pool[i];
        if (p->items > rest) {
            (void)render(&c->last, t, at, page_bytes, (size_t)rest);
            p = &c->last;
        }
        rest -= p->items;
        at += p->items;
        c->total_bytes += p->bytes;
    }
}

void canned_release(struct canned *c)
{
    for (size_t i = 0; i < c->n; i++)
        buf_release(&c->pool[i].body);
    buf_release(&c->last.body);
    free(c->pool);
}

static const struct canned_page *page_at(const struct canned *c, uint64_t index)
{
    bool last = index + 1 == c->pages && c->last.items > 0;
    return last ? &c->last : &c->pool[index % c->n];
}

/* The sort key of a canned LastEvaluatedKey carries the number of the next page. */
static bool next_page(const struct table *t, const struct op_call *call, uint64_t *at)
{
    yyjson_val *esk = yyjson_obj_get(call->root, "ExclusiveStartKey");
    if (!esk)
        return true;
    yyjson_val *in;
    (void)av_type(yyjson_obj_get(esk, t->pk), &in);
    struct str text = av_text(in);
    size_t hash = str_find(text, STR("#"), 0);
    unsigned long long v = 0;
    bool ok = hash < text.n && str_uint(str_from(text, hash + 1), &v);
    *at = v;
    return ok;
}

static void add_tail(const struct table *t, const struct op_call *call, double units,
                     uint64_t next, struct buf *out)
{
    op_add_capacity(call, units, ",", out);
    if (next) {
        buf_addf(out, ",\"LastEvaluatedKey\":{\"%s\":{\"S\":\"CANNED#%llu\"}", t->pk,
                 (unsigned long long)next);
        if (t->sk)
            buf_addf(out, ",\"%s\":{\"S\":\"A\"}", t->sk);
        buf_putc(out, '}');
    }
    buf_putc(out, '}');
}

void canned_scan(struct canned *c, struct sim *s, const struct op_call *call, struct reply *r)
{
    yyjson_val *total_val = yyjson_obj_get(call->root, "TotalSegments");
    uint64_t total = total_val ? yyjson_get_uint(total_val) : 1;
    uint64_t segment = call->segment > 0 ? (uint64_t)call->segment : 0;
    uint64_t at = c->pages * segment / total;
    uint64_t end = c->pages * (segment + 1) / total;
    if (!next_page(&s->table, call, &at) || at > end) {
        reply_invalid(r, "The provided starting key is invalid");
        return;
    }
    uint64_t bytes = 0;
    if (at < end) {
        const struct canned_page *p = page_at(c, at);
        r->shared = buf_view(&p->body);
        r->crc = p->crc;
        bytes = p->bytes;
    } else {
        r->shared = STR("{\"Items\":[],\"Count\":0,\"ScannedCount\":0");
        r->crc = (uint32_t)crc32_z(0, (const Bytef *)r->shared.p, r->shared.n);
    }
    double units = op_read_units(call, bytes);
    add_tail(&s->table, call, units, at + 1 < end ? at + 1 : 0, &r->body);
    uint32_t tail = (uint32_t)crc32_z(0, (const Bytef *)r->body.p, r->body.len);
    r->crc = (uint32_t)crc32_combine(r->crc, tail, (z_off_t)r->body.len);
    r->crc_set = true;
    sim_charge(s, segment << 32, false, units, r);
}
