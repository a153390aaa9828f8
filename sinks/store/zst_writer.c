/* SPDX-License-Identifier: MIT */
/*
 * Rows are encoded straight into `in`, so that a row costs no call into the compressor. At
 * the default level the match tables and the window are made smaller than the library's: those
 * of a few streams then fit the second-level cache beside the rows. Measured on rows of a shop,
 * that takes half off the compressor's time and makes no more bytes. The window holds more than
 * an item of the largest size, so that each is seen beside the one before (docs/json-lines.md).
 */
#include "sinks/store/zst.h"

#include <stdlib.h>

#include <openssl/evp.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    LINE_MAX_BYTES = 256 << 20,
    FAST_LEVEL = 3,
    FAST_HASH_LOG = 15,
    FAST_CHAIN_LOG = 14,
    FAST_WINDOW_LOG = 20
};

static bool set(ZSTD_CCtx *c, ZSTD_cParameter p, int v)
{
    return !ZSTD_isError(ZSTD_CCtx_setParameter(c, p, v));
}

static bool configure(ZSTD_CCtx *c, int level)
{
    bool ok = set(c, ZSTD_c_compressionLevel, level) && set(c, ZSTD_c_checksumFlag, 1);
    if (!ok || level != FAST_LEVEL)
        return ok;
    return set(c, ZSTD_c_hashLog, FAST_HASH_LOG) && set(c, ZSTD_c_chainLog, FAST_CHAIN_LOG) &&
           set(c, ZSTD_c_windowLog, FAST_WINDOW_LOG);
}

enum rc zst_writer_init(struct zst_writer *w, int level, struct err *err)
{
    *w = (struct zst_writer){.out_cap = ZSTD_CStreamOutSize()};
    buf_init(&w->in, LINE_MAX_BYTES);
    w->cctx = ZSTD_createCCtx();
    w->sha = EVP_MD_CTX_new();
    w->out = malloc(w->out_cap);
    if (w->cctx && w->sha && w->out && configure(w->cctx, level))
        return RC_OK;
    zst_writer_release(w);
    return err_nomem(err);
}

void zst_writer_release(struct zst_writer *w)
{
    store_object_close(w->to);
    ZSTD_freeCCtx(w->cctx);
    EVP_MD_CTX_free(w->sha);
    free(w->out);
    buf_release(&w->in);
    *w = (struct zst_writer){0};
}

enum rc zst_writer_open(struct zst_writer *w, struct store_object *to, struct err *err)
{
    store_object_close(w->to);
    w->to = to;
    buf_clear(&w->in);
    w->rows = w->raw = w->bytes = 0;
    (void)ZSTD_CCtx_reset(w->cctx, ZSTD_reset_session_only);
    if (EVP_DigestInit_ex(w->sha, EVP_sha256(), NULL) != 1)
        return err_set(err, RC_SINK, "sha256 is not available");
    return RC_OK;
}

enum rc zst_writer_expect(struct zst_writer *w, uint64_t raw, struct err *err)
{
    size_t left = ZSTD_CCtx_setPledgedSrcSize(w->cctx, raw);
    return ZSTD_isError(left) ? err_set(err, RC_SINK, "zstd: %s", ZSTD_getErrorName(left))
                              : RC_OK;
}

static enum rc compress(struct zst_writer *w, ZSTD_EndDirective how, struct err *err)
{
    enum rc rc = buf_check(&w->in, err);
    if (rc)
        return rc;
    ZSTD_inBuffer in = {w->in.p, w->in.len, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {w->out, w->out_cap, 0};
        left = ZSTD_compressStream2(w->cctx, &out, &in, how);
        if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
            return err_nomem(err);
        if (ZSTD_isError(left))
            return err_set(err, RC_SINK, "zstd: %s", ZSTD_getErrorName(left));
        if (out.pos) {
            rc = w->to->ops->write(w->to, str_make(w->out, out.pos), err);
            if (rc)
                return rc;
            (void)EVP_DigestUpdate(w->sha, w->out, out.pos);
            w->bytes += out.pos;
        }
    } while (how == ZSTD_e_continue ? in.pos < in.size : left != 0);
    w->raw += w->in.len;
    buf_clear(&w->in);
    return RC_OK;
}

enum rc zst_writer_drain(struct zst_writer *w, struct err *err)
{
    return compress(w, ZSTD_e_continue, err);
}

enum rc zst_writer_flush(struct zst_writer *w, struct err *err)
{
    return compress(w, ZSTD_e_flush, err);
}

enum rc zst_writer_end(struct zst_writer *w, unsigned char sha[ZST_SHA],
                       struct store_object **to, struct err *err)
{
    enum rc rc = compress(w, ZSTD_e_end, err);
    if (rc)
        return rc;
    (void)EVP_DigestFinal_ex(w->sha, sha, NULL);
    *to = w->to;
    w->to = NULL;
    return RC_OK;
}
