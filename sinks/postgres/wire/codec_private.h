/* SPDX-License-Identifier: MIT */
/* What encoders and decoders of single types share, and those that have files of their own. */
#ifndef SINKS_POSTGRES_WIRE_CODEC_PRIVATE_H
#define SINKS_POSTGRES_WIRE_CODEC_PRIVATE_H

#include "sinks/postgres/wire/binary.h"

static inline uint32_t pg_get16(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 8 | u[1];
}

static inline uint32_t pg_get32(const char *p)
{
    return pg_get16(p) << 16 | pg_get16(p + 2);
}

static inline uint64_t pg_get64(const char *p)
{
    return (uint64_t)pg_get32(p) << 32 | pg_get32(p + 4);
}

/* A field whose length is known only afterwards: leaves a hole and returns where its bytes begin. */
static inline size_t pg_field_open(struct buf *b)
{
    pg_binary_null(b);
    return b->len;
}

static inline void pg_field_close(struct buf *b, size_t start)
{
    if (!b->rc)
        pg_binary_word(b->p + start - 4, (uint32_t)(b->len - start));
}

static inline enum rc pg_field_too_long(struct err *err, size_t n)
{
    return err_set(err, RC_DATA, "a value of %zu bytes is past PostgreSQL's limit of %zu", n,
                   PG_FIELD_MAX);
}

static inline enum rc pg_field_malformed(struct err *err, const char *what)
{
    return err_set(err, RC_DATA, "the server sent a field that is no %s", what);
}

/* Decimal text to its canonical form; *fits is cleared, and the text stays as it is, for what
   DynamoDB could not hold. */
enum rc pg_numeric_canonical(struct str text, struct arena *a, struct str *out,
                             bool *fits) MUST_CHECK;

/* As `put` and `get` in type_table.h. */
enum rc pg_numeric_put(struct buf *b, enum col_type type, const struct datum *d,
                       struct err *err) MUST_CHECK;
enum rc pg_numeric_get(enum col_type type, struct str field, struct arena *a, struct datum *out,
                       struct err *err) MUST_CHECK;
enum rc pg_jsonb_put(struct buf *b, enum col_type type, const struct datum *d,
                     struct err *err) MUST_CHECK;
enum rc pg_jsonb_get(enum col_type type, struct str field, struct arena *a, struct datum *out,
                     struct err *err) MUST_CHECK;
enum rc pg_array_put(struct buf *b, enum col_type type, const struct datum *d,
                     struct err *err) MUST_CHECK;
enum rc pg_array_get(enum col_type type, struct str field, struct arena *a, struct datum *out,
                     struct err *err) MUST_CHECK;

#endif
