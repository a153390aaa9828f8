/* SPDX-License-Identifier: MIT */
/*
 * The items are written to a file of lines, which is exported like any other source. So the code
 * that makes their rows is the code that made the rows they are compared with.
 */
#include "pipeline/compare/reread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline/source/files/files.h"
#include "pipeline/source/table/get_item.h"

enum { FLUSH = 1 << 20 };

void reread_keys_init(struct reread_keys *k)
{
    arena_init(&k->arena, 1 << 16);
    map_init(&k->map);
}

void reread_keys_release(struct reread_keys *k)
{
    arena_release(&k->arena);
    map_release(&k->map);
}

bool reread_add(struct reread_keys *k, struct str source_key)
{
    if (map_get(&k->map, source_key) != MAP_NONE)
        return true;
    struct str own = arena_dup(&k->arena, source_key);
    return own.p && !map_put(&k->map, own, 0);
}

/* ---- items --------------------------------------------------------------------------------- */

/* GetItem wants exactly the table's key, and knows nothing of indexes. */
static enum rc check_source(const struct reexport *first, struct err *err)
{
    struct scan_facts f = scan_facts(first->source);
    if (f.index)
        return err_set(err, RC_USAGE, "items of an index cannot be read one by one");
    const struct names *key = &first->plan->key;
    bool same = key->n == f.table->schema.n;
    for (uint32_t i = 0; same && i < key->n; i++) {
        bool found = false;
        for (size_t j = 0; j < f.table->schema.n; j++)
            found |= str_eq(f.table->schema.keys[j].name, key->v[i]);
        same = found;
    }
    return same ? RC_OK : err_set(err, RC_USAGE, "the model's key is not the table's");
}

struct items_file {
    FILE *file;
    const char *path;
    struct buf out;
};

static enum rc write_out(struct items_file *to, struct err *err)
{
    size_t n = to->out.len;
    enum rc rc = buf_check(&to->out, err);
    if (!rc && n && fwrite(to->out.p, 1, n, to->file) != n)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", to->path);
    buf_clear(&to->out);
    return rc;
}

static enum rc read_items(const struct reread_keys *k, const struct reexport *first,
                          struct items_file *to, struct err *err)
{
    struct get_item *get = NULL;
    enum rc rc = get_item_new(first->source, &get, err);
    for (size_t i = 0; !rc && i < k->map.cap; i++) {
        if (!k->map.entries[i].used)
            continue;
        if (atomic_load(first->stop))
            rc = err_set(err, RC_CANCEL, "interrupted");
        if (!rc)
            rc = get_item_read(get, k->map.entries[i].key, &to->out, err);
        if (!rc && to->out.len >= FLUSH)
            rc = write_out(to, err);
    }
    get_item_free(get);
    return !rc ? write_out(to, err) : rc;
}

static FILE *make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !file)
        (void)close(fd);
    return file;
}

enum rc reread_items(const struct reread_keys *k, const struct reexport *first,
                     const char *path, bool *any, struct err *err)
{
    enum rc rc = check_source(first, err);
    if (rc || k->map.count == 0)
        return rc;
    struct items_file to = {.file = make_file(path), .path = path};
    if (!to.file)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", path);
    buf_init(&to.out, BUF_NO_LIMIT);
    rc = read_items(k, first, &to, err);
    *any = ftell(to.file) > 0;
    if (fclose(to.file) != 0 && !rc)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    buf_release(&to.out);
    return rc;
}

enum rc reread_rows(const struct reexport *first, const char *path, const char *name,
                    struct err *err)
{
    struct reexport again = *first;
    struct files_options opts = {.paths = &path, .npaths = 1};
    enum rc rc = files_open(&opts, &again.source, err);
    again.name = name;
    again.origins = NULL;
    if (!rc) {
        rc = reexport(&again, err);
        again.source->ops->free(again.source);
    }
    return rc;
}
