/* SPDX-License-Identifier: MIT */
/*
 * What the ledger says, in memory: segments, counters, files, reasons, how far the end of the
 * run got. It is changed in one way only, by applying a record; a record that was just
 * written and one that is read back after a crash take the same path.
 */
#ifndef SINKS_JSONL_STATE_H
#define SINKS_JSONL_STATE_H

#include <stdint.h>

#include "pipeline/run/sink.h"
#include "sinks/zst.h"

/* Streams are numbered: the tables of the schema, rejects, unrouted, one per extract. */
static inline uint32_t jsonl_rejects(const struct schema *s)
{
    return s->ntables;
}

static inline uint32_t jsonl_unrouted(const struct schema *s)
{
    return s->ntables + 1;
}

static inline uint32_t jsonl_candidates(const struct schema *s, uint32_t extract)
{
    return s->ntables + 2 + extract;
}

static inline uint32_t jsonl_streams(const struct schema *s)
{
    return s->ntables + 2 + s->nextracts;
}

struct jsonl_file {
    uint32_t id;
    uint32_t stream;
    bool ended;   /* one whole frame; else the first `bytes` bytes are sure, and no more */
    bool dropped; /* replaced by others */
    uint64_t bytes, rows, raw;
    unsigned char sha[ZST_SHA];
};

struct jsonl_segment {
    uint32_t epoch;
    uint32_t claimed; /* the epoch this process holds it under, 0: none; never in the ledger */
    bool done;
    struct str resume; /* owned */
    struct str handed; /* owned: the resume key as it was when claimed */
};

/* A folder to be shown, and the inode by which it is known on either side of the rename. */
struct jsonl_swap {
    struct str dir; /* owned */
    uint64_t inode;
};

enum jsonl_phase { JSONL_LOADING = 0, JSONL_FINISHING, JSONL_PUBLISHING, JSONL_PUBLISHED };

struct jsonl_state {
    uint32_t ncounters, nextracts;
    uint64_t *counters;
    struct jsonl_segment *segments;
    uint32_t nsegments;
    uint32_t segments_done;
    struct jsonl_file *files;
    size_t nfiles;
    struct reasons reasons;
    struct jsonl_swap *swaps;
    size_t nswaps;
    bool *reduced; /* per extract */
    uint64_t conflicts, missing_mirrors;
    uint32_t last_file; /* the largest id ever seen */
    enum jsonl_phase phase;
};

enum rc jsonl_state_init(struct jsonl_state *st, const struct schema *schema,
                         struct err *err) MUST_CHECK;

/* The same without a model, for reports: counters as many as records have. */
void jsonl_state_init_bare(struct jsonl_state *st);
void jsonl_state_release(struct jsonl_state *st);

/* Replaces an owned text by a copy; frees one. */
enum rc jsonl_state_own(struct str *out, struct str text, struct err *err) MUST_CHECK;
void jsonl_state_drop(struct str *owned);

/* The segment's entry, made if need be; NULL when out of memory. Moves the others. */
struct jsonl_segment *jsonl_state_segment(struct jsonl_state *st, uint32_t segment);

/* Does what a record says; ctx is the state (fits jsonl_log_read). */
enum rc jsonl_state_apply(void *ctx, struct str json, struct err *err) MUST_CHECK;

#endif
