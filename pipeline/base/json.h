/* SPDX-License-Identifier: MIT */
/* Writing JSON text: strings with the escapes JSON demands and no others. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "pipeline/base/buf.h"

/* Appends "text" quoted. The text must be UTF-8; NUL and controls become \u00XX. */
void json_add_string(struct buf *b, struct str s);

/* Appends `"name":`, with a comma before it unless *first (which is cleared). */
void json_add_name(struct buf *b, bool *first, const char *name);

#endif
