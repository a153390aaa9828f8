/* SPDX-License-Identifier: MIT */
/*
 * A place for rows in memory: a sink that keeps the lines it is given, and a reader that gives
 * them back. A comparison with one needs neither a folder's sink nor a database.
 */
#ifndef HARNESS_MEMORY_STORE_H
#define HARNESS_MEMORY_STORE_H

#include "pipeline/base/arena.h"
#include "pipeline/compare/reexport.h"
#include "tests/harness/memory_rows.h"

enum { MEMORY_LINES = 32 }; /* of a table */

struct memory_store {
    struct rows_store store; /* of one name */
    struct memory_rows rows; /* what the reader gives; a test may set its faults */
    const char *lines[MEMORY_TABLES][MEMORY_LINES + 1];
    size_t n[MEMORY_TABLES];
    struct arena arena; /* of the lines */
    const struct schema *schema;
    struct sink sink;
    struct sink_worker worker;
    bool no_sink; /* a sink cannot be had */
    int open;     /* sinks and readers that were opened and not closed */
};

/* `folder` (borrowed) takes temporary files. Runs into it have one worker, and no extracts. */
void memory_store_init(struct memory_store *m, const char *folder);
void memory_store_release(struct memory_store *m);

#endif
