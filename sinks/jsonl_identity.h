/* SPDX-License-Identifier: MIT */
/* What a run is, as it stands in its folder (run.json), and whether another is the same. */
#ifndef SINKS_JSONL_IDENTITY_H
#define SINKS_JSONL_IDENTITY_H

#include "pipeline/run/sink.h"

/* Appends the text of run.json. */
void jsonl_identity_write(struct buf *b, const struct run_info *info);

/* What a stored one says besides. */
struct jsonl_identity {
    int64_t now_us;
    uint32_t segments;
    bool resumable;
};

/*
 * Compares a stored text with the run that is asked for. RC_OK: the same. RC_USAGE: err names
 * what differs. RC_SINK: the text is no run.json. *stored is set unless RC_SINK.
 */
enum rc jsonl_identity_compare(struct str stored_text, struct str asked_text,
                               struct jsonl_identity *stored, struct err *err) MUST_CHECK;

#endif
