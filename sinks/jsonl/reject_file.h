/* SPDX-License-Identifier: MIT */
/*
 * A reject as one line:
 *
 *   {"renorm":{"reason":"bad-number","detail":"...","entity":"Order",
 *    "file":"items.jsonl","segment":3,"position":120},"item":{"PK":{"S":"x"}}}
 *
 * `item` is the text as it came, which is the last member of the line; text that is no JSON
 * is `item_base64`. Line breaks between tokens of a JSON text become spaces. Read again as a
 * source, a line whose first member is `renorm` with a `reason` in it stands for its item.
 */
#ifndef SINKS_JSONL_REJECT_FILE_H
#define SINKS_JSONL_REJECT_FILE_H

#include "pipeline/row/schema.h"

/* Appends the line, without its newline. `of` says where the item was read. */
void jsonl_reject(struct buf *b, const struct reject *r, const struct batch *of);

/*
 * Takes a line apart: the reason and the item's bytes, views of the line or of `decoded`, which is
 * used for what is no JSON. Of a line that is none of ours the item is all of it.
 */
enum rc jsonl_reject_split(struct str line, struct buf *decoded, struct str *reason,
                           struct str *item, struct err *err) MUST_CHECK;

#endif
