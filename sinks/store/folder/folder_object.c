/* SPDX-License-Identifier: MIT */
/*
 * An object is a file under its own name from the beginning: all of the run's rooms are hidden
 * until the swap, and how much of an unfinished file counts is what the ledger says of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/store/folder/folder_private.h"
#include "sinks/store/fs_at.h"

struct folder_object {
    struct store_object base;
    int fd;
    bool fresh; /* its name is not durable yet; used by sync and finish alone */
    char path[];
};

static enum rc write_object(struct store_object *o, struct str bytes, struct err *err)
{
    const struct folder_object *f = (const struct folder_object *)(void *)o;
    return fs_write(f->fd, bytes, f->path, err);
}

static enum rc sync_object(struct store_object *o, struct err *err)
{
    struct folder_object *f = (struct folder_object *)(void *)o;
    if (fdatasync(f->fd) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot sync \"%s\"", f->path);
    enum rc rc = f->fresh ? fs_sync_parent(f->path, err) : RC_OK;
    if (!rc)
        f->fresh = false;
    return rc;
}

static void close_object(struct store_object *o)
{
    struct folder_object *f = (struct folder_object *)(void *)o;
    (void)close(f->fd);
    free(f);
}

enum rc folder_begin(struct store *s, struct store_key key, bool secret,
                     struct store_object **out, struct err *err)
{
    /* a file is whole when its last byte is durable: finish is one more sync */
    static const struct store_object_ops OPS = {write_object, sync_object, sync_object,
                                                close_object};
    char path[FS_PATH];
    folder_place(s, key, path);
    size_t n = strlen(path) + 1;
    struct folder_object *f = malloc(sizeof *f + n);
    if (!f)
        return err_nomem(err);
    memcpy(f->path, path, n);
    f->base.ops = &OPS;
    f->fresh = true;
    f->fd = fs_at_open(path, O_WRONLY | O_CREAT | O_EXCL, secret ? 0600 : 0666);
    if (f->fd < 0) {
        free(f);
        return err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", path);
    }
    *out = &f->base;
    return RC_OK;
}

/* A run's folder comes into being with its first object in it. */
static enum rc create_run(struct store *s, const char *name, struct str text, struct err *err)
{
    char fresh[FS_PATH], path[FS_PATH], run[FS_PATH];
    folder_place(s, store_key(STORE_RUNS, "fresh"), fresh);
    folder_place(s, store_key(STORE_RUN, ""), run);
    fs_path(path, "%s/%s", fresh, name);
    enum rc rc = fs_remove(fresh, err);
    if (!rc)
        rc = fs_mkdirs(fresh, err);
    if (!rc)
        rc = fs_replace(path, text, err);
    return rc ? rc : fs_swap(fresh, run, err);
}

/* Gives a whole file its name in one step. */
static enum rc link_file(const char *from, const char *path, bool *made, struct err *err)
{
    *made = fs_at_link(from, path) == 0;
    if (!*made && errno != EEXIST)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", path);
    enum rc rc = *made ? fs_sync_parent(path, err) : RC_OK;
    enum rc gone = fs_remove(from, err);
    return rc ? rc : gone;
}

enum rc folder_create(struct store *s, struct store_key key, struct str text, bool *made,
                      struct err *err)
{
    char path[FS_PATH], whole[FS_PATH], run[FS_PATH];
    struct stat st;
    folder_place(s, store_key(STORE_RUN, ""), run);
    if (key.room == STORE_RUN && fs_at_stat(run, &st) != 0 && errno == ENOENT) {
        *made = true;
        return create_run(s, key.name, text, err);
    }
    folder_place(s, key, path);
    folder_place(s, store_key(STORE_RUNS, ""), run);
    fs_path(whole, "%s/made-%u", run, atomic_fetch_add(&folder_of(s)->created, 1));
    enum rc rc = fs_replace(whole, text, err);
    return rc ? rc : link_file(whole, path, made, err);
}
