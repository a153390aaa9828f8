/* SPDX-License-Identifier: MIT */
/*
 * jsonb. Equal values have different bytes on the server (member order, spacing, digits): what
 * comes back is parsed, keeping the digits, and printed in canonical form.
 */
#include <string.h>
#include <yyjson.h>

#include "pipeline/item/canon.h"
#include "sinks/postgres/wire/codec_private.h"

enum { JSONB_VERSION = 1, MAX_DEPTH = 128 };

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
        return pg_numeric_canonical(raw, a, &out->u.s, &fits);
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

enum rc pg_jsonb_put(struct buf *b, enum col_type type, const struct datum *d, struct err *err)
{
    (void)type;
    if (d->u.text.n + 1 > PG_FIELD_MAX)
        return pg_field_too_long(err, d->u.text.n);
    buf_be32(b, (uint32_t)d->u.text.n + 1);
    buf_putc(b, JSONB_VERSION);
    buf_add_str(b, d->u.text);
    return RC_OK;
}

enum rc pg_jsonb_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                     struct err *err)
{
    (void)type;
    struct val v;
    struct buf text;
    enum rc rc = RC_OK;
    if (f.n < 2 || f.p[0] != JSONB_VERSION)
        return pg_field_malformed(err, "jsonb of version 1");
    yyjson_doc *doc = yyjson_read(f.p + 1, f.n - 1, YYJSON_READ_NUMBER_AS_RAW);
    if (doc == NULL)
        return pg_field_malformed(err, "jsonb");
    buf_init(&text, BUF_NO_LIMIT);
    rc = plain_value(yyjson_doc_get_root(doc), a, MAX_DEPTH, &v);
    if (!rc) {
        canon_plain(&text, &v, NULL);
        out->u.text = arena_dup(a, buf_view(&text));
        if (text.rc || out->u.text.p == NULL)
            rc = RC_NOMEM;
    }
    buf_release(&text);
    yyjson_doc_free(doc);
    if (rc == RC_DATA) { /* deeper than any item: not ours, shown as it is */
        out->u.text = arena_dup(a, str_make(f.p + 1, f.n - 1));
        rc = out->u.text.p ? RC_OK : RC_NOMEM;
    }
    return rc;
}
