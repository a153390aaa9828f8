/* SPDX-License-Identifier: MIT */
/*
 * The items go through a file of lines, which is then a source like any other: so what they
 * make is made by the code that made the rows they are compared with.
 */
#include "cmd/reread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <xxhash.h>

#include "pipeline/source/files.h"
#include "pipeline/source/scan_get.h"
#include "sinks/fs.h"

enum { FLUSH = 1 << 20 };

void reread_keys_init(struct reread_keys *k)
{
    *k = (struct reread_keys){0};
    arena_init(&k->arena, 1 << 16);
}

void reread_keys_release(struct reread_keys *k)
{
    arena_release(&k->arena);
    free(k->v);
    k->v = NULL;
}

static struct str *place(const struct reread_keys *k, struct str key)
{
    size_t i = (size_t)XXH3_64bits(key.p, key.n) & (k->cap - 1);
    while (k->v[i].p && !str_eq(k->v[i], key))
        i = (i + 1) & (k->cap - 1);
    return &k->v[i];
}

static bool grow(struct reread_keys *k)
{
    struct reread_keys old = *k;
    k->cap = old.cap ? 2 * old.cap : 256;
    k->v = calloc(k->cap, sizeof *k->v);
    if (!k->v) {
        *k = old;
        return false;
    }
    for (size_t i = 0; i < old.cap; i++) {
        if (old.v[i].p)
            *place(k, old.v[i]) = old.v[i];
    }
    free(old.v);
    return true;
}

bool reread_add(struct reread_keys *k, struct str source_key)
{
    if (2 * k->n >= k->cap && !grow(k))
        return false;
    struct str *at = place(k, source_key);
    if (at->p)
        return true;
    *at = arena_dup(&k->arena, source_key);
    k->n += at->p != NULL;
    return at->p != NULL;
}

/* ---- items --------------------------------------------------------------------------------- */

/* GetItem wants exactly the table's key, and knows nothing of indexes. */
static enum rc check_source(const struct job *job, struct err *err)
{
    struct scan_facts f = scan_facts(job->source);
    if (f.index)
        return err_set(err, RC_USAGE, "items of an index cannot be read one by one");
    const struct names *key = &job->plan->key;
    bool same = key->n == f.table->schema.n;
    for (uint32_t i = 0; same && i < key->n; i++) {
        bool found = false;
        for (size_t j = 0; j < f.table->schema.n; j++)
            found |= str_eq(f.table->schema.keys[j].name, key->v[i]);
        same = found;
    }
    return same ? RC_OK : err_set(err, RC_USAGE, "the model's key is not the table's");
}

static enum rc read_items(const struct reread_keys *k, const struct job *job, struct buf *out,
                          int fd, struct err *err)
{
    struct scan_get *get = NULL;
    enum rc rc = scan_get_new(job->source, &get, err);
    for (size_t i = 0; !rc && i < k->cap; i++) {
        if (!k->v[i].p)
            continue;
        if (atomic_load(job->stop))
            rc = err_set(err, RC_CANCEL, "interrupted");
        if (!rc)
            rc = scan_get_item(get, k->v[i], out, err);
        if (!rc && out->len >= FLUSH) {
            rc = fs_write(fd, buf_view(out), "items read again", err);
            buf_clear(out);
        }
    }
    scan_get_free(get);
    return rc;
}

enum rc reread_items(const struct reread_keys *k, const struct job *job, const char *path,
                     bool *any, struct err *err)
{
    struct buf out;
    enum rc rc = check_source(job, err);
    if (rc || k->n == 0)
        return rc;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", path);
    buf_init(&out, BUF_NO_LIMIT);
    rc = read_items(k, job, &out, fd, err);
    if (!rc)
        rc = fs_write(fd, buf_view(&out), path, err);
    *any = lseek(fd, 0, SEEK_CUR) > 0;
    if (close(fd) != 0 && !rc)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    buf_release(&out);
    return rc;
}

enum rc reread_rows(const struct fresh *first, const char *path, const char *folder,
                    struct err *err)
{
    struct fresh again = *first;
    struct files_options opts = {.paths = &path, .npaths = 1};
    enum rc rc = files_open(&opts, &again.source, err);
    again.folder = folder;
    again.trail = NULL;
    if (!rc) {
        rc = fresh_export(&again, err);
        again.source->ops->free(again.source);
    }
    return rc;
}
