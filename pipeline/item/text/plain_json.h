/* SPDX-License-Identifier: MIT */
/* Plain JSON, without type tags, to values: S, N, BOOL, NULL, M and L. */
#ifndef ITEM_TEXT_PLAIN_JSON_H
#define ITEM_TEXT_PLAIN_JSON_H

#include "pipeline/item/text/json_text.h"

/* `near` places what has no place of its own; `depth`: maps and lists around it. */
enum rc plain_json_value(struct json_text *t, yyjson_val *v, size_t near, int depth,
                         struct val *out) MUST_CHECK;

/* The members of an object. */
enum rc plain_json_members(struct json_text *t, yyjson_val *object, int depth,
                           struct member **members, uint32_t *n) MUST_CHECK;

#endif
