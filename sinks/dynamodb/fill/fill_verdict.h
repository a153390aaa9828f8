/* SPDX-License-Identifier: MIT */
/* How a pass over a table ended: do its counts add up, and are failures within the allowances? */
#ifndef SINKS_DYNAMODB_FILL_FILL_VERDICT_H
#define SINKS_DYNAMODB_FILL_FILL_VERDICT_H

#include "pipeline/run/run.h"
#include "sinks/dynamodb/fill/fill.h"

/* Returns how many items have that fate, over all entities. */
uint64_t fill_count(const struct fill_result *r, enum fate fate);

/* RC_SINK: the fates do not add up to the items read. */
enum rc fill_balance(const struct fill_result *r, struct err *err) MUST_CHECK;

/* The same, and RC_FINISHED_BAD above an allowance. */
enum rc fill_verdict(const struct fill_result *r, const struct allowance *rejects,
                     const struct allowance *unrouted, struct err *err) MUST_CHECK;

/* The same of an undo: its ends must add up to the changes in the journal. */
enum rc fill_verdict_undo(const struct undo_result *r, const struct allowance *rejects,
                          struct err *err) MUST_CHECK;

#endif
