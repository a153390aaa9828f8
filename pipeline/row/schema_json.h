/* SPDX-License-Identifier: MIT */
/* The tables of a model as text, for whoever has to do with its rows when the model is not there. */
#ifndef ROW_SCHEMA_JSON_H
#define ROW_SCHEMA_JSON_H

#include "pipeline/base/arena.h"
#include "pipeline/row/schema.h"

/* Appends tables and extracts; what is counted while items are read is left out. */
void schema_json_write(struct buf *b, const struct schema *s);

/* Reads it back; all of *out lies in the arena. RC_SINK: the text is no such thing. */
enum rc schema_json_read(struct str text, struct arena *a, struct schema *out,
                         struct err *err) MUST_CHECK;

#endif
