/* SPDX-License-Identifier: MIT */
/* The listed items of a pass, gathered from its marks into one file that is replaced whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "sinks/dynamodb/journal/history.h"
#include "sinks/dynamodb/journal/logs.h"
#include "sinks/store/fs_at.h"

enum { FLUSH = 1 << 20 };

struct listing {
    int fd;
    char path[FS_PATH];
    struct buf text;
    uint64_t n;
};

static enum rc flush(struct listing *l, struct err *err)
{
    enum rc rc = buf_check(&l->text, err);
    if (!rc)
        rc = fs_write(l->fd, buf_view(&l->text), l->path, err);
    buf_clear(&l->text);
    return rc;
}

static enum rc see_listed(void *ctx, struct str json, struct err *err)
{
    struct listing *l = ctx;
    buf_add_str(&l->text, json);
    buf_putc(&l->text, '\n');
    l->n++;
    return l->text.len < FLUSH ? RC_OK : flush(l, err);
}

static enum rc see(void *ctx, struct log_name name, const struct entry *e, struct err *err)
{
    const struct mark_taker to = {.ctx = ctx, .listed = see_listed};
    (void)name;
    return e->kind == ENTRY_MARK ? entry_mark_read(e, &to, err) : RC_OK;
}

static enum rc put_in_place(const struct listing *l, const char *dir, struct err *err)
{
    char path[FS_PATH];
    fs_path(path, STATE_OWN "listed.jsonl", dir);
    if (fsync(l->fd) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot sync '%s'", l->path);
    if (fs_at_rename(l->path, path) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot rename to '%s'", path);
    return fs_sync_dir(dir, err);
}

enum rc history_list(const struct state *s, const struct pass_info *pass, uint64_t *n,
                     struct err *err)
{
    struct listing l = {.fd = -1};
    struct logs logs = {0};
    buf_init(&l.text, BUF_NO_LIMIT);
    fs_path(l.path, STATE_OWN "listed.jsonl.new", s->dir);
    enum rc rc = fs_remove(l.path, err);
    if (!rc)
        l.fd = fs_at_open(l.path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (!rc && l.fd < 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot make '%s'", l.path);
    if (!rc)
        rc = logs_find(&logs, s, pass->number, err);
    for (size_t i = 0; i < logs.n && !rc; i++)
        rc = logs_read(s, logs.v[i], see, &l, NULL, err);
    if (!rc)
        rc = flush(&l, err);
    if (!rc)
        rc = put_in_place(&l, s->dir, err);
    if (l.fd >= 0)
        close(l.fd);
    *n = l.n;
    logs_release(&logs);
    buf_release(&l.text);
    return rc;
}
