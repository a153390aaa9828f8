/* SPDX-License-Identifier: MIT */
/*
 * Lines are handed out from the decoder's output where they lie whole in it; only those that
 * cross its end are put together in a buffer.
 */
#include "sinks/store/zst.h"

#include <stdlib.h>

#include <openssl/evp.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { LINE_MAX_BYTES = 256 << 20 };

void zst_reader_init(struct zst_reader *r)
{
    *r = (struct zst_reader){0};
    buf_init(&r->line, LINE_MAX_BYTES);
}

void zst_reader_release(struct zst_reader *r)
{
    bytes_close(r->from);
    ZSTD_freeDCtx(r->dctx);
    EVP_MD_CTX_free(r->sha);
    free(r->in);
    free(r->out);
    buf_release(&r->line);
    zst_reader_init(r);
}

static bool prepare(struct zst_reader *r)
{
    if (!r->dctx) {
        r->in_cap = ZSTD_DStreamInSize();
        r->out_cap = ZSTD_DStreamOutSize();
        r->dctx = ZSTD_createDCtx();
        r->sha = EVP_MD_CTX_new();
        r->in = malloc(r->in_cap);
        r->out = malloc(r->out_cap);
    }
    r->in_pos = r->in_len = r->out_pos = r->out_len = 0;
    r->inside = false;
    buf_clear(&r->line);
    return r->dctx && r->sha && r->in && r->out &&
           !ZSTD_isError(ZSTD_DCtx_reset(r->dctx, ZSTD_reset_session_only)) &&
           EVP_DigestInit_ex(r->sha, EVP_sha256(), NULL) == 1;
}

enum rc zst_reader_open(struct zst_reader *r, struct store *s, struct store_key key,
                        uint64_t limit, struct err *err)
{
    bytes_close(r->from);
    r->from = NULL;
    if (!prepare(r))
        return err_nomem(err);
    s->ops->place(s, key, r->path);
    r->at = 0;
    r->left = limit;
    r->prefix = limit != UINT64_MAX;
    enum rc rc = s->ops->open(s, key, &r->from, err);
    return rc == RC_NONE ? err_set(err, RC_SINK, "\"%s\" is missing", r->path) : rc;
}

/* Up to n bytes into `in`, waiting where need be; none behind the last. */
static enum rc take(struct zst_reader *r, size_t n, size_t *got, struct err *err)
{
    enum rc rc;
    *got = 0;
    if (!n)
        return RC_OK;
    do {
        rc = r->from->ops->read_at(r->from, r->at, r->in, n, got, err);
    } while (rc == RC_AGAIN);
    r->at += *got;
    return rc == RC_END ? RC_OK : rc;
}

static enum rc fill(struct zst_reader *r, struct err *err)
{
    size_t want = r->left < r->in_cap ? (size_t)r->left : r->in_cap;
    size_t n = 0;
    enum rc rc = take(r, want, &n, err);
    if (rc)
        return rc;
    r->in_pos = 0;
    r->in_len = n;
    r->left -= n;
    (void)EVP_DigestUpdate(r->sha, r->in, r->in_len);
    if (n > 0)
        return RC_OK;
    bool cut = r->prefix ? r->left != 0 : r->inside;
    return cut ? err_set(err, RC_SINK, "\"%s\" is cut short", r->path) : RC_END;
}

/* Decodes until there is output. */
static enum rc more(struct zst_reader *r, struct err *err)
{
    r->out_pos = r->out_len = 0;
    for (;;) {
        ZSTD_inBuffer in = {r->in, r->in_len, r->in_pos};
        ZSTD_outBuffer out = {r->out, r->out_cap, 0};
        size_t left = 0;
        if (r->inside || in.pos < in.size) {
            left = ZSTD_decompressStream(r->dctx, &out, &in);
            if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
                return err_nomem(err);
            if (ZSTD_isError(left)) {
                return err_set(err, RC_SINK, "\"%s\" is damaged: %s", r->path,
                               ZSTD_getErrorName(left));
            }
            r->inside = left != 0;
        }
        r->in_pos = in.pos;
        r->out_len = out.pos;
        if (out.pos)
            return RC_OK;
        if (r->in_pos < r->in_len)
            continue;
        enum rc rc = fill(r, err);
        if (rc)
            return rc;
    }
}

enum rc zst_reader_chunk(struct zst_reader *r, struct str *chunk, struct err *err)
{
    enum rc rc = r->out_pos < r->out_len ? RC_OK : more(r, err);
    if (rc)
        return rc;
    *chunk = str_make(r->out + r->out_pos, r->out_len - r->out_pos);
    r->out_pos = r->out_len;
    return RC_OK;
}

enum rc zst_reader_line(struct zst_reader *r, struct str *line, struct err *err)
{
    buf_clear(&r->line);
    for (;;) {
        if (r->out_pos == r->out_len) {
            enum rc rc = more(r, err);
            if (rc == RC_END && r->line.len)
                return err_set(err, RC_SINK, "\"%s\" ends in half a line", r->path);
            if (rc)
                return rc;
        }
        const char *start = r->out + r->out_pos;
        size_t have = r->out_len - r->out_pos;
        const char *nl = memchr(start, '\n', have);
        size_t n = nl ? (size_t)(nl - start) : have;
        r->out_pos += n + (nl != NULL);
        if (nl && r->line.len == 0) {
            *line = str_make(start, n);
            return RC_OK;
        }
        buf_add(&r->line, start, n);
        if (r->line.rc)
            return buf_check(&r->line, err);
        if (nl) {
            *line = buf_view(&r->line);
            return RC_OK;
        }
    }
}

enum rc zst_reader_bytes(struct zst_reader *r, void *p, size_t n, struct err *err)
{
    char *to = p;
    size_t got = 0;
    while (got < n) {
        if (r->out_pos == r->out_len) {
            enum rc rc = more(r, err);
            if (rc == RC_END && got)
                return err_set(err, RC_SINK, "\"%s\" ends in half a record", r->path);
            if (rc)
                return rc;
        }
        size_t have = r->out_len - r->out_pos;
        size_t take = have < n - got ? have : n - got;
        memcpy(to + got, r->out + r->out_pos, take);
        r->out_pos += take;
        got += take;
    }
    return RC_OK;
}

void zst_reader_sha(struct zst_reader *r, unsigned char sha[ZST_SHA])
{
    (void)EVP_DigestFinal_ex(r->sha, sha, NULL);
}
