/* SPDX-License-Identifier: MIT */
/*
 * Items that were set aside by an earlier run and are read again:
 *
 *   {"renorm":{"reason":"bad-number",..},"item":{"PK":{"S":"x"}}}
 *   {"renorm":{"reason":"bad-json",..},"item_base64":"eyJQSyI.."}
 *
 * Such a line stands for its item, whose bytes it holds as they came. No item looks like
 * that: "reason" is no type tag. Private to the decoder.
 */
#ifndef ITEM_REJECT_LINE_H
#define ITEM_REJECT_LINE_H

#include <yyjson.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"

/*
 * The text of the item that `root` wraps, a view of `raw` or made in `a`; out->p is NULL if
 * it wraps none. `copy` is yyjson's copy of `raw`. RC_OK, RC_NOMEM.
 */
enum rc reject_line_text(yyjson_val *root, const char *copy, struct str raw, struct arena *a,
                         struct str *out) MUST_CHECK;

#endif
