/* SPDX-License-Identifier: MIT */
/*
 * DynamoDB attribute values as parsed JSON: their size as DynamoDB counts it, equality by
 * meaning, and key values as bytes that sort as DynamoDB sorts them.
 */
#ifndef SIM_AV_H
#define SIM_AV_H

#include <stdbool.h>
#include <yyjson.h>

#include "pipeline/base/buf.h"

/* The type tag ("S", "N", ...) and the tagged value; empty if it is no attribute value. */
struct str av_type(yyjson_val *av, yyjson_val **inner);

struct str av_text(yyjson_val *v);

/* Bytes of one value, and of all names and values of an item. */
size_t av_size(yyjson_val *av);
size_t av_item_size(yyjson_val *item);

/* Appends bytes whose order is the order of the numbers; false if the text is no number. */
bool av_number_key(struct str text, struct buf *out);

/* Appends the order bytes of an S, N or B value; false for all others. */
bool av_key_bytes(yyjson_val *av, struct buf *out);

bool av_equal(yyjson_val *a, yyjson_val *b);

/* <0, 0, >0; *ok is false unless both are S, both N or both B. */
int av_compare(yyjson_val *a, yyjson_val *b, bool *ok);

#endif
