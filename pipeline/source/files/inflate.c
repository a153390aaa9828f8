/* SPDX-License-Identifier: MIT */
/*
 * Packed bytes are read into one buffer and unpacked straight into the caller's memory. The
 * end of the file is right only where a gzip member or a zstd frame ends.
 * https://www.rfc-editor.org/rfc/rfc1952 (members), RFC 8878 (frames)
 */
#include "pipeline/source/files/inflate.h"

#include <isa-l.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "pipeline/base/vector.h"

enum {
    READ_BYTES = 256 << 10,
    MAGIC = 4,
    WINDOW_LOG_MAX = 27 /* 128 MB: what zstd itself takes without being asked */
};

struct inflate {
    struct input copy; /* lists of inputs move when they grow */
    const struct input *in;
    struct bytes *bytes;
    enum packing packing;
    char *buf;
    size_t at, len, cap; /* unread bytes are buf[at..len) */
    uint64_t read;       /* packed bytes read from the file */
    uint64_t written;    /* unpacked bytes handed out */
    struct buf head;     /* unread: to be handed out first, from head_at on */
    size_t head_at;
    bool looked; /* at the first bytes: packing is known */
    bool eof;
    bool inside; /* a gzip member or zstd frame has begun and not ended */
    struct inflate_state *gzip;
    ZSTD_DCtx *zstd;
    EVP_MD_CTX *md5;
};

enum packing inflate_packing(const struct inflate *f)
{
    return f->packing;
}

struct bytes *inflate_bytes(const struct inflate *f)
{
    return f->bytes;
}

uint64_t inflate_used(const struct inflate *f)
{
    return f->read - (f->len - f->at);
}

void inflate_free(struct inflate *f)
{
    if (!f)
        return;
    bytes_close(f->bytes);
    free(f->gzip);
    buf_release(&f->head);
    (void)ZSTD_freeDCtx(f->zstd);
    EVP_MD_CTX_free(f->md5);
    free(f->buf);
    free(f);
}

/* Adds bytes behind those that are unread. */
static enum rc refill(struct inflate *f, struct err *err)
{
    size_t n = 0;
    memmove(f->buf, f->buf + f->at, f->len - f->at);
    f->len -= f->at;
    f->at = 0;
    char *to = f->buf + f->len;
    enum rc rc = f->bytes->ops->read_at(f->bytes, f->read, to, f->cap - f->len, &n, err);
    if (rc == RC_END) {
        f->eof = true;
        return RC_OK;
    }
    if (!rc && f->md5 && EVP_DigestUpdate(f->md5, to, n) != 1)
        return err_nomem(err);
    f->len += n;
    f->read += n;
    bytes_passed(f->bytes, f->read);
    return rc;
}

static const char *packing_name(const struct inflate *f)
{
    return f->packing == PACK_GZIP ? "gzip" : "zstd";
}

static enum rc cut_short(const struct inflate *f, struct err *err)
{
    (void)err_set(err, RC_SOURCE,
                  "\"%s\" is cut short: its %s data stop in the middle at byte %llu "
                  "(%llu unpacked)",
                  f->in->path, packing_name(f), (unsigned long long)f->read,
                  (unsigned long long)f->written);
    return err_hint(err, "copy the file again");
}

static enum rc damaged(const struct inflate *f, const char *why, struct err *err)
{
    bool fresh = !f->inside && f->written > 0;
    (void)err_set(err, RC_SOURCE, "\"%s\": %s at byte %llu (%llu unpacked): %s", f->in->path,
                  fresh ? "something else follows the packed data" : "damaged packed data",
                  (unsigned long long)inflate_used(f), (unsigned long long)f->written, why);
    return err_hint(err, "copy the file again");
}

static enum rc gunzip(struct inflate *f, char *p, size_t n, size_t *got, struct err *err)
{
    struct inflate_state *z = f->gzip;
    if (!f->inside) {
        if (f->buf[f->at] != '\x1f')
            return damaged(f, "not a gzip member", err);
        isal_inflate_reset(z);
        z->crc_flag = ISAL_GZIP;
    }
    z->next_in = (uint8_t *)f->buf + f->at;
    z->avail_in = (uint32_t)(f->len - f->at);
    z->next_out = (uint8_t *)p;
    z->avail_out = (uint32_t)(n < 1U << 30 ? n : 1U << 30);
    uint32_t room = z->avail_out;
    int code = isal_inflate(z);
    vector_done();
    if (code == ISAL_INCORRECT_CHECKSUM)
        return damaged(f, "the checksum does not match", err);
    if (code < 0)
        return damaged(f, "not valid gzip", err);
    f->at = f->len - z->avail_in;
    f->inside = z->block_state != ISAL_BLOCK_FINISH;
    *got = room - z->avail_out;
    return RC_OK;
}

static enum rc unzstd(struct inflate *f, void *p, size_t n, size_t *got, struct err *err)
{
    ZSTD_inBuffer in = {f->buf + f->at, f->len - f->at, 0};
    ZSTD_outBuffer out = {.dst = p, .size = n};
    size_t code = ZSTD_decompressStream(f->zstd, &out, &in);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return err_nomem(err);
    if (ZSTD_isError(code))
        return damaged(f, ZSTD_getErrorName(code), err);
    f->at += in.pos;
    f->inside = code != 0;
    *got = out.pos;
    return RC_OK;
}

static enum rc unpack(struct inflate *f, char *p, size_t n, size_t *got, struct err *err)
{
    if (f->packing == PACK_GZIP)
        return gunzip(f, p, n, got, err);
    if (f->packing == PACK_ZSTD)
        return unzstd(f, p, n, got, err);
    *got = f->len - f->at < n ? f->len - f->at : n;
    memcpy(p, f->buf + f->at, *got);
    f->at += *got;
    return RC_OK;
}

static enum rc prepare(struct inflate *f, struct err *err)
{
    if (f->packing == PACK_GZIP) {
        f->gzip = malloc(sizeof *f->gzip);
        if (!f->gzip)
            return err_nomem(err);
        isal_inflate_init(f->gzip);
    }
    if (f->packing == PACK_ZSTD) {
        f->zstd = ZSTD_createDCtx();
        if (!f->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(f->zstd, ZSTD_d_windowLogMax,
                                                            WINDOW_LOG_MAX))) {
            return err_nomem(err);
        }
    }
    return RC_OK;
}

static enum packing told_by(struct str magic)
{
    if (str_starts(magic, STR("\x1f\x8b")))
        return PACK_GZIP;
    if (str_starts(magic, STR("\x28\xb5\x2f\xfd")))
        return PACK_ZSTD;
    /* a skippable frame begins with 0x184D2A50 to 0x184D2A5F, little-endian */
    if (magic.n == MAGIC && (magic.p[0] & 0xf0) == 0x50 &&
        str_eq(str_from(magic, 1), STR("\x2a\x4d\x18"))) {
        return PACK_ZSTD;
    }
    return PACK_NONE;
}

/* The first bytes say how it is packed. */
static enum rc look_at_start(struct inflate *f, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && !f->eof && f->len < MAGIC)
        rc = refill(f, err);
    if (rc)
        return rc;
    f->looked = true;
    f->packing = told_by(str_make(f->buf, f->len < MAGIC ? f->len : MAGIC));
    return prepare(f, err);
}

enum rc inflate_read(struct inflate *f, char *p, size_t n, size_t *got, struct err *err)
{
    enum rc rc = RC_OK;
    *got = 0;
    if (f->head_at < f->head.len) {
        *got = f->head.len - f->head_at < n ? f->head.len - f->head_at : n;
        memcpy(p, f->head.p + f->head_at, *got);
        f->head_at += *got;
        return RC_OK;
    }
    if (!f->looked)
        rc = look_at_start(f, err);
    while (!rc && *got == 0) {
        bool some = f->at < f->len;
        /* an unpacker may still hold output when all input is taken */
        if (some || f->inside)
            rc = unpack(f, p, n, got, err);
        if (rc || *got || f->at < f->len)
            continue;
        if (f->eof)
            return f->inside ? cut_short(f, err) : RC_END;
        rc = refill(f, err);
    }
    f->written += *got;
    return rc;
}

enum rc inflate_unread(struct inflate *f, struct str head, struct err *err)
{
    buf_add_str(&f->head, head);
    return buf_check(&f->head, err);
}

enum rc inflate_open(const struct input *in, size_t read_bytes, struct inflate **out,
                     struct err *err)
{
    struct inflate *f = calloc(1, sizeof *f);
    if (!f)
        return err_nomem(err);
    enum rc rc = RC_OK;
    f->copy = *in;
    f->in = &f->copy;
    buf_init(&f->head, BUF_NO_LIMIT);
    f->cap = read_bytes > MAGIC ? read_bytes : read_bytes ? MAGIC : READ_BYTES;
    f->buf = malloc(f->cap);
    if (in->listed)
        f->md5 = EVP_MD_CTX_new();
    if (!f->buf || (in->listed && (!f->md5 || EVP_DigestInit_ex(f->md5, EVP_md5(), NULL) != 1)))
        rc = err_nomem(err);
    if (!rc)
        rc = input_open(in, &f->bytes, err);
    if (rc) {
        inflate_free(f);
        f = NULL;
    }
    *out = f;
    return rc;
}

enum rc inflate_md5(struct inflate *f, unsigned char md5[16], struct err *err)
{
    if (!f->md5 || EVP_DigestFinal_ex(f->md5, md5, NULL) != 1)
        return err_set(err, RC_SOURCE, "\"%s\": no MD5 could be made", f->in->path);
    return RC_OK;
}
