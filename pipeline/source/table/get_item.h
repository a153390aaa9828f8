/* SPDX-License-Identifier: MIT */
/* Single items of the table that a scan reads, by their keys, within the scan's own budget. */
#ifndef SOURCE_TABLE_GET_ITEM_H
#define SOURCE_TABLE_GET_ITEM_H

#include "pipeline/source/table/scan.h"

struct get_item;

/* The source is a scan and outlives this. Returns owned in *out. */
enum rc get_item_new(struct source *base, struct get_item **out, struct err *err) MUST_CHECK;
void get_item_free(struct get_item *g);

/*
 * thread: one. Blocks. `key` is the JSON of the key attributes, {"PK":{"S":"x"}}. Appends the
 * item, consistently read, as {"Item":{...}} and a newline; nothing if there is none.
 */
enum rc get_item_read(struct get_item *g, struct str key, struct buf *out,
                      struct err *err) MUST_CHECK;

#endif
