/* SPDX-License-Identifier: MIT */
/*
 * The careful decoder: yyjson parses a copy of the text in scratch memory, and its tree is
 * walked into values. Strings that came without escapes are views of the raw bytes; the
 * address of a string in yyjson's copy gives its offset, which is how faults are placed.
 * Numbers stay text (a bare JSON number is a fault, but one with a place).
 */
#include "pipeline/item/decoder.h"

#include <stdlib.h>

#include "pipeline/base/utf8.h"
#include "pipeline/item/decode_check.h"
#include "pipeline/item/decode_fast.h"
#include "pipeline/item/reject_line.h"
#include "pipeline/item/text/json_text.h"
#include "pipeline/item/text/plain_json.h"

struct decoder {
    struct decode_fast fast;
    struct arena scratch;
    enum decoder_parse form; /* of items */
};

struct decoder *decoder_new(void)
{
    struct decoder *d = calloc(1, sizeof *d);
    if (d)
        arena_init(&d->scratch, 64 << 10);
    return d;
}

void decoder_set_form(struct decoder *d, enum decoder_parse form)
{
    d->form = form;
}

void decoder_free(struct decoder *d)
{
    if (!d)
        return;
    arena_release(&d->scratch);
    decode_fast_release(&d->fast);
    free(d);
}

/* Offset of the value itself where it has one (strings, bare numbers), else `near`. */
static size_t place(const struct json_text *r, yyjson_val *v, size_t near)
{
    if (yyjson_is_str(v) || yyjson_is_raw(v))
        return json_text_offset(r, v);
    if (yyjson_is_obj(v) && yyjson_obj_size(v) > 0)
        return json_text_offset(r, unsafe_yyjson_get_first(v));
    return near;
}

static enum rc read_value(struct json_text *r, yyjson_val *v, size_t near, int depth,
                          struct val *out);

static enum rc read_members(struct json_text *r, yyjson_val *map, int depth,
                            struct member **members, uint32_t *n)
{
    size_t count = yyjson_obj_size(map), i = 0, max;
    struct member *m = arena_alloc(r->w.arena, count * sizeof *m);
    if (!m)
        return RC_NOMEM;
    yyjson_val *key, *v;
    enum rc rc = RC_OK;
    yyjson_obj_foreach(map, i, max, key, v)
    {
        size_t at = json_text_offset(r, key);
        rc = json_text_of(r, key, &m[i].name);
        if (!rc && m[i].name.n == 0)
            rc = fault_set(r->w.why, "empty-name", at, "an attribute name is empty");
        if (!rc)
            rc = read_value(r, v, at, depth, &m[i].val);
        if (rc)
            return rc;
    }
    *members = m;
    *n = (uint32_t)count;
    uint32_t which = 0;
    if (decode_check_unique(m, *n, r->scratch, &which, &rc))
        return rc;
    size_t at = 0;
    yyjson_obj_foreach(map, i, max, key, v)
    {
        if (i == which)
            at = json_text_offset(r, key);
    }
    struct str name = utf8_cut(m[which].name, 120);
    return fault_set(r->w.why, "duplicate-member", at, "the name \"%.*s\" stands twice",
                     STR_FMT(name));
}

static enum rc read_list(struct json_text *r, yyjson_val *list, size_t near, int depth,
                         struct val *out)
{
    size_t i, max;
    yyjson_val *v;
    out->n = (uint32_t)yyjson_arr_size(list);
    out->u.list = arena_alloc(r->w.arena, out->n * sizeof *out->u.list);
    if (!out->u.list)
        return RC_NOMEM;
    yyjson_arr_foreach(list, i, max, v)
    {
        enum rc rc = read_value(r, v, near, depth, &out->u.list[i]);
        if (rc)
            return rc;
    }
    return RC_OK;
}

static enum rc read_scalar(struct json_text *r, yyjson_val *v, enum val_kind kind,
                           struct val *out)
{
    struct str text;
    enum rc rc = json_text_of(r, v, &text);
    return rc ? rc : decode_check_scalar(&r->w, kind, text, json_text_offset(r, v), out);
}

static enum rc read_set(struct json_text *r, yyjson_val *set, size_t near, struct val *out)
{
    static const enum val_kind ELEMENT[] = {
        [VAL_SS] = VAL_S, [VAL_NS] = VAL_N, [VAL_BS] = VAL_B};
    size_t i, max;
    yyjson_val *v;
    out->n = (uint32_t)yyjson_arr_size(set);
    out->u.list = arena_alloc(r->w.arena, out->n * sizeof *out->u.list);
    if (!out->u.list)
        return RC_NOMEM;
    yyjson_arr_foreach(set, i, max, v)
    {
        if (!yyjson_is_str(v)) {
            return fault_set(r->w.why, "bad-type", place(r, v, near),
                             "member %zu of %s is not a string", i, value_kind_name(out->kind));
        }
        enum rc rc = read_scalar(r, v, ELEMENT[out->kind], &out->u.list[i]);
        if (rc)
            return rc;
    }
    return decode_check_set(&r->w, out, near);
}

/* Does the JSON under the tag have the shape the tag asks for? */
static bool shape_fits(enum val_kind kind, yyjson_val *v)
{
    switch (kind) {
    case VAL_S:
    case VAL_N:
    case VAL_B:
        return yyjson_is_str(v);
    case VAL_BOOL:
        return yyjson_is_bool(v);
    case VAL_NULL:
        return yyjson_is_true(v);
    case VAL_M:
        return yyjson_is_obj(v);
    case VAL_L:
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        return yyjson_is_arr(v);
    case VAL_MISSING:
        break;
    }
    return false;
}

static enum rc bad_shape(struct json_text *r, enum val_kind kind, size_t at)
{
    static const char *const WANT[] = {
        [VAL_S] = "a string",         [VAL_N] = "a string",  [VAL_B] = "a string",
        [VAL_BOOL] = "true or false", [VAL_NULL] = "true",   [VAL_M] = "an object",
        [VAL_L] = "an array",         [VAL_SS] = "an array", [VAL_NS] = "an array",
        [VAL_BS] = "an array"};
    return fault_set(r->w.why, "bad-type", at, "\"%s\" must hold %s", value_kind_name(kind),
                     WANT[kind]);
}

/* The one tag of a value. */
static enum rc read_tag(struct json_text *r, yyjson_val *v, size_t near, enum val_kind *kind)
{
    size_t at = place(r, v, near);
    if (!yyjson_is_obj(v)) {
        return fault_set(
            r->w.why, "bad-type", at,
            "a value must be an object with a type tag such as {\"S\": ...}, not %s",
            yyjson_is_raw(v) ? "a number" : yyjson_get_type_desc(v));
    }
    if (yyjson_obj_size(v) == 0)
        return fault_set(r->w.why, "bad-type", at, "a value without a type tag");
    yyjson_val *key = unsafe_yyjson_get_first(v);
    struct str tag = str_make(yyjson_get_str(key), yyjson_get_len(key));
    if (yyjson_obj_size(v) > 1) {
        return fault_set(r->w.why, "two-tags", at,
                         "a value with %zu type tags, the first is \"%.*s\"",
                         yyjson_obj_size(v), STR_FMT(utf8_cut(tag, 40)));
    }
    *kind = decode_check_tag(tag);
    if (*kind == VAL_MISSING) {
        return fault_set(r->w.why, "bad-type", at, "unknown type tag \"%.*s\"",
                         STR_FMT(utf8_cut(tag, 80)));
    }
    return RC_OK;
}

static enum rc read_payload(struct json_text *r, yyjson_val *v, size_t at, int depth,
                            struct val *out)
{
    switch (out->kind) {
    case VAL_S:
    case VAL_N:
    case VAL_B:
        return read_scalar(r, v, out->kind, out);
    case VAL_BOOL:
        out->u.boolean = yyjson_is_true(v);
        return RC_OK;
    case VAL_M:
    case VAL_L:
        if (depth >= ITEM_DEPTH_MAX) {
            return fault_set(r->w.why, "too-deep", at,
                             "maps and lists nested more than %d deep", ITEM_DEPTH_MAX);
        }
        if (out->kind == VAL_M)
            return read_members(r, v, depth + 1, &out->u.members, &out->n);
        return read_list(r, v, at, depth + 1, out);
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        return read_set(r, v, at, out);
    case VAL_NULL:
    case VAL_MISSING:
        break;
    }
    return RC_OK;
}

static enum rc read_value(struct json_text *r, yyjson_val *v, size_t near, int depth,
                          struct val *out)
{
    *out = (struct val){.kind = VAL_MISSING};
    enum rc rc = read_tag(r, v, near, &out->kind);
    if (rc)
        return rc;
    yyjson_val *key = unsafe_yyjson_get_first(v), *under = key + 1;
    size_t at = json_text_offset(r, key);
    if (!shape_fits(out->kind, under))
        return bad_shape(r, out->kind, place(r, under, at));
    return read_payload(r, under, at, depth, out);
}

/*
 * Is the object a tagged value rather than the attributes of an item? Only asked of what
 * stands under a lone "Item". {"M":{..}} is both; an item has scalar key attributes, so a
 * lone attribute called M is told by the scalar in it.
 */
static bool is_tagged(yyjson_val *v)
{
    bool tagged = false;
    for (; yyjson_is_obj(v) && yyjson_obj_size(v) == 1; tagged = !tagged) {
        yyjson_val *key = unsafe_yyjson_get_first(v);
        enum val_kind kind =
            decode_check_tag(str_make(yyjson_get_str(key), yyjson_get_len(key)));
        if (kind == VAL_MISSING || !shape_fits(kind, key + 1))
            return tagged;
        if (kind != VAL_M)
            return !tagged;
        v = key + 1;
    }
    return tagged;
}

/* The object that holds the attributes: the root, or what {"Item": ...} wraps. */
static yyjson_val *unwrap(yyjson_val *root)
{
    if (yyjson_obj_size(root) != 1)
        return root;
    yyjson_val *key = unsafe_yyjson_get_first(root);
    if (!yyjson_equals_str(key, "Item") || !yyjson_is_obj(key + 1) || is_tagged(key + 1))
        return root;
    return key + 1;
}

enum rc item_decode(struct decoder *d, struct str raw, struct arena *a, struct item *out,
                    struct fault *why)
{
    if (d->form != DECODER_PLAIN && decode_fast_item(&d->fast, raw, a, out))
        return RC_OK;
    return item_decode_careful(d, raw, a, out, why);
}

enum rc item_decode_careful(struct decoder *d, struct str raw, struct arena *a,
                            struct item *out, struct fault *why)
{
    struct json_text r = {.w = {raw, a, why}, .scratch = &d->scratch};
    yyjson_val *root = NULL;
    struct str again = {0};
    *out = (struct item){.raw = raw};
    enum rc rc = json_text_parse(&r, &root);
    if (!rc)
        rc = reject_line_text(root, r.copy, raw, a, &again);
    if (!rc && again.p) {
        out->raw = r.w.raw = again;
        rc = json_text_parse(&r, &root);
    }
    if (rc)
        return rc;
    if (!yyjson_is_obj(root)) {
        return fault_set(why, "bad-item", place(&r, root, 0),
                         "an item must be an object, not %s",
                         yyjson_is_raw(root) ? "a number" : yyjson_get_type_desc(root));
    }
    if (d->form == DECODER_PLAIN)
        return plain_json_members(&r, unwrap(root), 0, &out->members, &out->n);
    return read_members(&r, unwrap(root), 0, &out->members, &out->n);
}

enum rc decoder_parse(struct decoder *d, enum decoder_parse form, struct str text,
                      struct arena *a, struct val *out, struct fault *why)
{
    struct json_text r = {.w = {text, a, why}, .scratch = &d->scratch};
    yyjson_val *root = NULL;
    *out = (struct val){.kind = VAL_MISSING};
    enum rc rc = json_text_parse(&r, &root);
    if (rc)
        return rc;
    if (form == DECODER_PLAIN)
        return plain_json_value(&r, root, 0, 0, out);
    if (!yyjson_is_obj(root) || is_tagged(root))
        return read_value(&r, root, 0, 0, out);
    out->kind = VAL_M;
    return read_members(&r, root, 1, &out->u.members, &out->n);
}
