/* SPDX-License-Identifier: MIT */
/*
 * Items from files, folders, exports and standard input. Plain files of lines are cut into
 * slices that all workers share; packed files and documents are streams: many of them are a
 * segment each, few of them are inflated by whoever needs the next slice.
 */
#ifndef SOURCE_FILES_FILES_H
#define SOURCE_FILES_FILES_H

#include <stdatomic.h>

#include "pipeline/item/decoder.h"
#include "pipeline/source/files/origin.h"
#include "pipeline/source/source.h"

struct files_options {
    const char *const *paths; /* borrowed for the call; "-" is standard input */
    size_t npaths;
    /* taken, if it has a `free`, by files_open even when that fails; else borrowed until the source
       is freed; NULL: origin_local */
    const struct origin *origin;
    uint32_t lanes;     /* segments that a reader of an origin with links has at once; 0: 8 */
    size_t slice_bytes; /* 0: 4 MB */
    size_t page_bytes;  /* 0: 1 MB */
    size_t line_limit;  /* 0: 16 MB */
    enum decoder_parse form; /* of all items; DECODER_TEXT: as their content says */
    /* ends the wait for the first bytes of a pipe, with RC_CANCEL; may be NULL; borrowed */
    const atomic_bool *stop;
};

/*
 * Looks at every file, decides how it is written, checks manifests. *out is owned by the
 * caller and freed by its ops. RC_USAGE: a path or a content that cannot be read as items;
 * RC_SOURCE: an export that is not what its manifest says.
 */
enum rc files_open(const struct files_options *opts, struct source **out,
                   struct err *err) MUST_CHECK;

#endif
