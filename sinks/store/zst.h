/* SPDX-License-Identifier: MIT */
/*
 * Zstandard objects: a writer that makes one frame with a checksum, can be flushed at any time,
 * and hashes what it writes; a reader that also reads one of which only a beginning is sure.
 * Both keep their contexts from object to object.
 */
#ifndef SINKS_STORE_ZST_H
#define SINKS_STORE_ZST_H

#include <stdint.h>

#include "sinks/store/store.h"

enum { ZST_SHA = 32, ZST_CHUNK = 128 << 10 };

struct zst_writer {
    struct buf in;           /* callers append whole lines, then say zst_writer_added */
    uint64_t rows;           /* callers count */
    uint64_t raw;            /* bytes given to the compressor */
    uint64_t bytes;          /* bytes in the object */
    struct store_object *to; /* owned; NULL: none */
    struct ZSTD_CCtx_s *cctx;
    struct evp_md_ctx_st *sha;
    char *out;
    size_t out_cap;
};

enum rc zst_writer_init(struct zst_writer *w, int level, struct err *err) MUST_CHECK;
void zst_writer_release(struct zst_writer *w);

/* Takes the object, in any case, and begins a frame in it. */
enum rc zst_writer_open(struct zst_writer *w, struct store_object *to,
                        struct err *err) MUST_CHECK;

/* Before the first bytes: exactly so many will come. */
enum rc zst_writer_expect(struct zst_writer *w, uint64_t raw, struct err *err) MUST_CHECK;

/* Compresses what `in` holds. */
enum rc zst_writer_drain(struct zst_writer *w, struct err *err) MUST_CHECK;

static inline enum rc zst_writer_added(struct zst_writer *w, struct err *err)
{
    return w->in.len < ZST_CHUNK && !w->in.rc ? RC_OK : zst_writer_drain(w, err);
}

/* All rows so far can be read back from the first `bytes` bytes of it. Not synced. */
enum rc zst_writer_flush(struct zst_writer *w, struct err *err) MUST_CHECK;

/* Ends the frame. Not finished; the caller now owns *to. */
enum rc zst_writer_end(struct zst_writer *w, unsigned char sha[ZST_SHA],
                       struct store_object **to, struct err *err) MUST_CHECK;

struct zst_reader {
    struct bytes *from; /* owned; NULL: none */
    char path[FS_PATH]; /* for messages */
    uint64_t at;
    uint64_t left; /* compressed bytes that may still be read */
    bool prefix;   /* they may end anywhere */
    bool inside;   /* a frame is open */
    struct ZSTD_DCtx_s *dctx;
    struct evp_md_ctx_st *sha;
    char *in, *out;
    size_t in_pos, in_len, out_pos, out_len, in_cap, out_cap;
    struct buf line;
};

void zst_reader_init(struct zst_reader *r);
void zst_reader_release(struct zst_reader *r);

/*
 * Opens for reading the first `limit` bytes (UINT64_MAX: all of it, which must be whole).
 * RC_SINK: it is missing.
 */
enum rc zst_reader_open(struct zst_reader *r, struct store *s, struct store_key key,
                        uint64_t limit, struct err *err) MUST_CHECK;

/* The next bytes, valid until the next call; RC_END at the end. RC_SINK: damaged. */
enum rc zst_reader_chunk(struct zst_reader *r, struct str *chunk, struct err *err) MUST_CHECK;

/* The next line without its newline, valid until the next call; RC_END at the end. */
enum rc zst_reader_line(struct zst_reader *r, struct str *line, struct err *err) MUST_CHECK;

/* Exactly n bytes into p; RC_END if there are none left. */
enum rc zst_reader_bytes(struct zst_reader *r, void *p, size_t n, struct err *err) MUST_CHECK;

/* After RC_END: sha256 of the compressed bytes read. */
void zst_reader_sha(struct zst_reader *r, unsigned char sha[ZST_SHA]);

#endif
