/* SPDX-License-Identifier: MIT */
/*
 * The table, and encoder and decoder of each type whose bytes are simple. The others have files
 * beside this one: numeric, jsonb, array.
 */
#include "sinks/postgres/wire/type_table.h"

#include <string.h>

#include "sinks/postgres/wire/codec_private.h"

static enum rc text_put(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    (void)type;
    if (d->u.text.n + 1 > PG_FIELD_MAX)
        return pg_field_too_long(err, d->u.text.n);
    pg_binary_bytes(b, d->u.text);
    return RC_OK;
}

static enum rc text_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                        struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.text = f;
    return RC_OK;
}

static enum rc integer_put(struct buf *b, enum col_type type, const struct datum *d,
                           struct err *err)
{
    (void)type;
    (void)err;
    pg_binary_int(b, (int32_t)d->u.i);
    return RC_OK;
}

static enum rc integer_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                           struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.i = (int32_t)pg_get32(f.p);
    return RC_OK;
}

static enum rc bigint_put(struct buf *b, enum col_type type, const struct datum *d,
                          struct err *err)
{
    (void)type;
    (void)err;
    pg_binary_bigint(b, d->u.i);
    return RC_OK;
}

static enum rc bigint_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                          struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.i = (int64_t)pg_get64(f.p);
    return RC_OK;
}

static enum rc double_put(struct buf *b, enum col_type type, const struct datum *d,
                          struct err *err)
{
    (void)type;
    (void)err;
    uint64_t bits = 0;
    memcpy(&bits, &d->u.d, sizeof bits);
    pg_binary_bigint(b, (int64_t)bits);
    return RC_OK;
}

static enum rc double_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                          struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    uint64_t bits = pg_get64(f.p);
    memcpy(&out->u.d, &bits, sizeof bits);
    return RC_OK;
}

static enum rc boolean_put(struct buf *b, enum col_type type, const struct datum *d,
                           struct err *err)
{
    (void)type;
    (void)err;
    buf_be32(b, 1);
    buf_putc(b, d->u.boolean ? 1 : 0);
    return RC_OK;
}

static enum rc boolean_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                           struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.boolean = f.p[0] != 0;
    return RC_OK;
}

static enum rc date_put(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    (void)type;
    (void)err;
    pg_binary_int(b, (int32_t)(d->u.i - PG_DAYS_TO_2000));
    return RC_OK;
}

static enum rc date_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                        struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.i = (int64_t)(int32_t)pg_get32(f.p) + PG_DAYS_TO_2000;
    return RC_OK;
}

static enum rc stamp_put(struct buf *b, enum col_type type, const struct datum *d,
                         struct err *err)
{
    (void)type;
    (void)err;
    pg_binary_bigint(b, d->u.i - PG_US_TO_2000);
    return RC_OK;
}

static enum rc stamp_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                         struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    out->u.i = (int64_t)pg_get64(f.p);
    /* the infinities stay where they are */
    if (out->u.i != INT64_MAX && out->u.i != INT64_MIN)
        out->u.i = (int64_t)((uint64_t)out->u.i + (uint64_t)PG_US_TO_2000);
    return RC_OK;
}

static enum rc uuid_put(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    (void)type;
    (void)err;
    pg_binary_bytes(b, str_make((const char *)d->u.uuid, sizeof d->u.uuid));
    return RC_OK;
}

static enum rc uuid_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                        struct err *err)
{
    (void)type;
    (void)a;
    (void)err;
    memcpy(out->u.uuid, f.p, sizeof out->u.uuid);
    return RC_OK;
}

/* ---- SQL around a column's name: a cell as JSON lines spell it ---- */
#define BASE64_BEFORE  "translate(encode("
#define BASE64_BEHIND  ", 'base64'), chr(10), '')"
#define STAMP_FORMAT   ", 'YYYY-MM-DD\"T\"HH24:MI:SS.US'), '\\.?0*$', '')"
#define STAMP_BEFORE   "to_jsonb(regexp_replace(to_char("
#define STAMP_BEHIND   STAMP_FORMAT ")"
#define STAMPTZ_BEHIND " AT TIME ZONE 'UTC'" STAMP_FORMAT " || 'Z')"

/* An array element by element: `json` is of the element e. No elements are [], and no array NULL. */
#define EACH_BEFORE(json)                                                                      \
    "(SELECT CASE WHEN x IS NOT NULL THEN coalesce((SELECT jsonb_agg(CASE WHEN e IS NULL "     \
    "THEN "                                                                                    \
    "'null'::jsonb ELSE " json                                                                 \
    " END ORDER BY i) FROM unnest(x) WITH ORDINALITY AS u (e, i)), "                           \
    "'[]') END FROM (VALUES ("
#define EACH_BEHIND ")) AS v (x))"

/* Keys are in byte order: as DynamoDB sorts, and cheaper to compare. */
const struct pg_type pg_types[COL_TYPES] = {
    [COL_TEXT] = {.oid = 25, .key_suffix = " COLLATE \"C\"", .put = text_put, .get = text_get},
    [COL_INTEGER] = {.oid = 23, .put = integer_put, .get = integer_get},
    [COL_BIGINT] = {.oid = 20, .put = bigint_put, .get = bigint_get},
    [COL_NUMERIC] = {.oid = 1700, .put = pg_numeric_put, .get = pg_numeric_get},
    [COL_DOUBLE] = {.oid = 701, .put = double_put, .get = double_get},
    [COL_BOOLEAN] = {.oid = 16, .put = boolean_put, .get = boolean_get},
    [COL_BYTEA] = {.oid = 17,
                   .json = {"to_jsonb(" BASE64_BEFORE, BASE64_BEHIND ")"},
                   .put = text_put,
                   .get = text_get},
    [COL_DATE] = {.oid = 1082, .put = date_put, .get = date_get},
    [COL_TIMESTAMPTZ] = {.oid = 1184,
                         .shown = "timestamp with time zone",
                         .json = {STAMP_BEFORE, STAMPTZ_BEHIND},
                         .put = stamp_put,
                         .get = stamp_get},
    [COL_UUID] = {.oid = 2950, .put = uuid_put, .get = uuid_get},
    [COL_JSONB] = {.oid = 3802,
                   .from = {"to_jsonb(", ")"},
                   .put = pg_jsonb_put,
                   .get = pg_jsonb_get},
    [COL_TEXT_ARRAY] = {.oid = 1009, .put = pg_array_put, .get = pg_array_get},
    [COL_NUMERIC_ARRAY] = {.oid = 1231, .put = pg_array_put, .get = pg_array_get},
    [COL_BYTEA_ARRAY] = {.oid = 1001,
                         .json = {EACH_BEFORE("to_jsonb(" BASE64_BEFORE "e" BASE64_BEHIND ")"),
                                  EACH_BEHIND},
                         .put = pg_array_put,
                         .get = pg_array_get},
    [COL_TIMESTAMP] = {.oid = 1114,
                       .shown = "timestamp without time zone",
                       .json = {STAMP_BEFORE, STAMP_BEHIND},
                       .put = stamp_put,
                       .get = stamp_get},
    [COL_INTEGER_ARRAY] = {.oid = 1007, .put = pg_array_put, .get = pg_array_get},
    [COL_BIGINT_ARRAY] = {.oid = 1016, .put = pg_array_put, .get = pg_array_get},
    [COL_DOUBLE_ARRAY] = {.oid = 1022, .put = pg_array_put, .get = pg_array_get},
    [COL_BOOLEAN_ARRAY] = {.oid = 1000, .put = pg_array_put, .get = pg_array_get},
    [COL_DATE_ARRAY] = {.oid = 1182, .put = pg_array_put, .get = pg_array_get},
    [COL_TIMESTAMP_ARRAY] = {.oid = 1115,
                             .shown = "timestamp without time zone[]",
                             .json = {EACH_BEFORE(STAMP_BEFORE "e" STAMP_BEHIND), EACH_BEHIND},
                             .put = pg_array_put,
                             .get = pg_array_get},
    [COL_TIMESTAMPTZ_ARRAY] = {.oid = 1185,
                               .shown = "timestamp with time zone[]",
                               .json = {EACH_BEFORE(STAMP_BEFORE "e" STAMPTZ_BEHIND),
                                        EACH_BEHIND},
                               .put = pg_array_put,
                               .get = pg_array_get},
    [COL_UUID_ARRAY] = {.oid = 2951, .put = pg_array_put, .get = pg_array_get},
};
