/* SPDX-License-Identifier: MIT */
/*
 * Decoders of the binary COPY format, for reading back what was loaded. Equal values have
 * different bytes on the server (display scale, member order, spacing), so everything is brought
 * to canonical form here: numbers through decimal_canon, jsonb through a parse that keeps the
 * digits and prints the members sorted.
 */
#include <stdio.h>

#include <yyjson.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/decimal.h"
#include "sinks/pg_binary.h"

enum { MAX_DEPTH = 128, MAX_DIMENSIONS = 6 };

static uint32_t get16(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 8 | u[1];
}

static uint32_t get32(const char *p)
{
    return get16(p) << 16 | get16(p + 2);
}

static uint64_t get64(const char *p)
{
    return (uint64_t)get32(p) << 32 | get32(p + 4);
}

static enum rc malformed(struct err *err, const char *what)
{
    return err_set(err, RC_DATA, "the server sent a field that is no %s", what);
}

/* Decimal text to its canonical form; *fits is cleared, and the text stays as it is, for what
   DynamoDB could not hold. */
static enum rc canonical(struct str text, struct arena *a, struct str *out, bool *fits)
{
    char canon[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    *fits = decimal_canon(text, canon, &n, &same) == DECIMAL_OK;
    *out = arena_dup(a, *fits && !same ? str_make(canon, n) : text);
    return out->p ? RC_OK : RC_NOMEM;
}

static enum rc read_special(uint32_t sign, struct arena *a, struct str *out)
{
    *out = arena_dup(a, sign == 0xC000   ? STR("NaN")
                        : sign == 0xD000 ? STR("Infinity")
                                         : STR("-Infinity"));
    return out->p ? RC_OK : RC_NOMEM;
}

static enum rc read_numeric(struct str f, struct arena *a, struct str *out, struct err *err)
{
    size_t n = 0;
    bool fits = true;
    if (f.n < 8 || f.n != 8 + 2 * (size_t)get16(f.p))
        return malformed(err, "numeric");
    int groups = (int)get16(f.p), weight = (int16_t)get16(f.p + 2);
    uint32_t sign = get16(f.p + 4);
    if (sign >= 0xC000)
        return read_special(sign, a, out);
    char *text = arena_alloc(a, (size_t)groups * 4 + 32);
    if (text == NULL)
        return RC_NOMEM;
    if (sign == 0x4000)
        text[n++] = '-';
    size_t first = n;
    for (int g = 0; g < groups; g++) {
        unsigned v = get16(f.p + 8 + 2 * (size_t)g);
        if (v > 9999)
            return malformed(err, "numeric");
        char four[4] = {(char)('0' + v / 1000), (char)('0' + v / 100 % 10),
                        (char)('0' + v / 10 % 10), (char)('0' + v % 10)};
        for (int k = 0; k < 4; k++) {
            if (n > first || four[k] != '0')
                text[n++] = four[k];
        }
    }
    if (n == first) {
        *out = STR("0");
        return RC_OK;
    }
    int exponent = (weight - groups + 1) * 4;
    while (text[n - 1] == '0') {
        n--;
        exponent++;
    }
    n += (size_t)snprintf(text + n, 16, "E%d", exponent);
    return canonical(str_make(text, n), a, out, &fits);
}

/* Of several dimensions: not ours. One element that no item has stands for it; among bytes, where
   an item may have anything, what the server sent. */
static enum rc read_dimensions(enum col_type type, struct str f, struct arena *a,
                               struct datum *out, struct err *err)
{
    struct str *array = arena_array(a, 1, sizeof *array);
    if (array == NULL)
        return err_nomem(err);
    array[0] = type == COL_TEXT_ARRAY      ? str_make("\0", 1)
               : type == COL_NUMERIC_ARRAY ? STR("NaN")
                                           : f;
    out->n = 1;
    out->u.array = array;
    return RC_OK;
}

static enum rc read_array(enum col_type type, struct str f, struct arena *a, struct datum *out,
                          struct err *err)
{
    if (f.n < 12 || get32(f.p) > MAX_DIMENSIONS || (get32(f.p) > 0 && f.n < 20))
        return malformed(err, "array");
    if (get32(f.p) > 1)
        return read_dimensions(type, f, a, out, err);
    uint32_t n = get32(f.p) == 1 ? get32(f.p + 12) : 0;
    if (n > f.n / 4)
        return malformed(err, "array");
    struct str *array = arena_array(a, n ? n : 1, sizeof *array);
    if (array == NULL)
        return err_nomem(err);
    size_t at = 20;
    for (uint32_t i = 0; i < n; i++) {
        if (f.n - at < 4)
            return malformed(err, "array");
        uint32_t len = get32(f.p + at);
        at += 4;
        if (len == UINT32_MAX)
            continue;
        if (len > f.n - at)
            return malformed(err, "array");
        array[i] = str_make(f.p + at, len);
        enum rc rc =
            type == COL_NUMERIC_ARRAY ? read_numeric(array[i], a, &array[i], err) : RC_OK;
        if (rc)
            return rc == RC_NOMEM ? err_nomem(err) : rc;
        at += len;
    }
    out->n = n;
    out->u.array = array;
    return RC_OK;
}

static enum rc plain_value(yyjson_val *json, struct arena *a, unsigned depth, struct val *out);

static enum rc plain_list(yyjson_val *json, struct arena *a, unsigned depth, struct val *out)
{
    size_t i = 0, max = 0;
    yyjson_val *v = NULL;
    out->kind = VAL_L;
    out->n = (uint32_t)yyjson_arr_size(json);
    out->u.list = arena_array(a, out->n ? out->n : 1, sizeof *out->u.list);
    if (out->u.list == NULL)
        return RC_NOMEM;
    yyjson_arr_foreach(json, i, max, v)
    {
        enum rc rc = plain_value(v, a, depth, &out->u.list[i]);
        if (rc)
            return rc;
    }
    return RC_OK;
}

static enum rc plain_map(yyjson_val *json, struct arena *a, unsigned depth, struct val *out)
{
    size_t i = 0, max = 0;
    yyjson_val *k = NULL, *v = NULL;
    out->kind = VAL_M;
    out->n = (uint32_t)yyjson_obj_size(json);
    out->u.members = arena_array(a, out->n ? out->n : 1, sizeof *out->u.members);
    if (out->u.members == NULL)
        return RC_NOMEM;
    yyjson_obj_foreach(json, i, max, k, v)
    {
        out->u.members[i].name = str_make(yyjson_get_str(k), yyjson_get_len(k));
        enum rc rc = plain_value(v, a, depth, &out->u.members[i].val);
        if (rc)
            return rc;
    }
    return RC_OK;
}

/* Plain JSON as a value tree, so that it is printed by the one printer there is. */
static enum rc plain_value(yyjson_val *json, struct arena *a, unsigned depth, struct val *out)
{
    memset(out, 0, sizeof *out);
    if (depth == 0)
        return RC_DATA;
    if (yyjson_is_str(json)) {
        out->kind = VAL_S;
        out->u.s = str_make(yyjson_get_str(json), yyjson_get_len(json));
    } else if (yyjson_is_raw(json)) {
        bool fits = false;
        struct str raw = str_make(yyjson_get_raw(json), yyjson_get_len(json));
        out->kind = VAL_N; /* one that no item can have is shown as it is */
        return canonical(raw, a, &out->u.s, &fits);
    } else if (yyjson_is_bool(json)) {
        out->kind = VAL_BOOL;
        out->u.boolean = yyjson_get_bool(json);
    } else if (yyjson_is_null(json)) {
        out->kind = VAL_NULL;
    } else if (yyjson_is_arr(json)) {
        return plain_list(json, a, depth - 1, out);
    } else {
        return plain_map(json, a, depth - 1, out);
    }
    return RC_OK;
}

static enum rc read_jsonb(struct str f, struct arena *a, struct str *out, struct err *err)
{
    struct val v;
    struct buf text;
    enum rc rc = RC_OK;
    if (f.n < 2 || f.p[0] != 1)
        return malformed(err, "jsonb of version 1");
    yyjson_doc *doc = yyjson_read(f.p + 1, f.n - 1, YYJSON_READ_NUMBER_AS_RAW);
    if (doc == NULL)
        return malformed(err, "jsonb");
    buf_init(&text, BUF_NO_LIMIT);
    rc = plain_value(yyjson_doc_get_root(doc), a, MAX_DEPTH, &v);
    if (rc == RC_OK) {
        canon_plain(&text, &v, NULL);
        *out = arena_dup(a, buf_view(&text));
        if (text.rc || out->p == NULL)
            rc = RC_NOMEM;
    }
    buf_release(&text);
    yyjson_doc_free(doc);
    if (rc == RC_DATA) { /* deeper than any item: not ours, shown as it is */
        *out = arena_dup(a, str_make(f.p + 1, f.n - 1));
        rc = out->p ? RC_OK : RC_NOMEM;
    }
    return rc ? err_nomem(err) : RC_OK;
}

static const size_t fixed_bytes[COL_TYPES] = {
    [COL_INTEGER] = 4, [COL_BIGINT] = 8,      [COL_DOUBLE] = 8, [COL_BOOLEAN] = 1,
    [COL_DATE] = 4,    [COL_TIMESTAMPTZ] = 8, [COL_UUID] = 16,
};

static void read_fixed(enum col_type type, const char *p, struct datum *out)
{
    uint64_t bits = 0;
    if (type == COL_INTEGER) {
        out->u.i = (int32_t)get32(p);
    } else if (type == COL_DATE) {
        out->u.i = (int64_t)(int32_t)get32(p) + PG_DAYS_TO_2000;
    } else if (type == COL_BIGINT) {
        out->u.i = (int64_t)get64(p);
    } else if (type == COL_TIMESTAMPTZ) {
        out->u.i = (int64_t)get64(p);
        /* the infinities stay where they are */
        if (out->u.i != INT64_MAX && out->u.i != INT64_MIN)
            out->u.i = (int64_t)((uint64_t)out->u.i + (uint64_t)PG_US_TO_2000);
    } else if (type == COL_DOUBLE) {
        bits = get64(p);
        memcpy(&out->u.d, &bits, sizeof bits);
    } else if (type == COL_BOOLEAN) {
        out->u.boolean = p[0] != 0;
    } else {
        memcpy(out->u.uuid, p, sizeof out->u.uuid);
    }
}

enum rc pg_binary_read(enum col_type type, struct str field, struct arena *a, struct datum *out,
                       struct err *err)
{
    memset(out, 0, sizeof *out);
    out->state = field.p ? DATUM_VALUE : DATUM_NULL;
    if (field.p == NULL)
        return RC_OK;
    if (fixed_bytes[type] > 0) {
        if (field.n != fixed_bytes[type])
            return malformed(err, col_type_name(type));
        read_fixed(type, field.p, out);
        return RC_OK;
    }
    if (type == COL_NUMERIC) {
        enum rc rc = read_numeric(field, a, &out->u.text, err);
        return rc == RC_NOMEM ? err_nomem(err) : rc;
    }
    if (type == COL_JSONB)
        return read_jsonb(field, a, &out->u.text, err);
    if (type == COL_TEXT || type == COL_BYTEA) {
        out->u.text = field;
        return RC_OK;
    }
    return read_array(type, field, a, out, err);
}
