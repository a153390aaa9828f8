/* SPDX-License-Identifier: MIT */
/* Every change is one step under the lock, so that a failure comes before or after it. */
#include "tests/harness/bucket_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bucket_store {
    struct store base;
    struct bucket *b;
};

struct bucket *bucket_of(const struct store *s)
{
    return ((const struct bucket_store *)(const void *)s)->b;
}

void bucket_place(const struct store *s, struct store_key key, char out[FS_PATH])
{
    bool run = key.room == STORE_RUN;
    bool hidden = run || key.room == STORE_RUNS;
    fs_path(out, "%s%s%s%s", hidden ? ".renorm/" : "", run ? s->run : "",
            run && key.name[0] ? "/" : "", key.name);
}

static enum rc open_object(struct store *s, struct store_key key, struct bytes **out,
                           struct err *err)
{
    char name[FS_PATH];
    bucket_place(s, key, name);
    enum rc rc = bucket_alive(bucket_of(s), err);
    if (rc)
        return rc;
    *out = bucket_open(bucket_of(s), name);
    return *out ? RC_OK : RC_NONE;
}

/* lock: b->mu. One name for all that lies below a "/". */
static enum rc add_child(const struct bucket_object *o, const char *prefix, struct fs_list *out,
                         struct err *err)
{
    size_t n = strlen(prefix);
    char child[FS_PATH];
    if (strncmp(o->name, prefix, n) != 0)
        return RC_OK;
    fs_path(child, "%.*s", (int)strcspn(o->name + n, "/"), o->name + n);
    return fs_list_has(out, child) ? RC_OK : fs_list_add(out, child, err);
}

/* lock: b->mu. A run without its first object is what is left of a removed one. */
static void rename_leftovers(struct bucket *b, struct fs_list *runs)
{
    for (size_t i = 0; i < runs->n; i++) {
        char first[FS_PATH], left[FS_PATH];
        fs_path(first, ".renorm/%s/run.json", runs->names[i]);
        if (bucket_find(b, first))
            continue;
        fs_path(left, "left-%s", runs->names[i]);
        free(runs->names[i]);
        runs->names[i] = strdup(left);
    }
}

static enum rc list(struct store *s, struct store_key key, struct fs_list *out, struct err *err)
{
    char name[FS_PATH], prefix[FS_PATH + 1];
    struct bucket *b = bucket_of(s);
    *out = (struct fs_list){0};
    enum rc rc = bucket_alive(b, err);
    if (rc)
        return rc;
    bucket_place(s, key, name);
    size_t n = strlen(name);
    (void)snprintf(prefix, sizeof prefix, "%s%s", name, n && name[n - 1] != '/' ? "/" : "");
    pthread_mutex_lock(&b->mu);
    for (size_t i = 0; i < b->n && !rc; i++)
        rc = add_child(&b->objects[i], prefix, out, err);
    if (key.room == STORE_RUNS && !key.name[0])
        rename_leftovers(b, out);
    pthread_mutex_unlock(&b->mu);
    fs_list_sort(out);
    return rc;
}

static bool below(const char *name, const char *of)
{
    size_t n = strlen(of);
    return strncmp(name, of, n) == 0 && (name[n] == '\0' || name[n] == '/');
}

/* lock: b->mu. A run is over once its first object is gone. */
static struct bucket_object *next_to_remove(struct bucket *b, const char *name)
{
    char first[FS_PATH + 16];
    (void)snprintf(first, sizeof first, "%s/run.json", name);
    struct bucket_object *o = bucket_find(b, first);
    for (size_t i = 0; i < b->n && !o; i++) {
        if (below(b->objects[i].name, name))
            o = &b->objects[i];
    }
    return o;
}

static enum rc remove_object(struct store *s, struct store_key key, struct err *err)
{
    char name[FS_PATH];
    struct bucket *b = bucket_of(s);
    struct bucket_object *o = NULL;
    enum rc rc = RC_OK;
    if (key.room == STORE_RUNS && strncmp(key.name, "left-", 5) == 0)
        key.name += 5;
    bucket_place(s, key, name);
    pthread_mutex_lock(&b->mu);
    do {
        o = next_to_remove(b, name);
        if (o && bucket_step(b, &rc, err))
            bucket_drop(b, o);
    } while (o && !rc);
    pthread_mutex_unlock(&b->mu);
    return rc;
}

static enum rc create(struct store *s, struct store_key key, struct str text, bool *made,
                      struct err *err)
{
    char name[FS_PATH];
    struct bucket *b = bucket_of(s);
    enum rc rc = RC_OK;
    bucket_place(s, key, name);
    pthread_mutex_lock(&b->mu);
    *made = !bucket_find(b, name);
    if (bucket_step(b, &rc, err) && *made)
        bucket_put(b, name, text);
    pthread_mutex_unlock(&b->mu);
    return rc;
}

static enum rc replace(struct store *s, struct store_key key, struct str text, struct err *err)
{
    char name[FS_PATH];
    struct bucket *b = bucket_of(s);
    enum rc rc = RC_OK;
    bucket_place(s, key, name);
    pthread_mutex_lock(&b->mu);
    if (bucket_step(b, &rc, err))
        bucket_put(b, name, text);
    pthread_mutex_unlock(&b->mu);
    return rc;
}

struct upload {
    struct store_object base;
    struct bucket *b;
    struct buf bytes;
    bool whole;
    char name[FS_PATH];
};

static enum rc write_object(struct store_object *o, struct str bytes, struct err *err)
{
    struct upload *w = (struct upload *)(void *)o;
    buf_add_str(&w->bytes, bytes);
    enum rc rc = bucket_alive(w->b, err);
    return rc ? rc : buf_check(&w->bytes, err);
}

static enum rc sync_object(struct store_object *o, struct err *err)
{
    (void)o;
    return err_set(err, RC_SINK, "this store keeps nothing that is not finished");
}

static enum rc finish_object(struct store_object *o, struct err *err)
{
    struct upload *w = (struct upload *)(void *)o;
    enum rc rc = RC_OK;
    pthread_mutex_lock(&w->b->mu);
    bool taken = !w->whole && bucket_find(w->b, w->name);
    if (bucket_step(w->b, &rc, err) && !taken) {
        bucket_put(w->b, w->name, buf_view(&w->bytes));
        w->whole = true;
    }
    pthread_mutex_unlock(&w->b->mu);
    return !rc && taken ? err_set(err, RC_SINK, "\"%s\" exists", w->name) : rc;
}

static void close_object(struct store_object *o)
{
    struct upload *w = (struct upload *)(void *)o;
    buf_release(&w->bytes);
    free(w);
}

static enum rc begin(struct store *s, struct store_key key, bool secret,
                     struct store_object **out, struct err *err)
{
    static const struct store_object_ops OPS = {write_object, sync_object, finish_object,
                                                close_object};
    (void)secret;
    enum rc rc = bucket_alive(bucket_of(s), err);
    if (rc)
        return rc;
    struct upload *w = calloc(1, sizeof *w);
    if (!w)
        return err_nomem(err);
    w->base.ops = &OPS;
    w->b = bucket_of(s);
    bucket_place(s, key, w->name);
    buf_init(&w->bytes, BUF_NO_LIMIT);
    *out = &w->base;
    return RC_OK;
}

struct record_objects {
    struct store_log base;
    struct store *s;
    unsigned records;
    bool failed;
    char name[256];
};

static enum rc add_record(struct store_log *log, struct str record, struct err *err)
{
    struct record_objects *l = (struct record_objects *)(void *)log;
    char name[300];
    bool made = false;
    if (l->failed)
        return err_set(err, RC_TRANSIENT, "\"%s\" failed before", l->name);
    (void)snprintf(name, sizeof name, "%s/%06u", l->name, ++l->records);
    enum rc rc = create(l->s, store_key(STORE_RUN, name), record, &made, err);
    if (!rc && !made)
        rc = err_set(err, RC_SINK, "\"%s\" exists", name);
    l->failed = rc;
    return rc;
}

static void close_log(struct store_log *log)
{
    free(log);
}

static enum rc begin_log(struct store *s, const char *name, struct store_log **out,
                         struct err *err)
{
    static const struct store_log_ops OPS = {add_record, close_log};
    struct record_objects *l = calloc(1, sizeof *l);
    if (!l)
        return err_nomem(err);
    l->base.ops = &OPS;
    l->s = s;
    (void)snprintf(l->name, sizeof l->name, "%s", name);
    *out = &l->base;
    return RC_OK;
}

static enum rc read_log(struct store *s, const char *name, store_each *each, void *ctx,
                        struct err *err)
{
    struct fs_list records;
    char at[FS_PATH];
    enum rc rc = list(s, store_key(STORE_RUN, name), &records, err);
    if (!rc && !records.n)
        rc = RC_NONE;
    for (size_t i = 0; i < records.n && !rc; i++) {
        struct buf text;
        buf_init(&text, BUF_NO_LIMIT);
        fs_path(at, "%s/%s", name, records.names[i]);
        rc = store_read(s, store_key(STORE_RUN, at), &text, err);
        if (!rc)
            rc = each(ctx, buf_view(&text), err);
        buf_release(&text);
    }
    fs_list_release(&records);
    return rc;
}

static enum rc check(struct store *s, struct str plan, struct err *err)
{
    (void)plan;
    return bucket_alive(bucket_of(s), err);
}

static enum rc expect(struct store *s, const struct store_key *keys, size_t n, struct err *err)
{
    (void)keys;
    (void)n;
    return bucket_alive(bucket_of(s), err);
}

static void scratch(const struct store *s, char out[FS_PATH])
{
    (void)s;
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */
    fs_path(out, "%s", tmp ? tmp : "/tmp");
}

static bool busy(struct store *s, long *pid)
{
    (void)s;
    *pid = 0;
    return false;
}

static void close_store(struct store *s)
{
    free(s);
}

enum rc bucket_store_open(const char *address, void *ctx, struct store **out, struct err *err)
{
    static const struct store_ops OPS = {
        .place = bucket_place,
        .open = open_object,
        .list = list,
        .remove = remove_object,
        .create = create,
        .replace = replace,
        .begin = begin,
        .log = begin_log,
        .log_read = read_log,
        .manifest = bucket_manifest,
        .swap_plan = bucket_swap_plan,
        .swap = bucket_swap,
        .check = check,
        .expect = expect,
        .scratch = scratch,
        .busy = busy,
        .close = close_store,
    };
    (void)address;
    struct bucket_store *m = calloc(1, sizeof *m);
    if (!m)
        return err_nomem(err);
    m->base = (struct store){.ops = &OPS, .in_place = true};
    m->b = ctx;
    m->b->steps = 0;
    *out = &m->base;
    return RC_OK;
}
