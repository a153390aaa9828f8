/* SPDX-License-Identifier: MIT */
/*
 * Notes which item a row came from. A sink that stands in front of another one writes down, for
 * every row and every candidate, the hash of its key and the key of its item. The notes are read
 * when the items of rows that differ are to be read again, and when one of several rows with one
 * key is to be chosen.
 */
#ifndef COMPARE_ROW_ORIGIN_H
#define COMPARE_ROW_ORIGIN_H

#include <stdio.h>

#include "pipeline/run/sink.h"

struct row_origin_note {
    uint32_t table;
    bool candidate;        /* of an extract */
    uint64_t hash;         /* row_origin_hash of the row's key */
    struct str source_key; /* JSON of the item's key attributes */
    /* These are filled with `places` only. */
    uint64_t place; /* of the item in its source: segment, then number */
    uint64_t up;    /* row_origin_hash of the key of the parent's row, of a child */
    uint64_t line;  /* row_origin_hash of the row's line */
};

/* Hashes a key as row_line_key makes it, or a line where the table has no key. */
uint64_t row_origin_hash(struct str key);

/* Returns the table that a child's rows belong to, UINT32_MAX where they are no children. */
uint32_t row_origin_parent(const struct schema *s, uint32_t table);

/* Does the key of the table begin with that of the table above, of which it is a child? */
bool row_origin_repeats(const struct schema *s, uint32_t table, uint32_t above);

/* The notes of one run, in a file without a name for each worker. */
struct row_origins {
    const char *folder; /* borrowed; takes the files */
    FILE **files;
    size_t n;
};

/* lock: none. One thread at a time; the sink's workers each write to their own file. */
void row_origins_init(struct row_origins *o, const char *folder);
void row_origins_release(struct row_origins *o);

struct row_origin_options {
    struct row_origins *origins; /* borrowed until the sink is closed */
    const struct schema *schema;
    bool fold;   /* a line that stands for a key is taken without its nulls */
    bool places; /* all members of a note are filled */
    /* thread: main. Called when all is noted, before `inner` finishes; may be NULL. */
    enum rc (*noted)(void *ctx, struct sink *inner, struct err *err);
    void *noted_ctx;
};

/* Takes `inner`, also when it fails. Returns owned in *out: close it as any sink. */
enum rc row_origin_sink(const struct row_origin_options *opts, struct sink *inner,
                        struct sink **out, struct err *err) MUST_CHECK;

/* Calls `each` for every note, once the workers are closed. A note is valid during its call. */
enum rc row_origin_each(const struct row_origins *o,
                        void (*each)(void *ctx, const struct row_origin_note *note), void *ctx,
                        struct err *err) MUST_CHECK;

#endif
