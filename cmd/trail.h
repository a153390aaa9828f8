/* SPDX-License-Identifier: MIT */
/*
 * Which item a row came from. A sink put in front of another notes, for every row and every
 * candidate, the hash of its key and the key of its item, in files beside the rows; they are
 * read when rows differ and their items are wanted again.
 */
#ifndef CMD_TRAIL_H
#define CMD_TRAIL_H

#include "pipeline/run/sink.h"

struct trail_note {
    uint32_t table;
    bool candidate;        /* of an extract */
    uint64_t hash;         /* trail_hash of the row's key */
    struct str source_key; /* JSON of the item's key attributes */
    /* with `places` only */
    uint64_t place; /* of the item in its source: segment, then number */
    uint64_t top;   /* trail_hash of the key of the entity's row, for its children */
    uint64_t line;  /* trail_hash of the row's line */
};

/* Of a key as line_key makes it. */
uint64_t trail_hash(struct str key);

/* The table of the entity that a child's rows come with. */
uint32_t trail_top(const struct schema *s, uint32_t table);

/*
 * Takes `inner`, also when it fails. `folder` is there already. `fold`: keys of tables without
 * a key are taken from lines without nulls. `places`: all of a note is filled. Returns owned in *out: close it as any sink.
 */
struct trail_options {
    const char *folder;
    const struct schema *schema;
    bool fold;
    bool places;
};
enum rc trail_sink(const struct trail_options *opts, struct sink *inner, struct sink **out,
                   struct err *err) MUST_CHECK;

/* Every note of the folder; valid during the call. */
enum rc trail_each(const char *folder, void (*each)(void *ctx, const struct trail_note *note),
                   void *ctx, struct err *err) MUST_CHECK;

#endif
