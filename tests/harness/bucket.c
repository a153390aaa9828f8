/* SPDX-License-Identifier: MIT */
/* One lock guards all of it; objects lie in the order in which they came until they are listed. */
#include "tests/harness/bucket.h"

#include <stdlib.h>
#include <string.h>

void bucket_init(struct bucket *b)
{
    *b = (struct bucket){.die_at = 0};
    pthread_mutex_init(&b->mu, NULL);
}

void bucket_drop(struct bucket *b, struct bucket_object *o)
{
    free(o->name);
    free(o->bytes);
    b->n--;
    memmove(o, o + 1, (size_t)(b->objects + b->n - o) * sizeof *o);
}

void bucket_release(struct bucket *b)
{
    while (b->n)
        bucket_drop(b, &b->objects[b->n - 1]);
    free(b->objects);
    pthread_mutex_destroy(&b->mu);
}

struct bucket_object *bucket_find(struct bucket *b, const char *name)
{
    for (size_t i = 0; i < b->n; i++) {
        if (strcmp(b->objects[i].name, name) == 0)
            return &b->objects[i];
    }
    return NULL;
}

void bucket_put(struct bucket *b, const char *name, struct str bytes)
{
    struct bucket_object *o = bucket_find(b, name);
    if (o) {
        free(o->bytes);
    } else {
        b->objects = realloc(b->objects, (b->n + 1) * sizeof *b->objects);
        o = &b->objects[b->n++];
        o->name = strdup(name);
    }
    o->bytes = malloc(bytes.n + 1);
    o->n = bytes.n;
    if (bytes.n)
        memcpy(o->bytes, bytes.p, bytes.n);
}

void bucket_set(struct bucket *b, const char *name, struct str bytes)
{
    pthread_mutex_lock(&b->mu);
    bucket_put(b, name, bytes);
    pthread_mutex_unlock(&b->mu);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct bucket_object *)a)->name,
                  ((const struct bucket_object *)b)->name);
}

char *bucket_names(struct bucket *b)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    pthread_mutex_lock(&b->mu);
    if (b->n)
        qsort(b->objects, b->n, sizeof *b->objects, by_name);
    for (size_t i = 0; i < b->n; i++)
        buf_addf(&text, "%s\n", b->objects[i].name);
    pthread_mutex_unlock(&b->mu);
    char *names = strdup(buf_cstr(&text));
    buf_release(&text);
    return names;
}

static enum rc dead(struct err *err)
{
    return err_set(err, RC_TRANSIENT, "the network is gone");
}

bool bucket_step(struct bucket *b, enum rc *rc, struct err *err)
{
    b->steps++;
    bool fails = b->die_at && b->steps >= b->die_at;
    *rc = fails ? dead(err) : RC_OK;
    return !fails || (b->lost_answer && b->steps == b->die_at);
}

enum rc bucket_alive(struct bucket *b, struct err *err)
{
    pthread_mutex_lock(&b->mu);
    bool gone = b->die_at && b->steps >= b->die_at;
    pthread_mutex_unlock(&b->mu);
    return gone ? dead(err) : RC_OK;
}

struct copy {
    struct bytes base;
    size_t n;
    char text[];
};

static enum rc read_at(struct bytes *b, uint64_t at, char *p, size_t n, size_t *got,
                       struct err *err)
{
    const struct copy *c = (const struct copy *)(void *)b;
    (void)err;
    *got = 0;
    if (at >= c->n)
        return RC_END;
    *got = c->n - at < n ? (size_t)(c->n - at) : n;
    memcpy(p, c->text + at, *got);
    return RC_OK;
}

static void expect(struct bytes *b, uint64_t at, uint64_t n)
{
    (void)b;
    (void)at;
    (void)n;
}

static enum rc facts(struct bytes *b, struct bytes_facts *now, struct err *err)
{
    (void)err;
    *now = (struct bytes_facts){.again = true, .size = ((const struct copy *)(void *)b)->n};
    return RC_OK;
}

static void close_copy(struct bytes *b)
{
    free(b);
}

struct bytes *bucket_open(struct bucket *b, const char *name)
{
    static const struct bytes_ops OPS = {
        .read_at = read_at, .expect = expect, .facts = facts, .close = close_copy};
    struct copy *c = NULL;
    pthread_mutex_lock(&b->mu);
    const struct bucket_object *o = bucket_find(b, name);
    if (o && (c = malloc(sizeof *c + o->n + 1))) {
        c->base.ops = &OPS;
        c->n = o->n;
        memcpy(c->text, o->bytes, o->n);
    }
    pthread_mutex_unlock(&b->mu);
    return c ? &c->base : NULL;
}
