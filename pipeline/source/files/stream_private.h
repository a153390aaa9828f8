/* SPDX-License-Identifier: MIT */
/*
 * Building pages, for the two kinds of streams (lines, documents): the state, and the steps that
 * both are made of. Nobody else includes it.
 */
#ifndef SOURCE_FILES_STREAM_PRIVATE_H
#define SOURCE_FILES_STREAM_PRIVATE_H

#include "pipeline/source/files/format/cutter.h"
#include "pipeline/source/files/stream.h"

struct stream {
    const struct input *in;
    struct limits limits;
    size_t cut;
    struct inflate *inflate;
    struct page page; /* being built: raw[0] is at page.position of the input */
    uint64_t used;    /* packed bytes told so far */
    uint64_t items;   /* handed out, of a listed file */
    bool eof, ended;  /* all is read; all is handed out */
    uint32_t skip;    /* bytes of the byte order mark still to come */
    const char *rest; /* the fault of all that follows, kept in part; NULL: none */
    bool over;        /* the rest was handed out */
    uint64_t dropped; /* bytes of the long item or the rest that are not in raw */
    bool dropping;    /* raw holds the start of a long item */
    /* of a document */
    struct cutter cutter;
    size_t fed;            /* how far raw went through the cutter */
    size_t item, last_end; /* where the open item begins; where the last one ended */
    bool in_item;
};

/* Reads some more; at the end sets eof. The byte order mark is not kept. */
enum rc stream_more(struct stream *st, struct err *err) MUST_CHECK;

/* Forgets the first n bytes of raw. */
void stream_shift(struct stream *st, size_t n);

/* Of the first `upto` bytes of raw keeps only the start. */
void stream_drop(struct stream *st, size_t upto);

/* Hands out the first `end` bytes of raw; what lies behind them begins the next page. */
enum rc stream_emit(struct stream *st, struct page *page, size_t end,
                    struct err *err) MUST_CHECK;

/* As above, as one extent with a fault. */
enum rc stream_emit_faulty(struct stream *st, struct page *page, size_t end, const char *fault,
                           struct err *err) MUST_CHECK;

/* The last page: everything was read, and it is what it was said to be. */
enum rc stream_emit_last(struct stream *st, struct page *page, size_t end,
                         struct err *err) MUST_CHECK;

/* stream_next for documents. */
enum rc stream_next_document(struct stream *st, struct page *page, struct err *err) MUST_CHECK;

#endif
