/* SPDX-License-Identifier: MIT */
/*
 * A file that can only be read from its start (packed, a document, a pipe), as a row of pages
 * that end where an item ends. Where they end depends on the content and on cut_bytes alone, so
 * that the k-th page is the same in every run.
 */
#ifndef SOURCE_FILES_STREAM_H
#define SOURCE_FILES_STREAM_H

#include "pipeline/source/files/inflate.h"
#include "pipeline/source/files/slicer.h"

struct stream;

/*
 * Takes `opened` (may be NULL: the file is opened here); borrows in. cut_bytes is what a page
 * aims at. *out is owned by the caller.
 */
enum rc stream_open(const struct input *in, struct inflate *opened, const struct limits *limits,
                    size_t cut_bytes, struct stream **out, struct err *err) MUST_CHECK;
void stream_free(struct stream *st);

/*
 * RC_OK: the page's bytes, extents, position, resume key and bytes_in are set (its own memory
 * goes to the stream in exchange); `last` with the page that ends the input, which may hold no
 * item. RC_AGAIN: a pipe has nothing for now. RC_END: after the last page. The end of a listed
 * file is checked against its manifest before the last page is handed out.
 */
enum rc stream_next(struct stream *st, struct page *page, struct err *err) MUST_CHECK;

#endif
