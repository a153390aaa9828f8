/* SPDX-License-Identifier: MIT */
/*
 * The hash of a record is seeded with that of the record before it, so that records cannot be
 * left out or change places unseen. After a failed write the file may end in half a record:
 * the log is then closed for good, and what follows belongs into a new one.
 */
#include "sinks/store/record_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <xxhash.h>

#include "sinks/store/fs_at.h"

enum { HASH = 16, RECORD_MAX = 1 << 30, CHUNK = 256 << 10 };

static void put_hash(char out[HASH], uint64_t h)
{
    static const char HEX[] = "0123456789abcdef";
    for (int i = HASH - 1; i >= 0; i--, h >>= 4)
        out[i] = HEX[h & 15];
}

static enum rc add(struct store_log *log, struct str record, struct err *err)
{
    return record_log_append((struct record_log *)(void *)log, record, err);
}

static void close_embedded(struct store_log *log)
{
    record_log_close((struct record_log *)(void *)log);
}

static void close_owned(struct store_log *log)
{
    close_embedded(log);
    free(log);
}

enum rc record_log_create(struct record_log *log, const char *path, mode_t mode,
                          struct err *err)
{
    static const struct store_log_ops OPS = {add, close_embedded};
    char dir[FS_PATH];
    log->base.ops = &OPS;
    fs_path(log->path, "%s", path);
    fs_path(dir, "%s", path);
    *strrchr(dir, '/') = '\0';
    log->chain = 0;
    log->fd = fs_at_open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, mode);
    if (log->fd < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", path);
    enum rc rc = fs_sync_dir(dir, err);
    if (rc)
        record_log_close(log);
    return rc;
}

enum rc record_log_new(const char *path, mode_t mode, struct store_log **out, struct err *err)
{
    static const struct store_log_ops OPS = {add, close_owned};
    struct record_log *log = malloc(sizeof *log);
    if (!log)
        return err_nomem(err);
    enum rc rc = record_log_create(log, path, mode, err);
    if (rc) {
        free(log);
        return rc;
    }
    log->base.ops = &OPS;
    *out = &log->base;
    return RC_OK;
}

enum rc record_log_append(struct record_log *log, struct str json, struct err *err)
{
    if (log->fd < 0)
        return err_set(err, RC_TRANSIENT, "\"%s\" failed before", log->path);
    uint64_t hash = XXH3_64bits_withSeed(json.p, json.n, log->chain);
    char head[HASH];
    struct buf line;
    put_hash(head, hash);
    buf_init(&line, BUF_NO_LIMIT);
    buf_add(&line, head, HASH);
    buf_putc(&line, ' ');
    buf_add_str(&line, json);
    buf_putc(&line, '\n');
    enum rc rc = buf_check(&line, err);
    if (!rc)
        rc = fs_write(log->fd, buf_view(&line), log->path, err);
    if (!rc && fdatasync(log->fd) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot sync \"%s\"", log->path);
    buf_release(&line);
    if (rc) {
        record_log_close(log);
    } else {
        log->chain = hash;
    }
    return rc;
}

void record_log_close(struct record_log *log)
{
    if (log->fd >= 0)
        close(log->fd);
    log->fd = -1;
}

bool record_log_record(struct str text, uint64_t chain, struct str *json, uint64_t *hash)
{
    const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;
    if (!nl || nl - text.p < HASH + 1)
        return false;
    *json = str_make(text.p + HASH + 1, (size_t)(nl - text.p) - HASH - 1);
    *hash = XXH3_64bits_withSeed(json->p, json->n, chain);
    char want[HASH];
    put_hash(want, *hash);
    return memcmp(want, text.p, HASH) == 0 && text.p[HASH] == ' ';
}

bool record_log_claim(struct str line, uint64_t *hash)
{
    static const char HEX[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < HASH; i++) {
        const char *digit = i < line.n ? memchr(HEX, line.p[i], HASH) : NULL;
        if (!digit)
            return false;
        *hash = *hash << 4 | (uint64_t)(digit - HEX);
    }
    return true;
}

enum rc record_log_open(struct record_log_reader *r, const char *path, struct err *err)
{
    *r = (struct record_log_reader){0};
    buf_init(&r->text, RECORD_MAX);
    fs_path(r->path, "%s", path);
    r->fd = fs_at_open(path, O_RDONLY, 0);
    if (r->fd >= 0)
        return RC_OK;
    return errno == ENOENT ? RC_NONE
                           : err_errno(err, RC_TRANSIENT, errno, "cannot open \"%s\"", path);
}

void record_log_release(struct record_log_reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    buf_release(&r->text);
}

/* Lets go of what lies before `at` and reads on behind the rest. */
static enum rc more(struct record_log_reader *r, struct err *err)
{
    if (r->at) {
        r->text.len -= r->at;
        memmove(r->text.p, r->text.p + r->at, r->text.len);
        r->at = 0;
    }
    if (!buf_room(&r->text, CHUNK))
        return buf_check(&r->text, err);
    ssize_t n;
    do {
        n = read(r->fd, r->text.p + r->text.len, CHUNK);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot read \"%s\"", r->path);
    r->ended = n == 0;
    r->text.len += (size_t)n;
    return RC_OK;
}

/* *len is the length of the line at `at`, its end included. RC_END: it has no end. */
static enum rc whole_line(struct record_log_reader *r, size_t *len, struct err *err)
{
    size_t seen = 0;
    for (;;) {
        struct str rest = str_from(buf_view(&r->text), r->at);
        const char *nl = rest.n > seen ? memchr(rest.p + seen, '\n', rest.n - seen) : NULL;
        if (nl) {
            *len = (size_t)(nl - rest.p) + 1;
            return RC_OK;
        }
        if (r->ended)
            return RC_END;
        seen = rest.n;
        enum rc rc = more(r, err);
        if (rc)
            return rc;
    }
}

/* The line at `at` is bad: if something whole follows, it is not the torn last one. */
static enum rc torn(struct record_log_reader *r, size_t len, struct err *err)
{
    r->at += len;
    enum rc rc = whole_line(r, &len, err);
    if (rc)
        return rc;
    return err_set(err, RC_SINK, "the ledger \"%s\" is damaged at byte %llu", r->path,
                   (unsigned long long)r->end);
}

enum rc record_log_next(struct record_log_reader *r, struct str *json, struct err *err)
{
    size_t len = 0;
    uint64_t hash = 0;
    enum rc rc = whole_line(r, &len, err);
    if (rc)
        return rc;
    if (!record_log_record(str_make(r->text.p + r->at, len), r->chain, json, &hash))
        return torn(r, len, err);
    r->chain = hash;
    r->at += len;
    r->end += len;
    return RC_OK;
}

enum rc record_log_read(const char *path,
                        enum rc (*each)(void *ctx, struct str json, struct err *err), void *ctx,
                        struct err *err)
{
    struct record_log_reader r;
    struct str json = {0};
    enum rc rc = record_log_open(&r, path, err);
    while (!rc) {
        rc = record_log_next(&r, &json, err);
        if (!rc)
            rc = each(ctx, json, err);
    }
    record_log_release(&r);
    return rc == RC_END ? RC_OK : rc;
}
