/* SPDX-License-Identifier: MIT */
/*
 * Compressed JSON lines in a store, which is a folder unless the options say otherwise:
 *
 *   OUT/<table>/part-NNNNNN.jsonl.zst   one row per line, each file one zstd frame
 *   OUT/rejects/, OUT/unrouted/         items that became no rows, whole (reject_file.h)
 *   OUT/manifest.json                   what all this is; written last
 *   OUT/.renorm/                        the run under way: ledger and unfinished files
 *
 * A run that was cut short is resumed by opening the same folder again.
 */
#ifndef SINKS_JSONL_JSONL_H
#define SINKS_JSONL_JSONL_H

#include "pipeline/run/sink.h"
#include "sinks/store/store.h"

struct jsonl_options {
    const char *out;          /* the folder, or another store's address */
    int level;                /* zstd 1..19 */
    uint32_t part_mb;         /* compressed size at which a new part is begun */
    uint32_t open_parts;      /* files a worker keeps open */
    uint32_t commit_mb;       /* uncompressed bytes that make a commit due */
    uint32_t reduce_mb;       /* memory for reducing an extract; 0: 64 */
    uint64_t part_bytes;      /* the same in bytes, for tests; 0: part_mb */
    store_opener *open_store; /* what `out` is an address of; NULL: a folder */
    void *store_ctx;          /* borrowed; for open_store */
    /* For tests: called at named points of the protocol; may end the process. */
    void (*point)(void *ctx, const char *name);
    void *point_ctx;
};

/* RC_USAGE: an option makes no sense. Nothing is touched yet; *out is freed by its close. */
enum rc jsonl_open(const struct jsonl_options *opts, struct sink **out,
                   struct err *err) MUST_CHECK;

#endif
