/* SPDX-License-Identifier: MIT */
/* How a store stands: the run that is under way or was cut short in it, if any. */
#ifndef SINKS_JSONL_FOLDER_STATUS_H
#define SINKS_JSONL_FOLDER_STATUS_H

#include "sinks/jsonl/ledger/replay.h"
#include "sinks/store/store.h"

/* Texts point into the status and live as long as it. */
struct jsonl_status {
    bool unfinished; /* there is a run; else only what a manifest says (manifest_read.h) */
    bool under_way;  /* a process holds it right now */
    long pid;        /* of the process that holds it */
    struct str version, name, model_hash, source;
    int64_t started_us;
    uint32_t segments; /* 0: not known */
    bool resumable;
    struct str *tables; /* names; rows are counted over the files of their number */
    size_t ntables;
    struct jsonl_state state;
    void *doc;
};

/* Reads only; a run under way can be looked at. RC_USAGE: the store holds no export. */
enum rc jsonl_status_read(struct store *store, struct jsonl_status *st,
                          struct err *err) MUST_CHECK;
void jsonl_status_release(struct jsonl_status *st);

/* Rows committed so far of table i. */
uint64_t jsonl_status_rows(const struct jsonl_status *st, size_t table);

#endif
