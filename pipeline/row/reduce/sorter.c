/* SPDX-License-Identifier: MIT */
/*
 * Entries are kept as bytes in one block with a list of offsets. A full block is sorted,
 * folded and written as a run; when there are many runs they are merged into one, so that the
 * number of open files is bounded too.
 */
#define _GNU_SOURCE
#include "pipeline/row/reduce/sorter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/base/tmp_file.h"

enum { MAX_RUNS = 32, PATH = 4096 };

/* What precedes the bytes of an entry. */
struct head {
    uint32_t size; /* with the head */
    uint32_t column;
    uint32_t key, value, min_source, max_source, order, order_source;
    uint32_t kind, flags;
    uint64_t count;
};

struct cursor {
    FILE *file; /* NULL: the block in memory */
    size_t at;  /* index into the offsets */
    struct buf bytes;
    struct sorter_entry e;
    bool taken, end;
};

struct sorter {
    char tmp[PATH];
    size_t memory;
    struct buf block;
    size_t *offsets;
    size_t n, cap;
    struct cursor memory_cursor;
    struct cursor runs[MAX_RUNS];
    uint32_t nruns;
    struct cursor *active[MAX_RUNS + 1]; /* what is being merged */
    uint32_t nactive;
    bool sorted;
    const atomic_bool *stop;
};

struct sorter *sorter_new(const char *tmp, size_t memory)
{
    struct sorter *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    (void)snprintf(s->tmp, sizeof s->tmp, "%s", tmp);
    s->memory = memory;
    buf_init(&s->block, BUF_NO_LIMIT);
    for (size_t i = 0; i < MAX_RUNS; i++)
        buf_init(&s->runs[i].bytes, BUF_NO_LIMIT);
    return s;
}

void sorter_free(struct sorter *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < MAX_RUNS; i++) {
        if (s->runs[i].file)
            (void)fclose(s->runs[i].file);
        buf_release(&s->runs[i].bytes);
    }
    buf_release(&s->block);
    free(s->offsets);
    free(s);
}

/* A source key that repeats the smallest one is not stored again. */
static uint32_t length(struct str s, struct str min)
{
    return s.p == min.p && s.n == min.n ? UINT32_MAX : (uint32_t)s.n;
}

static void encode(struct buf *b, const struct sorter_entry *e)
{
    const struct reduce_value *v = &e->v;
    struct head h = {
        .column = e->column,
        .key = (uint32_t)e->key.n,
        .value = (uint32_t)v->value.n,
        .min_source = (uint32_t)v->min_source.n,
        .max_source = length(v->max_source, v->min_source),
        .order = (uint32_t)v->order.n,
        .order_source = length(v->order_source, v->min_source),
        .kind = (uint32_t)v->order_kind,
        .flags = v->seen << 1 | (v->owner ? 1 : 0),
        .count = v->count,
    };
    size_t start = b->len;
    buf_add(b, &h, sizeof h);
    buf_add_str(b, e->key);
    buf_add_str(b, v->value);
    buf_add_str(b, v->min_source);
    if (h.max_source != UINT32_MAX)
        buf_add_str(b, v->max_source);
    buf_add_str(b, v->order);
    if (h.order_source != UINT32_MAX)
        buf_add_str(b, v->order_source);
    while (b->len % 8 && !b->rc)
        buf_putc(b, '\0');
    h.size = (uint32_t)(b->len - start);
    if (!b->rc)
        memcpy(b->p + start, &h.size, sizeof h.size);
}

static struct str take(const char **p, uint32_t n)
{
    struct str s = {*p, n};
    *p += n;
    return s;
}

static struct sorter_entry decode(const char *p)
{
    struct head h;
    memcpy(&h, p, sizeof h);
    p += sizeof h;
    struct sorter_entry e = {.column = h.column};
    e.key = take(&p, h.key);
    e.v.value = take(&p, h.value);
    e.v.min_source = take(&p, h.min_source);
    e.v.max_source = h.max_source == UINT32_MAX ? e.v.min_source : take(&p, h.max_source);
    e.v.order = take(&p, h.order);
    e.v.order_source = h.order_source == UINT32_MAX ? e.v.min_source : take(&p, h.order_source);
    e.v.order_kind = (enum candidate_order)h.kind;
    e.v.owner = h.flags & 1;
    e.v.seen = h.flags >> 1;
    e.v.count = h.count;
    return e;
}

static int compare(const struct sorter_entry *a, const struct sorter_entry *b)
{
    int r = str_cmp(a->key, b->key);
    if (r)
        return r;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return str_cmp(a->v.value, b->v.value);
}

static int by_offset(const void *a, const void *b, void *block)
{
    struct sorter_entry x = decode((const char *)block + *(const size_t *)a);
    struct sorter_entry y = decode((const char *)block + *(const size_t *)b);
    return compare(&x, &y);
}

static void sort_block(struct sorter *s)
{
    if (s->n)
        qsort_r(s->offsets, s->n, sizeof *s->offsets, by_offset, s->block.p);
}

static enum rc failed(const struct sorter *s, const char *what, struct err *err)
{
    if (errno == ENOMEM)
        return err_nomem(err);
    return err_errno(err, RC_TRANSIENT, errno, "cannot %s a temporary file in \"%s\"", what,
                     s->tmp);
}

static enum rc open_tmp(const struct sorter *s, FILE **out, struct err *err)
{
    *out = tmp_file_open(s->tmp);
    return *out ? RC_OK : failed(s, "make", err);
}

/* Memory: folds as it goes. File: one entry. */
static enum rc advance(struct sorter *s, struct cursor *c, struct err *err)
{
    c->taken = false;
    if (!c->file) {
        c->end = c->at >= s->n;
        if (c->end)
            return RC_OK;
        c->e = decode(s->block.p + s->offsets[c->at++]);
        while (c->at < s->n) {
            struct sorter_entry more = decode(s->block.p + s->offsets[c->at]);
            if (compare(&more, &c->e) != 0)
                break;
            reduce_fold(&c->e.v, &more.v);
            c->at++;
        }
        return RC_OK;
    }
    uint32_t size;
    buf_clear(&c->bytes);
    if (fread(&size, sizeof size, 1, c->file) != 1) {
        c->end = true;
        return ferror(c->file) ? failed(s, "read", err) : RC_OK;
    }
    if (size < sizeof(struct head) || !buf_room(&c->bytes, size))
        return err_nomem(err);
    memcpy(c->bytes.p, &size, sizeof size);
    if (fread(c->bytes.p + sizeof size, size - sizeof size, 1, c->file) != 1)
        return failed(s, "read", err);
    c->e = decode(c->bytes.p);
    return RC_OK;
}

/* The next folded entry of all active cursors. */
static enum rc merge_next(struct sorter *s, struct sorter_entry *out, struct err *err)
{
    struct cursor *first = NULL;
    if (s->stop && atomic_load_explicit(s->stop, memory_order_relaxed)) {
        (void)err_set(err, RC_CANCEL, "interrupted");
        return RC_CANCEL;
    }
    for (uint32_t i = 0; i < s->nactive; i++) {
        struct cursor *c = s->active[i];
        enum rc rc = c->taken ? advance(s, c, err) : RC_OK;
        if (rc)
            return rc;
        if (!c->end && (!first || compare(&c->e, &first->e) < 0))
            first = c;
    }
    if (!first)
        return RC_END;
    *out = first->e;
    first->taken = true;
    for (uint32_t i = 0; i < s->nactive; i++) {
        struct cursor *c = s->active[i];
        if (c->end || c->taken || compare(&c->e, out) != 0)
            continue;
        reduce_fold(&out->v, &c->e.v);
        c->taken = true;
    }
    return RC_OK;
}

/* Merging begins: of the block in memory, and of the runs too if asked. */
static void activate(struct sorter *s, bool runs)
{
    s->nactive = 0;
    s->active[s->nactive++] = &s->memory_cursor;
    for (uint32_t i = 0; runs && i < s->nruns; i++)
        s->active[s->nactive++] = &s->runs[i];
    for (uint32_t i = 0; i < s->nactive; i++) {
        struct cursor *c = s->active[i];
        c->taken = true;
        c->end = false;
        c->at = 0;
        if (c->file)
            rewind(c->file);
    }
}

static enum rc merge_out(struct sorter *s, FILE *to, struct err *err)
{
    struct sorter_entry e;
    struct buf b;
    enum rc rc;
    buf_init(&b, BUF_NO_LIMIT);
    while (!(rc = merge_next(s, &e, err))) {
        buf_clear(&b);
        encode(&b, &e);
        rc = buf_check(&b, err);
        if (!rc && fwrite(b.p, b.len, 1, to) != 1)
            rc = failed(s, "write", err);
        if (rc)
            break;
    }
    buf_release(&b);
    if (rc == RC_END)
        rc = fflush(to) == 0 ? RC_OK : failed(s, "write", err);
    return rc;
}

/* The block becomes a run; when the last place is reached, everything becomes one run. */
static enum rc spill(struct sorter *s, struct err *err)
{
    FILE *to = NULL;
    enum rc rc = open_tmp(s, &to, err);
    if (rc)
        return rc;
    bool all = s->nruns == MAX_RUNS - 1;
    sort_block(s);
    activate(s, all);
    rc = merge_out(s, to, err);
    for (uint32_t i = 0; all && i < s->nruns; i++) {
        (void)fclose(s->runs[i].file);
        s->runs[i].file = NULL;
    }
    if (all)
        s->nruns = 0;
    s->runs[s->nruns++].file = to;
    s->n = 0;
    buf_clear(&s->block);
    return rc;
}

enum rc sorter_add(struct sorter *s, const struct sorter_entry *e, struct err *err)
{
    size_t use = s->block.len + s->n * sizeof *s->offsets;
    if (s->n && use >= s->memory) {
        enum rc rc = spill(s, err);
        if (rc)
            return rc;
    }
    size_t *offsets = memory_push(s->offsets, s->n, &s->cap, 1024, sizeof *offsets);
    if (!offsets)
        return err_nomem(err);
    s->offsets = offsets;
    s->offsets[s->n] = s->block.len;
    encode(&s->block, e);
    s->n += !s->block.rc;
    return buf_check(&s->block, err);
}

void sorter_heed(struct sorter *s, const atomic_bool *stop)
{
    s->stop = stop;
}

void sorter_rewind(struct sorter *s)
{
    if (!s->sorted)
        sort_block(s);
    s->sorted = true;
    activate(s, true);
}

enum rc sorter_next(struct sorter *s, struct sorter_entry *out, struct err *err)
{
    return merge_next(s, out, err);
}
