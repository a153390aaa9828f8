/* SPDX-License-Identifier: MIT */
/*
 * How items are written in a file, told from its first bytes and then fixed: one a line, one
 * after the other over several lines, in an array, or inside a document.
 */
#ifndef FILES_FORMAT_FORMAT_H
#define FILES_FORMAT_FORMAT_H

#include <stdbool.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

enum format {
    FORMAT_EMPTY,    /* white space only */
    FORMAT_LINES,    /* one item per line, bare or as {"Item":{..}} */
    FORMAT_SEQUENCE, /* items one after the other, pretty-printed */
    FORMAT_ARRAY,    /* [item, item, ..] */
    FORMAT_DOCUMENT  /* Items, Responses or DataModel[].TableData inside one or more objects */
};

/* How much of a file is looked at. */
enum { FORMAT_HEAD = 64 << 10 };

/*
 * Decides from the first bytes of `name` (without byte order mark, unpacked). `all` says that
 * they are the whole file. RC_USAGE: nothing this reads; the error says what was found.
 */
enum rc format_guess(struct str head, bool all, const char *name, enum format *out,
                     struct err *err) MUST_CHECK;

/* A word for people and for the source's identity: "lines", "array", ... */
const char *format_name(enum format f);

#endif
