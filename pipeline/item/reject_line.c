/* SPDX-License-Identifier: MIT */
/*
 * The item is the second and last member, so its text ends before the line's last brace; that
 * it is an item at all is left to the decoder, which reads it like any other.
 */
#include "pipeline/item/reject_line.h"

#include "pipeline/base/base64.h"

static bool is_wrapped(yyjson_val *root)
{
    if (!yyjson_is_obj(root) || yyjson_obj_size(root) != 2)
        return false;
    yyjson_val *key = unsafe_yyjson_get_first(root);
    return yyjson_equals_str(key, "renorm") && yyjson_is_obj(key + 1) &&
           yyjson_is_str(yyjson_obj_get(key + 1, "reason"));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* From behind the colon to the brace that ends the line. */
static struct str value_text(struct str raw, size_t at)
{
    size_t end = raw.n;
    while (at < end && raw.p[at] != ':')
        at++;
    at++;
    while (end > at && raw.p[end - 1] != '}')
        end--;
    if (end > at)
        end--;
    while (at < end && is_blank(raw.p[at]))
        at++;
    while (end > at && is_blank(raw.p[end - 1]))
        end--;
    return str_make(raw.p + at, end - at);
}

static enum rc decoded(yyjson_val *v, struct arena *a, struct str *out)
{
    struct str text = str_make(yyjson_get_str(v), yyjson_get_len(v));
    size_t n, bad;
    unsigned char *bytes = arena_alloc(a, base64_room(text.n) + 1);
    if (!bytes)
        return RC_NOMEM;
    if (base64_decode(text, bytes, &n, &bad))
        *out = str_make((const char *)bytes, n);
    return RC_OK;
}

enum rc reject_line_text(yyjson_val *root, const char *copy, struct str raw, struct arena *a,
                         struct str *out)
{
    *out = (struct str){0};
    if (!is_wrapped(root))
        return RC_OK;
    yyjson_val *key = unsafe_yyjson_get_next(unsafe_yyjson_get_first(root) + 1);
    size_t name = (size_t)(unsafe_yyjson_get_str(key) - copy);
    if (yyjson_equals_str(key, "item_base64") && yyjson_is_str(key + 1))
        return decoded(key + 1, a, out);
    if (yyjson_equals_str(key, "item"))
        *out = value_text(raw, name);
    return RC_OK;
}
