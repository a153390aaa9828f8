/* SPDX-License-Identifier: MIT */
/* Single items of the table that a scan reads, by their keys, within the scan's own budget. */
#ifndef SOURCE_SCAN_GET_H
#define SOURCE_SCAN_GET_H

#include "pipeline/source/scan.h"

struct scan_get;

/* The source is a scan and outlives this. Returns owned in *out. */
enum rc scan_get_new(struct source *base, struct scan_get **out, struct err *err) MUST_CHECK;
void scan_get_free(struct scan_get *g);

/*
 * thread: one. Blocks. `key` is the JSON of the key attributes, {"PK":{"S":"x"}}. Appends the
 * item, consistently read, as {"Item":{...}} and a newline; nothing if there is none.
 */
enum rc scan_get_item(struct scan_get *g, struct str key, struct buf *out,
                      struct err *err) MUST_CHECK;

#endif
