/* SPDX-License-Identifier: MIT */
/* A block that does not hold two lines is read again, twice as long. */
#include "sinks/dynamodb/journal/log_backward.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline/base/memory.h"
#include "sinks/store/fs_at.h"
#include "sinks/store/record_log.h"

enum { BLOCK = 1 << 20 };

void log_backward_init(struct log_backward *t)
{
    *t = (struct log_backward){.fd = -1};
    buf_init(&t->block, BUF_NO_LIMIT);
}

enum rc log_backward_open(struct log_backward *t, const char *path, uint64_t end,
                          struct err *err)
{
    log_backward_close(t);
    fs_path(t->path, "%s", path);
    t->end = end;
    if (end == 0)
        return RC_OK;
    t->fd = fs_at_open(path, O_RDONLY, 0);
    if (t->fd < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot open '%s'", path);
    return RC_OK;
}

void log_backward_close(struct log_backward *t)
{
    if (t->fd >= 0)
        close(t->fd);
    free(t->starts);
    buf_release(&t->block);
    log_backward_init(t);
}

static enum rc damaged(const struct log_backward *t, struct err *err)
{
    return err_set(err, RC_SINK, "the journal '%s' was changed while it was read", t->path);
}

static enum rc read_block(struct log_backward *t, uint64_t from, struct err *err)
{
    size_t want = (size_t)(t->end - from);
    buf_clear(&t->block);
    if (!buf_room(&t->block, want))
        return buf_check(&t->block, err);
    while (t->block.len < want) {
        ssize_t n = pread(t->fd, t->block.p + t->block.len, want - t->block.len,
                          (off_t)(from + t->block.len));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, RC_TRANSIENT, errno, "cannot read '%s'", t->path);
        if (n == 0)
            return damaged(t, err);
        t->block.len += (size_t)n;
    }
    return RC_OK;
}

static enum rc add_start(struct log_backward *t, size_t at, struct err *err)
{
    size_t *v = memory_push(t->starts, t->n, &t->cap, 256, sizeof *v);
    if (!v)
        return err_nomem(err);
    t->starts = v;
    t->starts[t->n++] = at;
    return RC_OK;
}

/* The lines that begin in the block; `whole`: so does the first. */
static enum rc find_starts(struct log_backward *t, bool whole, struct err *err)
{
    struct str text = buf_view(&t->block);
    enum rc rc = whole ? add_start(t, 0, err) : RC_OK;
    size_t at = 0;
    while (!rc) {
        at = str_find(text, STR("\n"), at) + 1;
        if (at >= text.n)
            break;
        rc = add_start(t, at, err);
    }
    return rc;
}

static enum rc load(struct log_backward *t, struct err *err)
{
    enum rc rc = RC_OK;
    uint64_t from = t->end;
    t->n = 0;
    for (uint64_t want = BLOCK; !rc && t->n <= t->spare; want *= 2) {
        from = t->end > want ? t->end - want : 0;
        t->n = 0;
        t->spare = from > 0;
        rc = read_block(t, from, err);
        if (!rc)
            rc = find_starts(t, from == 0, err);
        if (from == 0)
            break;
    }
    if (!rc && t->n <= t->spare)
        return damaged(t, err);
    if (!rc)
        t->end = from + t->starts[t->spare];
    return rc;
}

enum rc log_backward_prev(struct log_backward *t, struct str *json, struct err *err)
{
    if (t->n <= t->spare) {
        if (t->end == 0)
            return RC_END;
        enum rc rc = load(t, err);
        if (rc)
            return rc;
    }
    struct str text = buf_view(&t->block);
    size_t i = --t->n;
    uint64_t chain = 0, hash = 0;
    bool good = i == 0 || record_log_claim(str_from(text, t->starts[i - 1]), &chain);
    if (good && record_log_record(str_from(text, t->starts[i]), chain, json, &hash))
        return RC_OK;
    return damaged(t, err);
}
