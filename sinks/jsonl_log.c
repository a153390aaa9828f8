/* SPDX-License-Identifier: MIT */
/*
 * The hash of a record is seeded with that of the record before it, so that records cannot be
 * left out or change places unseen. After a failed write the file may end in half a record:
 * the log is then closed for good, and what follows belongs into a new one.
 */
#include "sinks/jsonl_log.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <xxhash.h>

enum { HASH = 16, LOG_MAX = 1 << 30 };

static void put_hash(char out[HASH], uint64_t h)
{
    static const char HEX[] = "0123456789abcdef";
    for (int i = HASH - 1; i >= 0; i--, h >>= 4)
        out[i] = HEX[h & 15];
}

enum rc jsonl_log_create(struct jsonl_log *log, const char *path, struct err *err)
{
    char dir[FS_PATH];
    fs_path(log->path, "%s", path);
    fs_path(dir, "%s", path);
    *strrchr(dir, '/') = '\0';
    log->chain = 0;
    log->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (log->fd < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make '%s'", path);
    enum rc rc = fs_sync_dir(dir, err);
    if (rc)
        jsonl_log_close(log);
    return rc;
}

enum rc jsonl_log_append(struct jsonl_log *log, struct str json, struct err *err)
{
    if (log->fd < 0)
        return err_set(err, RC_TRANSIENT, "'%s' failed before", log->path);
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
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot sync '%s'", log->path);
    buf_release(&line);
    if (rc) {
        jsonl_log_close(log);
    } else {
        log->chain = hash;
    }
    return rc;
}

void jsonl_log_close(struct jsonl_log *log)
{
    if (log->fd >= 0)
        close(log->fd);
    log->fd = -1;
}

/* The record at the head of `rest`; false if there is no good one. */
static bool record(struct str rest, uint64_t chain, struct str *json, uint64_t *hash)
{
    const char *nl = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
    if (!nl || nl - rest.p < HASH + 1)
        return false;
    *json = str_make(rest.p + HASH + 1, (size_t)(nl - rest.p) - HASH - 1);
    *hash = XXH3_64bits_withSeed(json->p, json->n, chain);
    char want[HASH];
    put_hash(want, *hash);
    return memcmp(want, rest.p, HASH) == 0 && rest.p[HASH] == ' ';
}

/* Something whole follows the first line: the bad record is not the torn last one. */
static bool more_behind(struct str rest)
{
    const char *nl = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
    if (!nl)
        return false;
    struct str behind = str_from(rest, (size_t)(nl - rest.p) + 1);
    return behind.n && memchr(behind.p, '\n', behind.n);
}

enum rc jsonl_log_read(const char *path,
                       enum rc (*each)(void *ctx, struct str json, struct err *err), void *ctx,
                       struct err *err)
{
    struct buf text;
    buf_init(&text, LOG_MAX);
    enum rc rc = fs_read(path, &text, err);
    struct str rest = buf_view(&text);
    uint64_t chain = 0;
    while (!rc && rest.n) {
        struct str json = {0};
        uint64_t hash = 0;
        if (!record(rest, chain, &json, &hash)) {
            if (more_behind(rest)) {
                rc = err_set(err, RC_SINK, "the ledger '%s' is damaged at byte %zu", path,
                             (size_t)(rest.p - text.p));
            }
            break;
        }
        rc = each(ctx, json, err);
        chain = hash;
        rest = str_from(rest, (size_t)(json.p - rest.p) + json.n + 1);
    }
    buf_release(&text);
    return rc;
}
