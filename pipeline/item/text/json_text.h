/* SPDX-License-Identifier: MIT */
/*
 * A text as a tree of yyjson's, and back from the tree to places and strings of the text. The tree
 * lives in scratch memory until the next text. Private to those that make values of it.
 */
#ifndef ITEM_TEXT_JSON_TEXT_H
#define ITEM_TEXT_JSON_TEXT_H

#include <yyjson.h>

#include "pipeline/item/decode_check.h"

struct json_text {
    struct decode_check w;
    struct arena *scratch;
    const char *copy; /* yyjson's copy of the text */
};

/* Parses w.raw; *root is valid until the scratch is cleared. Numbers stay text. RC_DATA: w.why. */
enum rc json_text_parse(struct json_text *t, yyjson_val **root) MUST_CHECK;

/* The string, or the digits, as a view of the text, or as a copy if escapes make them differ. */
enum rc json_text_of(struct json_text *t, yyjson_val *v, struct str *out) MUST_CHECK;

/* Of a string or a number. */
static inline size_t json_text_offset(const struct json_text *t, yyjson_val *v)
{
    return (size_t)(unsafe_yyjson_get_str(v) - t->copy);
}

#endif
