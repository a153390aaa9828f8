/* SPDX-License-Identifier: MIT */
/*
 * The ledger on disk: append-only files of checksummed records, one file per worker and
 * process. A record is a line "HASH JSON"; each is on the disk before the next is begun, so
 * only the last can be torn, and a torn one never happened.
 */
#ifndef SINKS_JSONL_LOG_H
#define SINKS_JSONL_LOG_H

#include "sinks/fs.h"

struct jsonl_log {
    int fd; /* -1: closed, or broken by a failed write */
    uint64_t chain;
    char path[FS_PATH];
};

/* Makes a new file, durable in its folder. */
enum rc jsonl_log_create(struct jsonl_log *log, const char *path, struct err *err) MUST_CHECK;

/* Appends one record and waits for the disk: when this returns RC_OK it has happened. */
enum rc jsonl_log_append(struct jsonl_log *log, struct str json, struct err *err) MUST_CHECK;
void jsonl_log_close(struct jsonl_log *log);

/*
 * Calls `each` for every record in order; stops at its first failure. A torn end is passed
 * over. RC_SINK: a bad record with good ones behind it, which no crash leaves.
 */
enum rc jsonl_log_read(const char *path,
                       enum rc (*each)(void *ctx, struct str json, struct err *err), void *ctx,
                       struct err *err) MUST_CHECK;

#endif
