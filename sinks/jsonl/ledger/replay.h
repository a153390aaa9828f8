/* SPDX-License-Identifier: MIT */
/*
 * What the ledger says, in memory: segments, counters, files, reasons, how far the end of the
 * run got. It is changed in one way only, by applying a record; a record that was just
 * written and one that is read back after a crash take the same path.
 */
#ifndef SINKS_JSONL_LEDGER_REPLAY_H
#define SINKS_JSONL_LEDGER_REPLAY_H

#include <stdint.h>

#include "pipeline/run/sink.h"
#include "sinks/store/zst.h"

/* Streams are numbered: the tables of the schema, rejects, unrouted, one per extract, the spill. */
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

/* Rows of all the streams before it (spill/spill.h). */
static inline uint32_t jsonl_spill(const struct schema *s)
{
    return s->ntables + 2 + s->nextracts;
}

static inline uint32_t jsonl_streams(const struct schema *s)
{
    return jsonl_spill(s) + 1;
}

struct jsonl_file {
    uint32_t id;
    uint32_t stream;
    bool ended; /* one whole frame; else the first `bytes` bytes are sure, and no more. A spill
                     never is */
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

/* Of a stream: its rows in the spills. */
struct jsonl_waiting {
    int64_t rows; /* logs are read one after the other: it may be below zero meanwhile */
    bool done;    /* they lie in parts now */
};

enum jsonl_phase { JSONL_LOADING = 0, JSONL_FINISHING, JSONL_PUBLISHING, JSONL_PUBLISHED };

/* A finished run that is not shown; texts are owned, all empty where it is not held. */
struct jsonl_held {
    struct str why;
    struct str judged; /* the options that it was judged by */
    struct str plan;   /* how the manifest would be swapped */
    struct str from;   /* the version of the manifest that it would take the place of */
};

struct jsonl_state {
    uint32_t ncounters, nextracts;
    uint64_t *counters;
    struct jsonl_segment *segments;
    uint32_t nsegments;
    uint32_t segments_done;
    struct jsonl_file *files;
    size_t nfiles;
    uint32_t *file_at; /* by id: 1 + where it stands in `files`, or 0 */
    size_t nfile_at;
    struct jsonl_waiting *waiting; /* by stream */
    uint32_t nwaiting;
    struct reasons reasons;
    struct extras extras;
    struct str plan; /* owned: how the manifest is swapped, as the store wrote it */
    struct jsonl_held held;
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

/* Replaces an owned text by a copy. */
enum rc jsonl_state_own(struct str *out, struct str text, struct err *err) MUST_CHECK;

/* The segment's entry, made if need be; NULL when out of memory. Moves the others. */
struct jsonl_segment *jsonl_state_segment(struct jsonl_state *st, uint32_t segment);

/* The file of that number, or NULL. */
struct jsonl_file *jsonl_state_file(const struct jsonl_state *st, uint32_t id);

/* Does what a record says; ctx is the state (fits record_log_read). */
enum rc jsonl_state_apply(void *ctx, struct str json, struct err *err) MUST_CHECK;

#endif
