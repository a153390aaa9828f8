/* SPDX-License-Identifier: MIT */
/*
 * The ledger on disk: append-only files of checksummed records, one file per worker and
 * process. A record is a line "HASH JSON"; each is on the disk before the next is begun, so
 * only the last can be torn, and a torn one never happened.
 */
#ifndef SINKS_STORE_RECORD_LOG_H
#define SINKS_STORE_RECORD_LOG_H

#include "sinks/store/store.h"

struct record_log {
    struct store_log base; /* for whoever adds records without knowing where they go */
    int fd;                /* -1: closed, or broken by a failed write */
    uint64_t chain;
    char path[FS_PATH];
};

/* Makes a new file (0600 where it holds what others must not see), durable in its folder. */
enum rc record_log_create(struct record_log *log, const char *path, mode_t mode,
                          struct err *err) MUST_CHECK;

/* The same as a log of a store, which its close frees. */
enum rc record_log_new(const char *path, mode_t mode, struct store_log **out,
                       struct err *err) MUST_CHECK;

/* Appends one record and waits for the disk: when this returns RC_OK it has happened. */
enum rc record_log_append(struct record_log *log, struct str json, struct err *err) MUST_CHECK;
void record_log_close(struct record_log *log);

/*
 * Calls `each` for every record in order; stops at its first failure. A torn end is passed
 * over. RC_NONE: no such file. RC_SINK: a bad record with good ones behind it, which no crash
 * leaves.
 */
enum rc record_log_read(const char *path,
                        enum rc (*each)(void *ctx, struct str json, struct err *err), void *ctx,
                        struct err *err) MUST_CHECK;

/* The same one by one. Memory: the longest record, not the file. */
struct record_log_reader {
    int fd;
    bool ended;   /* nothing is left to be read from the file */
    uint64_t end; /* where in the file the last good record ended */
    uint64_t chain;
    struct buf text; /* from `end` on: at + what was handed out last */
    size_t at;
    char path[FS_PATH];
};

/* RC_NONE: no such file. Release it in any case. */
enum rc record_log_open(struct record_log_reader *r, const char *path,
                        struct err *err) MUST_CHECK;

/* The next record, valid until the next call; RC_END, RC_SINK as above. */
enum rc record_log_next(struct record_log_reader *r, struct str *json,
                        struct err *err) MUST_CHECK;
void record_log_release(struct record_log_reader *r);

/*
 * For readers that go backward: the record at the head of `text`, behind one whose hash is
 * `chain` (0: the first of its file); false if there is no good one. And the hash that a
 * line claims to have, unchecked.
 */
bool record_log_record(struct str text, uint64_t chain, struct str *json, uint64_t *hash);
bool record_log_claim(struct str line, uint64_t *hash);

#endif
