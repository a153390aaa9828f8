/* SPDX-License-Identifier: MIT */
/*
 * A page: the raw bytes of some items of one segment, the unit that flows. Pages are a fixed
 * set per reader and go back to it after their rows were handed to the sink.
 */
#ifndef SOURCE_PAGE_H
#define SOURCE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/buf.h"

enum page_format {
    PAGE_LINES,  /* items separated by newlines; blank lines are nothing */
    PAGE_EXTENTS /* items lie where `extents` say */
};

struct extent {
    size_t at, n;
    const char
        *fault;     /* NULL, or why these bytes are no item ("line-too-long", ...): a reject */
    uint64_t whole; /* how many bytes it has in the input: more than n if only its start is
                       kept here */
};

/* What a model may call the place that items come from. */
struct source_part {
    struct str name; /* a table's, a file's base name, the name of a table in a file */
    struct str
        stem; /* the same for short: a base name without what follows its first dot; or empty */
    struct str *key; /* key attributes that it knows of; may be none */
    size_t nkey;
};

struct page {
    uint32_t segment;
    uint64_t sequence; /* of the segment, from 0 in this process */
    enum page_format format;
    struct buf raw;
    struct extent *extents; /* owned by the page */
    size_t nextents, cap_extents;
    struct buf resume; /* the resume key valid once this page is committed */
    bool last;         /* the segment ends with this page */
    const char *input; /* the file, for reports: the source's own; NULL: there is none */
    const struct source_part
        *part;         /* where its items are from: the source's own; NULL: unknown */
    uint64_t position; /* offset of raw[0] in its file (uncompressed), for reports */
    uint64_t
        scanned_out; /* items the server read but filtered out: read and filtered grow by it */
    uint64_t
        bytes_in; /* bytes of input it stands for (compressed, on the wire), for progress */
    uint64_t bytes_passed; /* bytes that an earlier process had done, passed over since the page
                              before; for progress */
};

void page_init(struct page *p, size_t max_raw);
void page_release(struct page *p);
void page_clear(struct page *p);
enum rc page_add_extent(struct page *p, size_t at, size_t n, const char *fault) MUST_CHECK;

/*
 * Walks the items: *at starts at 0. False at the end. White space around an item is not part of
 * it. raw is borrowed from the page.
 */
bool page_next(const struct page *p, size_t *at, struct str *raw, const char **fault);

/* Where the item that page_next handed out last lies in its file (uncompressed). */
uint64_t page_place(const struct page *p, size_t at, struct str raw);

/*
 * How many bytes the item that page_next handed out last has in the input: more than raw.n when
 * only its start was kept.
 */
uint64_t page_whole(const struct page *p, size_t at, struct str raw);

#endif
