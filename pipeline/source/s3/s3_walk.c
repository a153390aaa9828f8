/* SPDX-License-Identifier: MIT */
/*
 * A bucket has no folders: a folder is all keys that begin alike. They are listed once and sorted
 * as a walk of a local copy would meet them, so that a "/" comes before all else. A listing must
 * go forward, and is taken for endless beyond a million objects.
 */
#include <stdlib.h>

#include "pipeline/aws/s3/s3_list.h"
#include "pipeline/source/s3/s3_origin.h"

enum { QUERY_MAX = 64 << 10, OBJECTS_MAX = 1000000, EMPTY_MAX = 100 };

struct listing {
    struct s3_origin *origin;
    struct arena arena; /* of one page */
    struct s3_list list;
    struct buf query, last; /* the last key of the page before */
    size_t found, empty;
};

static bool read_page(struct s3_request *r, struct str body, void *ctx)
{
    (void)r;
    struct listing *l = ctx;
    return s3_list_page(&l->list, body);
}

static enum rc strange(const struct listing *l, const char *what, struct err *err)
{
    return err_set(err, RC_SOURCE, "the listing of %s %s", l->origin->root, what);
}

static enum rc note(struct listing *l, const struct s3_entry *e, struct err *err)
{
    struct s3_origin *o = l->origin;
    struct buf name;
    if (memchr(e->key.p, '\0', e->key.n))
        return strange(l, "has a key with a NUL byte, which cannot be read", err);
    buf_init(&name, BUF_NO_LIMIT);
    buf_addf(&name, "%s/%.*s", o->root, STR_FMT(e->key));
    struct s3_object *x = name.rc ? NULL : s3_origin_note(o, buf_cstr(&name));
    buf_release(&name);
    if (!x)
        return err_nomem(err);
    x->size = e->size;
    x->mtime_us = e->mtime_us;
    if (e->etag.n && !s3_origin_etag(o, x, e->etag))
        return err_nomem(err);
    x->known = e->etag.n > 0;
    return RC_OK;
}

/* Keys of a page lie below the folder and behind those of the page before. */
static enum rc take_page(struct listing *l, struct str prefix, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < l->list.n && !rc; i++) {
        if (!str_starts(l->list.entries[i].key, prefix)) {
            rc = strange(l, "has keys of another folder", err);
        } else {
            rc = note(l, &l->list.entries[i], err);
        }
    }
    if (rc || l->list.n == 0)
        return rc ? rc : ++l->empty < EMPTY_MAX ? RC_OK : strange(l, "does not end", err);
    if (l->last.len && str_cmp(buf_view(&l->last), l->list.entries[0].key) >= 0)
        return strange(l, "does not go forward", err);
    buf_clear(&l->last);
    buf_add_str(&l->last, l->list.entries[l->list.n - 1].key);
    l->empty = 0;
    l->found += l->list.n;
    if (l->found > OBJECTS_MAX) {
        (void)strange(l, "has more than a million objects, or does not end", err);
        return err_hint(err, "name a prefix that holds fewer");
    }
    return buf_check(&l->last, err);
}

static enum rc ask_page(struct listing *l, struct str prefix, struct err *err)
{
    struct s3_request r;
    s3_request_init(&r);
    buf_clear(&l->query);
    s3_list_query(&l->list, prefix, &l->query);
    arena_clear(&l->arena);
    l->list.entries = NULL;
    l->list.n = l->list.cap = 0;
    r.op = "ListObjectsV2";
    r.method = "GET";
    r.query = buf_view(&l->query);
    r.read = read_page;
    r.ctx = l;
    enum rc rc = buf_check(&l->query, err);
    if (!rc)
        rc = s3_call(&l->origin->s3, l->origin->link->loop, &r, err);
    s3_request_release(&r);
    return rc;
}

enum rc s3_walk_list(struct s3_origin *o, struct str folder, bool one_page, size_t *n,
                     struct err *err)
{
    struct listing l = {.origin = o};
    struct str prefix = str_from(folder, strlen(o->root) + 1);
    arena_init(&l.arena, 64 << 10);
    s3_list_init(&l.list, &l.arena);
    buf_init(&l.query, QUERY_MAX);
    buf_init(&l.last, QUERY_MAX);
    enum rc rc = RC_OK;
    do {
        rc = ask_page(&l, prefix, err);
        if (!rc)
            rc = take_page(&l, prefix, err);
    } while (!rc && l.list.more && (!one_page || l.found == 0));
    if (!rc && !l.list.more) {
        buf_clear(&o->listed);
        buf_add_str(&o->listed, folder);
        rc = buf_check(&o->listed, err);
    }
    *n = l.found;
    s3_list_release(&l.list);
    buf_release(&l.query);
    buf_release(&l.last);
    arena_release(&l.arena);
    return rc;
}

/* As a depth-first walk by sorted names would meet them. */
static int by_path(const void *a, const void *b)
{
    const char *x = (*(const struct s3_object *const *)a)->name;
    const char *y = (*(const struct s3_object *const *)b)->name;
    while (*x && *x == *y)
        x++, y++;
    unsigned char c = (unsigned char)*x, d = (unsigned char)*y;
    return (c == '/' ? 1 : c + (c != 0)) - (d == '/' ? 1 : d + (d != 0));
}

/* What a walk leaves out: hidden names, and the marks that some tools leave for folders. */
static bool is_input(const char *name, size_t folder)
{
    size_t n = strlen(name);
    return name[n - 1] != '/' && name[folder] != '.' && !strstr(name + folder, "/.");
}

static enum rc sorted(struct s3_origin *o, struct str folder, struct s3_object ***out,
                      size_t *n, struct err *err)
{
    *n = 0;
    *out = calloc(o->n ? o->n : 1, sizeof(struct s3_object *));
    if (!*out)
        return err_nomem(err);
    for (size_t i = 0; i < o->n; i++) {
        const char *name = o->objects[i]->name;
        if (str_starts(str_of(name), folder) && o->objects[i]->known &&
            is_input(name, folder.n))
            (*out)[(*n)++] = o->objects[i];
    }
    qsort((void *)*out, *n, sizeof(struct s3_object *), by_path);
    return RC_OK;
}

enum rc s3_walk(const struct origin *base, const char *folder,
                enum rc (*found)(void *ctx, const char *name, struct err *err), void *ctx,
                struct err *err)
{
    struct s3_origin *o = (struct s3_origin *)(uintptr_t)base;
    struct s3_object **list = NULL;
    struct buf name;
    size_t n = 0;
    buf_init(&name, BUF_NO_LIMIT);
    buf_addf(&name, "%s/", folder);
    enum rc rc = buf_check(&name, err);
    bool there = o->listed.len && str_starts(buf_view(&name), buf_view(&o->listed));
    if (!rc && !there)
        rc = s3_walk_list(o, buf_view(&name), false, &n, err);
    if (!rc)
        rc = sorted(o, buf_view(&name), &list, &n, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = found(ctx, list[i]->name, err);
    free((void *)list);
    buf_release(&name);
    return rc;
}
