/* SPDX-License-Identifier: MIT */
#include "tests/harness/memory_origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct memory_bytes {
    struct bytes base;
    const struct memory_object *object;
    struct memory_faults *faults;
    uint64_t from, arrived; /* the range that was fetched and is kept */
};

static const struct memory_origin *memory_of(const struct origin *o)
{
    return (const struct memory_origin *)(const void *)o;
}

static const struct memory_object *find(const struct origin *o, const char *name)
{
    for (size_t i = 0; i < MEMORY_OBJECTS; i++) {
        const struct memory_object *x = &memory_of(o)->objects[i];
        if (x->name && strcmp(x->name, name) == 0)
            return x;
    }
    return NULL;
}

static bool below(const char *name, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(name, folder, n) == 0 && name[n] == '/';
}

static enum rc walk(const struct origin *o, const char *folder,
                    enum rc (*found)(void *ctx, const char *name, struct err *err), void *ctx,
                    struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < MEMORY_OBJECTS && !rc; i++) {
        const char *name = memory_of(o)->objects[i].name;
        if (name && below(name, folder))
            rc = found(ctx, name, err);
    }
    return rc;
}

static enum rc look(const struct origin *o, const char *name, struct bytes_facts *out,
                    struct err *err)
{
    (void)err;
    const struct memory_object *x = find(o, name);
    *out = (struct bytes_facts){0};
    for (size_t i = 0; i < MEMORY_OBJECTS && !x && !out->folder; i++) {
        const char *other = memory_of(o)->objects[i].name;
        out->folder = other && below(other, name);
    }
    if (x)
        *out = (struct bytes_facts){.again = true, .size = x->data.len, .number = {7, 7}};
    return x || out->folder ? RC_OK : RC_NONE;
}

static enum rc read_at(struct bytes *base, uint64_t at, char *p, size_t n, size_t *got,
                       struct err *err)
{
    struct memory_bytes *b = (struct memory_bytes *)(void *)base;
    struct memory_faults *f = b->faults;
    *got = 0;
    assert_true(n > 0);
    if (f->late && (at < b->from || at >= b->arrived)) {
        b->from = at == b->arrived ? b->from : at;
        b->arrived = at + f->late;
        return RC_AGAIN;
    }
    if (at >= f->fail)
        return err_set(err, RC_TRANSIENT, "no answer at %llu", (unsigned long long)at);
    if (at >= b->object->data.len)
        return RC_END;
    uint64_t left = b->object->data.len - at;
    if (at < f->cut && f->cut - at < left)
        left = f->cut - at;
    if (at < f->fail && f->fail - at < left)
        left = f->fail - at;
    if (f->late && b->arrived - at < left)
        left = b->arrived - at;
    if (f->most && f->most < left)
        left = f->most;
    *got = left < n ? (size_t)left : n;
    memcpy(p, b->object->data.p + at, *got);
    return RC_OK;
}

static void expect(struct bytes *base, uint64_t at, uint64_t n)
{
    const struct memory_bytes *b = (const struct memory_bytes *)(const void *)base;
    assert_true(at <= b->object->data.len && n <= b->object->data.len - at);
}

static enum rc facts(struct bytes *base, struct bytes_facts *now, struct err *err)
{
    (void)err;
    const struct memory_bytes *b = (const struct memory_bytes *)(const void *)base;
    *now = (struct bytes_facts){
        .again = true, .size = b->object->data.len, .number = {7, b->faults->changed ? 8 : 7}};
    return RC_OK;
}

static void close_bytes(struct bytes *base)
{
    struct memory_bytes *b = (struct memory_bytes *)(void *)base;
    b->faults->open--;
    free(b);
}

static enum rc open_object(const struct origin *o, const char *name, struct bytes **out,
                           struct err *err)
{
    static const struct bytes_ops OPS = {
        .read_at = read_at, .expect = expect, .facts = facts, .close = close_bytes};
    const struct memory_object *x = find(o, name);
    if (!x)
        return err_set(err, RC_USAGE, "no \"%s\"", name);
    struct memory_bytes *b = calloc(1, sizeof *b);
    assert_non_null(b);
    *b = (struct memory_bytes){{&OPS}, x, memory_of(o)->shared, 0, 0};
    b->faults->open++;
    *out = &b->base;
    return RC_OK;
}

static enum rc whole_name(const struct origin *o, const char *name, struct buf *out,
                          struct err *err)
{
    (void)o;
    buf_addf(out, "memory://%s", name);
    return buf_check(out, err);
}

void memory_origin_init(struct memory_origin *m)
{
    static const struct origin_ops OPS = {
        .look = look, .open = open_object, .walk = walk, .whole_name = whole_name};
    *m = (struct memory_origin){{&OPS}, .faults = {.cut = UINT64_MAX, .fail = UINT64_MAX}};
    m->shared = &m->faults;
    for (size_t i = 0; i < MEMORY_OBJECTS; i++)
        buf_init(&m->objects[i].data, BUF_NO_LIMIT);
}

void memory_origin_release(struct memory_origin *m)
{
    assert_int_equal(m->faults.open, 0);
    for (size_t i = 0; i < MEMORY_OBJECTS; i++)
        buf_release(&m->objects[i].data);
}
