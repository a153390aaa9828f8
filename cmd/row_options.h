/* SPDX-License-Identifier: MIT */
/*
 * The options that change rows, as one text: part of what a run is. A run is resumed, and a sink
 * verified, under the same ones only.
 */
#ifndef CMD_ROW_OPTIONS_H
#define CMD_ROW_OPTIONS_H

#include "cmd/job.h"

/* "ttl NAME, mask key 1a2b3c4d": which key it was can be told, the key itself cannot. */
enum rc row_options(const struct job *job, struct buf *out, struct err *err) MUST_CHECK;

/* RC_USAGE if a sink made under `made` was made under others; empty: not known. */
enum rc row_options_same(const struct job *job, struct str made, struct err *err) MUST_CHECK;

#endif
