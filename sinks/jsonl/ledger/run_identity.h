/* SPDX-License-Identifier: MIT */
/* What a run is, as it stands in its run.json, and whether another is the same. */
#ifndef SINKS_JSONL_LEDGER_RUN_IDENTITY_H
#define SINKS_JSONL_LEDGER_RUN_IDENTITY_H

#include <yyjson.h>

#include "pipeline/run/sink.h"
#include "sinks/store/store.h"

/* The version of run.json that this program writes; run_identity.c has the steps that lead to it. */
enum { JSONL_RUN_VERSION = 3 };

/* Appends the text of run.json. `supersedes`: the run that gave way to it, for people; may be empty. */
void jsonl_identity_write(struct buf *b, const struct run_info *info, const char *supersedes);

/*
 * Appends the text of the store's run.json, brought to the newest version in memory. *was: the version
 * it has there; 0: it makes no sense. `renorm`: the version of this program; may be NULL. RC_NONE:
 * there is none. RC_USAGE: a newer renorm wrote it.
 */
enum rc jsonl_identity_read(struct store *store, struct buf *text, const char *renorm,
                            uint32_t *was, struct err *err) MUST_CHECK;

/* What a run.json says of its run; NULL: nothing. Borrows from the document. */
yyjson_val *jsonl_identity_run(yyjson_doc *doc);

/* What a stored one says besides. */
struct jsonl_identity {
    int64_t now_us;
    uint32_t segments;
    bool resumable;
    int64_t source_us; /* how new its source is; 0: not known */
};

/*
 * Compares a stored text with the run that is asked for. RC_OK: the same. RC_USAGE: err names
 * what differs. RC_SINK: the text is no run.json. *stored is set unless RC_SINK.
 */
enum rc jsonl_identity_compare(struct str stored_text, struct str asked_text,
                               struct jsonl_identity *stored, struct err *err) MUST_CHECK;

#endif
