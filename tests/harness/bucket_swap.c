/* SPDX-License-Identifier: MIT */
/*
 * The manifest is an object that is put if its tag is still the expected one. What the former
 * one named is kept with the run, so that a swap that was cut short removes it all the same.
 */
#include <stdio.h>
#include <string.h>

#include <xxhash.h>
#include <yyjson.h>

#include "tests/harness/bucket_store.h"

enum rc bucket_manifest(struct store *s, struct buf *text, struct store_version *version,
                        struct err *err)
{
    size_t before = text->len;
    *version = (struct store_version){{0}};
    enum rc rc = store_read(s, store_key(STORE_SHOWN, "manifest.json"), text, err);
    if (!rc) {
        (void)snprintf(version->tag, sizeof version->tag, "\"%llx\"",
                       (unsigned long long)XXH3_64bits(text->p + before, text->len - before));
    }
    return rc;
}

static enum rc keep(struct store *s, const char *name, struct str text, struct err *err)
{
    char at[FS_PATH];
    enum rc rc = RC_OK;
    struct bucket *b = bucket_of(s);
    bucket_place(s, store_key(STORE_RUN, name), at);
    pthread_mutex_lock(&b->mu);
    if (bucket_step(b, &rc, err))
        bucket_put(b, at, text);
    pthread_mutex_unlock(&b->mu);
    return rc;
}

enum rc bucket_swap_plan(struct store *s, const struct store_swap *what, struct buf *plan,
                         struct err *err)
{
    struct buf old;
    struct store_version now;
    buf_init(&old, BUF_NO_LIMIT);
    enum rc rc = bucket_manifest(s, &old, &now, err);
    if (!rc)
        rc = keep(s, "manifest.old", buf_view(&old), err);
    rc = rc == RC_NONE ? RC_OK : rc;
    if (!rc)
        rc = keep(s, "manifest.json", what->manifest, err);
    buf_putc(plan, '[');
    if (what->from.tag[0])
        buf_addf(plan, "\"%.*s\"", (int)strlen(what->from.tag) - 2, what->from.tag + 1);
    buf_putc(plan, ']');
    buf_release(&old);
    return rc;
}

static void add_parts(yyjson_val *table, struct fs_list *out)
{
    yyjson_val *files = yyjson_obj_get(table, "files"), *f;
    size_t i, n;
    yyjson_arr_foreach(files, i, n, f)
    {
        char name[FS_PATH];
        struct err err;
        fs_path(name, "%s/%s", yyjson_get_str(yyjson_obj_get(table, "folder")),
                yyjson_get_str(yyjson_obj_get(f, "name")));
        (void)!fs_list_add(out, name, &err);
    }
}

static void parts_of(struct str text, struct fs_list *out)
{
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *t;
    yyjson_val *tables = yyjson_obj_get(root, "tables");
    size_t i, n;
    yyjson_arr_foreach(tables, i, n, t)
    {
        add_parts(t, out);
    }
    add_parts(yyjson_obj_get(root, "rejects"), out);
    add_parts(yyjson_obj_get(root, "unrouted"), out);
    yyjson_doc_free(doc);
}

static enum rc remove_retired(struct store *s, struct str now, struct err *err)
{
    struct buf old;
    struct fs_list gone = {0}, kept = {0};
    buf_init(&old, BUF_NO_LIMIT);
    enum rc rc = store_read(s, store_key(STORE_RUN, "manifest.old"), &old, err);
    if (!rc)
        parts_of(buf_view(&old), &gone);
    parts_of(now, &kept);
    for (size_t i = 0; i < gone.n && !rc; i++) {
        if (!fs_list_has(&kept, gone.names[i]))
            rc = s->ops->remove(s, store_key(STORE_SHOWN, gone.names[i]), err);
    }
    fs_list_release(&gone);
    fs_list_release(&kept);
    buf_release(&old);
    return rc == RC_NONE ? RC_OK : rc;
}

/* A put with If-Match; if the manifest is this one already, the answer was lost before. */
static enum rc put_if(struct store *s, struct str plan, struct str text, bool *won,
                      struct err *err)
{
    struct bucket *b = bucket_of(s);
    enum rc rc = RC_OK;
    char tag[STORE_TAG] = "[]";
    pthread_mutex_lock(&b->mu);
    const struct bucket_object *now = bucket_find(b, "manifest.json");
    if (now) {
        (void)snprintf(tag, sizeof tag, "[\"%llx\"]",
                       (unsigned long long)XXH3_64bits(now->bytes, now->n));
    }
    bool ours = now && str_eq(str_make(now->bytes, now->n), text);
    *won = ours || str_is(plan, tag);
    if (!ours && *won && bucket_step(b, &rc, err))
        bucket_put(b, "manifest.json", text);
    pthread_mutex_unlock(&b->mu);
    return rc;
}

enum rc bucket_swap(struct store *s, struct str plan, bool *won, struct err *err)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = store_read(s, store_key(STORE_RUN, "manifest.json"), &text, err);
    if (rc == RC_NONE)
        rc = err_set(err, RC_SINK, "the run has no manifest");
    if (!rc)
        rc = put_if(s, plan, buf_view(&text), won, err);
    if (!rc && *won)
        rc = remove_retired(s, buf_view(&text), err);
    buf_release(&text);
    return rc;
}
