/* SPDX-License-Identifier: MIT */
/* A rehearsal of a whole table, or of a sample of it: a pass that gathers and writes nothing. */
#ifndef SINKS_DYNAMODB_REHEARSAL_REHEARSE_TABLE_H
#define SINKS_DYNAMODB_REHEARSAL_REHEARSE_TABLE_H

#include "sinks/dynamodb/fill/fill.h"

/*
 * Ends after about `sample` items; 0: all. Returns owned in *gathered what the items are, all
 * workers' together, and in *result what was counted. Both are to be freed even if this fails.
 */
enum rc rehearse_table(const struct fill_setup *setup, uint64_t sample,
                       struct rehearse **gathered, struct fill_result *result,
                       struct err *err) MUST_CHECK;

#endif
