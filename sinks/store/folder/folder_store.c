/* SPDX-License-Identifier: MIT */
/*
 * Names become paths here. A run is removed by renaming it first, so that `run-*` is always one
 * that can be read; what a crash leaves of a removal lies among the runs under another name.
 */
#include "sinks/store/folder/folder_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline/base/bytes_file.h"
#include "pipeline/base/env.h"
#include "pipeline/item/timestamp.h"
#include "sinks/store/file_lock.h"
#include "sinks/store/folder/folder_private.h"
#include "sinks/store/fs_at.h"
#include "sinks/store/record_log.h"

void folder_place(const struct store *s, struct store_key key, char out[FS_PATH])
{
    const char *root = ((const struct folder_store *)(const void *)s)->out;
    const char *slash = key.name[0] ? "/" : "";
    switch (key.room) {
    case STORE_SHOWN:
        fs_path(out, "%s%s%s", root, slash, key.name);
        break;
    case STORE_NEW:
        fs_path(out, "%s/.renorm/%s/new%s%s", root, s->run, slash, key.name);
        break;
    case STORE_RUN:
        fs_path(out, "%s/.renorm/%s%s%s", root, s->run, slash, key.name);
        break;
    case STORE_RUNS:
        fs_path(out, "%s/.renorm%s%s", root, slash, key.name);
        break;
    }
}

static enum rc open_object(struct store *s, struct store_key key, struct bytes **out,
                           struct err *err)
{
    char path[FS_PATH];
    folder_place(s, key, path);
    int fd = fs_at_open(path, O_RDONLY, 0);
    if (fd >= 0)
        return bytes_file_new(fd, path, false, out, err);
    return errno == ENOENT ? RC_NONE
                           : err_errno(err, RC_TRANSIENT, errno, "cannot open \"%s\"", path);
}

/* The lock is no object. */
static void leave_out_lock(struct fs_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->names[i], "lock") != 0)
            continue;
        free(list->names[i]);
        memmove(&list->names[i], &list->names[i + 1], (--list->n - i) * sizeof *list->names);
    }
}

static enum rc list(struct store *s, struct store_key key, struct fs_list *out, struct err *err)
{
    char path[FS_PATH];
    folder_place(s, key, path);
    enum rc rc = fs_list(path, out, err);
    if (!rc && key.room == STORE_RUNS)
        leave_out_lock(out);
    return rc == RC_NONE ? RC_OK : rc;
}

static enum rc replace(struct store *s, struct store_key key, struct str text, struct err *err)
{
    char path[FS_PATH];
    folder_place(s, key, path);
    return fs_replace(path, text, err);
}

static enum rc remove_run(struct store *s, const char *path, struct err *err)
{
    char gone[FS_PATH];
    folder_place(s, store_key(STORE_RUNS, "gone"), gone);
    enum rc rc = fs_remove(gone, err);
    if (!rc && fs_at_rename(path, gone) != 0 && errno != ENOENT)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot rename \"%s\"", path);
    store_point(s, "publish:gone");
    return rc ? rc : fs_remove(gone, err);
}

static enum rc remove_object(struct store *s, struct store_key key, struct err *err)
{
    char path[FS_PATH];
    folder_place(s, key, path);
    if (key.room != STORE_RUNS)
        return fs_remove(path, err);
    enum rc rc = folder_check_run(path, err);
    if (rc)
        return rc;
    return strncmp(key.name, "run-", 4) == 0 ? remove_run(s, path, err) : fs_remove(path, err);
}

/* Syncs the folder unless it is the one that was synced last. */
static enum rc sync_once(const char *path, char last[FS_PATH], struct err *err)
{
    if (strcmp(path, last) == 0)
        return RC_OK;
    fs_path(last, "%s", path);
    return fs_sync_dir(path, err);
}

/* The folders are durable before the first file in them is. */
static enum rc expect(struct store *s, const struct store_key *keys, size_t n, struct err *err)
{
    char path[FS_PATH], last[FS_PATH] = "";
    enum rc rc = RC_OK;
    for (size_t i = 0; i < n && !rc; i++) {
        folder_place(s, keys[i], path);
        rc = fs_mkdirs(path, err);
    }
    for (size_t i = 0; i < n && !rc; i++) {
        folder_place(s, keys[i], path);
        *strrchr(path, '/') = '\0';
        rc = sync_once(path, last, err);
    }
    folder_place(s, store_key(STORE_RUN, ""), path);
    return rc ? rc : sync_once(path, last, err);
}

/* A log is one file, to which records are appended. */
static enum rc begin_log(struct store *s, const char *name, struct store_log **out,
                         struct err *err)
{
    char path[FS_PATH];
    folder_place(s, store_key(STORE_RUN, name), path);
    return record_log_new(path, 0666, out, err);
}

static enum rc read_log(struct store *s, const char *name, store_each *each, void *ctx,
                        struct err *err)
{
    char path[FS_PATH];
    folder_place(s, store_key(STORE_RUN, name), path);
    return record_log_read(path, each, ctx, err);
}

static void scratch(const struct store *s, char out[FS_PATH])
{
    folder_place(s, store_key(STORE_RUN, ""), out);
}

static bool busy(struct store *s, long *pid)
{
    char path[FS_PATH];
    folder_place(s, store_key(STORE_RUNS, "lock"), path);
    return file_lock_held(path, pid);
}

static enum rc under_way(const struct folder_store *f, const char *path, struct err *err)
{
    struct buf who;
    buf_init(&who, BUF_NO_LIMIT);
    file_lock_who(path, &who);
    (void)err_set(err, RC_TRANSIENT, "an export to \"%s\" is under way (%s)", f->out,
                  buf_cstr(&who));
    buf_release(&who);
    return err_hint(err, "wait for it to end, or stop it");
}

static void add_signature(struct buf *text)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        memcpy(host, "?", 2);
    buf_addf(text, "pid %ld on %s since ", (long)getpid(), host);
    timestamp_add_stamp(text, env_real.now_us(env_real.ctx));
}

static enum rc take_lock(struct folder_store *f, struct err *err)
{
    char path[FS_PATH];
    struct buf who;
    folder_place(&f->base, store_key(STORE_RUNS, ""), path);
    enum rc rc = fs_mkdirs(path, err);
    if (rc)
        return rc;
    buf_init(&who, 512);
    add_signature(&who);
    folder_place(&f->base, store_key(STORE_RUNS, "lock"), path);
    rc = file_lock_take(path, 0666, buf_view(&who), &f->lock, err);
    buf_release(&who);
    return rc == RC_AGAIN ? under_way(f, path, err) : rc;
}

static void close_folder(struct store *s)
{
    struct folder_store *f = folder_of(s);
    if (f->lock >= 0)
        (void)close(f->lock);
    free(f);
}

enum rc folder_store_look(const char *path, struct store **out, struct err *err)
{
    static const struct store_ops OPS = {
        .place = folder_place,
        .open = open_object,
        .list = list,
        .remove = remove_object,
        .create = folder_create,
        .replace = replace,
        .begin = folder_begin,
        .log = begin_log,
        .log_read = read_log,
        .manifest = folder_manifest,
        .swap_plan = folder_swap_plan,
        .swap = folder_swap,
        .check = folder_check,
        .expect = expect,
        .scratch = scratch,
        .busy = busy,
        .close = close_folder,
    };
    struct folder_store *f = calloc(1, sizeof *f);
    if (!f)
        return err_nomem(err);
    f->base = (struct store){.ops = &OPS, .keeps_synced = true};
    f->lock = -1;
    fs_path(f->out, "%s", path);
    *out = &f->base;
    return RC_OK;
}

enum rc folder_store_open(const char *address, void *ctx, struct store **out, struct err *err)
{
    (void)ctx;
    struct store *s = NULL;
    enum rc rc = folder_check_target(address, err);
    if (!rc)
        rc = folder_store_look(address, &s, err);
    if (!rc)
        rc = take_lock(folder_of(s), err);
    if (rc) {
        store_close(s);
    } else {
        *out = s;
    }
    return rc;
}
