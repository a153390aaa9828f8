/* SPDX-License-Identifier: MIT */
/* The ledger is read as recovery reads it; a record that is being written is not there yet. */
#define _GNU_SOURCE
#include "sinks/jsonl_status.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <yyjson.h>

#include "sinks/jsonl_log.h"

static void look_at_lock(const char *out, struct jsonl_status *st)
{
    char path[FS_PATH], text[64] = "";
    fs_path(path, "%s/.renorm/lock", out);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    /* asked, not taken: looking must not keep an export from starting */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    st->under_way = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (st->under_way && read(fd, text, sizeof text - 1) > 0)
        (void)sscanf(text, "pid %ld", &st->pid);
    close(fd);
}

static struct str text(yyjson_val *obj, const char *name)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    return str_make(yyjson_get_str(v), yyjson_get_len(v));
}

static enum rc read_identity(const char *run, struct jsonl_status *st, struct err *err)
{
    char path[FS_PATH];
    struct buf b;
    fs_path(path, "%s/run.json", run);
    buf_init(&b, BUF_NO_LIMIT);
    enum rc rc = fs_read(path, &b, err);
    yyjson_doc *doc = rc ? NULL : yyjson_read(b.p, b.len, 0);
    buf_release(&b);
    if (rc)
        return rc;
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *tables = yyjson_obj_get(yyjson_obj_get(root, "schema"), "tables"), *t;
    size_t i, n;
    st->doc = doc;
    st->version = text(root, "version");
    st->name = text(root, "name");
    st->model_hash = text(root, "model_hash");
    st->source = text(root, "source");
    st->started_us = yyjson_get_sint(yyjson_obj_get(root, "now_us"));
    st->segments = (uint32_t)yyjson_get_uint(yyjson_obj_get(root, "segments"));
    st->resumable = yyjson_get_bool(yyjson_obj_get(root, "resumable"));
    st->tables = calloc(yyjson_arr_size(tables) + 1, sizeof *st->tables);
    if (!st->tables)
        return err_nomem(err);
    yyjson_arr_foreach(tables, i, n, t)
    {
        st->tables[st->ntables++] = text(t, "name");
    }
    return RC_OK;
}

static enum rc read_run(const char *run, struct jsonl_status *st, struct err *err)
{
    char path[FS_PATH];
    struct fs_list list = {0};
    enum rc rc = read_identity(run, st, err);
    if (!rc)
        rc = fs_list(run, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        if (strncmp(list.names[i], "log-", 4) != 0)
            continue;
        fs_path(path, "%s/%s", run, list.names[i]);
        rc = jsonl_log_read(path, jsonl_state_apply, &st->state, err);
        rc = rc == RC_END ? RC_OK : rc;
    }
    fs_list_release(&list);
    st->unfinished = !rc;
    return rc == RC_END ? RC_OK : rc; /* the run ended while we looked */
}

enum rc jsonl_status_read(const char *out, struct jsonl_status *st, struct err *err)
{
    char dir[FS_PATH], path[FS_PATH];
    struct fs_list list = {0};
    *st = (struct jsonl_status){0};
    jsonl_state_init_bare(&st->state);
    fs_path(dir, "%s/.renorm", out);
    look_at_lock(out, st);
    enum rc rc = fs_list(dir, &list, err);
    if (rc == RC_END) {
        fs_path(path, "%s/manifest.json", out);
        if (access(path, R_OK) == 0)
            return RC_OK;
        return err_set(err, RC_USAGE, "\"%s\" holds no export", out);
    }
    for (size_t i = 0; i < list.n && !rc; i++) {
        if (strncmp(list.names[i], "run-", 4) != 0)
            continue;
        fs_path(path, "%s/%s", dir, list.names[i]);
        rc = read_run(path, st, err);
        break;
    }
    fs_list_release(&list);
    if (rc)
        jsonl_status_release(st);
    return rc;
}

void jsonl_status_release(struct jsonl_status *st)
{
    jsonl_state_release(&st->state);
    free(st->tables);
    yyjson_doc_free(st->doc);
    *st = (struct jsonl_status){0};
}

uint64_t jsonl_status_rows(const struct jsonl_status *st, size_t table)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < st->state.nfiles; i++) {
        const struct jsonl_file *f = &st->state.files[i];
        if (f->stream == table && !f->dropped)
            rows += f->rows;
    }
    return rows;
}
