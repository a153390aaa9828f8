/* SPDX-License-Identifier: MIT */
/*
 * Reads one slice of a plain file of lines: the lines that *start* inside it. Any number of
 * slicers share a file, each with its own handle, and together hand out every line once.
 */
#ifndef SOURCE_FILES_SLICER_H
#define SOURCE_FILES_SLICER_H

#include "pipeline/source/files/input.h"
#include "pipeline/source/page.h"

/* How much of a line beyond the limit is kept. */
enum { LINE_KEPT = 64 << 10 };

struct limits {
    size_t slice_bytes; /* of one segment of a shared file */
    size_t page_bytes;  /* aimed at; at most line_limit */
    size_t line_limit;  /* longer items are rejects */
};

/* What a page's raw bytes can come to. */
static inline size_t limits_page_max(const struct limits *l)
{
    size_t aim = l->slice_bytes > l->page_bytes ? l->slice_bytes : l->page_bytes;
    return aim + l->line_limit + 4 * (size_t)LINE_KEPT;
}

struct slicer {
    const struct input *in;
    struct limits limits;
    struct bytes *bytes; /* owned; NULL: none is open */
    uint64_t at, end;    /* next unread byte; lines that start at or after end are another's */
    bool seek; /* `at` is inside a line of another slice: the first newline is looked for */
    struct buf start; /* of a line beyond the limit whose end is looked for; else empty */
    uint64_t skipped; /* of such a line: it has no end before this offset */
};

/* How many slices the file has. */
uint64_t slicer_count(const struct input *in, const struct limits *limits);

void slicer_init(struct slicer *s);
void slicer_release(struct slicer *s);

/* Begins slice `index` of in (borrowed), at its start or at the offset `resume`. */
enum rc slicer_start(struct slicer *s, const struct input *in, const struct limits *limits,
                     uint64_t index, struct str resume, struct err *err) MUST_CHECK;

/*
 * Fills the (cleared) page: raw, position, resume key, bytes_in and, at the end of the slice,
 * last. A line beyond the limit comes alone, as a faulty extent. RC_AGAIN: not all is there yet;
 * the page is to be cleared, and asked for again.
 */
enum rc slicer_next(struct slicer *s, struct page *page, struct err *err) MUST_CHECK;

#endif
