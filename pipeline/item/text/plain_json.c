/* SPDX-License-Identifier: MIT */
/* The limits are those of items: depth, digits of numbers, no name twice and none empty. */
#include "pipeline/item/text/plain_json.h"

#include "pipeline/base/utf8.h"

static enum rc twice(struct json_text *t, yyjson_val *object, const struct member *m,
                     uint32_t which)
{
    size_t i, max, at = 0;
    yyjson_val *key, *v;
    yyjson_obj_foreach(object, i, max, key, v)
    {
        if (i == which)
            at = json_text_offset(t, key);
    }
    struct str name = utf8_cut(m[which].name, 120);
    return fault_set(t->w.why, "duplicate-member", at, "the name \"%.*s\" stands twice",
                     STR_FMT(name));
}

enum rc plain_json_members(struct json_text *t, yyjson_val *object, int depth,
                           struct member **members, uint32_t *n)
{
    size_t count = yyjson_obj_size(object), i, max;
    struct member *m = arena_alloc(t->w.arena, count * sizeof *m);
    yyjson_val *key, *v;
    enum rc rc = m ? RC_OK : RC_NOMEM;
    yyjson_obj_foreach(object, i, max, key, v)
    {
        size_t at = json_text_offset(t, key);
        if (!rc)
            rc = json_text_of(t, key, &m[i].name);
        if (!rc && m[i].name.n == 0)
            rc = fault_set(t->w.why, "empty-name", at, "an attribute name is empty");
        if (!rc)
            rc = plain_json_value(t, v, at, depth, &m[i].val);
        if (rc)
            return rc;
    }
    uint32_t which = 0;
    *members = m;
    *n = (uint32_t)count;
    if (rc || decode_check_unique(m, *n, t->scratch, &which, &rc))
        return rc;
    return twice(t, object, m, which);
}

static enum rc read_list(struct json_text *t, yyjson_val *list, size_t near, int depth,
                         struct val *out)
{
    size_t i, max;
    yyjson_val *v;
    out->n = (uint32_t)yyjson_arr_size(list);
    out->u.list = arena_alloc(t->w.arena, out->n * sizeof *out->u.list);
    enum rc rc = out->u.list ? RC_OK : RC_NOMEM;
    yyjson_arr_foreach(list, i, max, v)
    {
        if (!rc)
            rc = plain_json_value(t, v, near, depth, &out->u.list[i]);
    }
    return rc;
}

static enum rc read_scalar(struct json_text *t, yyjson_val *v, struct val *out)
{
    struct str text;
    enum val_kind kind = yyjson_is_str(v) ? VAL_S : VAL_N;
    enum rc rc = json_text_of(t, v, &text);
    return rc ? rc : decode_check_scalar(&t->w, kind, text, json_text_offset(t, v), out);
}

enum rc plain_json_value(struct json_text *t, yyjson_val *v, size_t near, int depth,
                         struct val *out)
{
    *out = (struct val){.kind = VAL_NULL};
    if (yyjson_is_str(v) || yyjson_is_raw(v))
        return read_scalar(t, v, out);
    if (yyjson_is_bool(v)) {
        out->kind = VAL_BOOL;
        out->u.boolean = yyjson_is_true(v);
    }
    if (!yyjson_is_ctn(v))
        return RC_OK;
    if (depth >= ITEM_DEPTH_MAX) {
        return fault_set(t->w.why, "too-deep", near, "maps and lists nested more than %d deep",
                         ITEM_DEPTH_MAX);
    }
    out->kind = yyjson_is_obj(v) ? VAL_M : VAL_L;
    if (out->kind == VAL_L)
        return read_list(t, v, near, depth + 1, out);
    return plain_json_members(t, v, depth + 1, &out->u.members, &out->n);
}
