/* SPDX-License-Identifier: MIT */
/*
 * The options that change rows, as one text. They are part of a run's identity: a run is resumed,
 * and a sink verified, only with the same ones.
 */
#ifndef CMD_OPEN_ROW_OPTIONS_H
#define CMD_OPEN_ROW_OPTIONS_H

#include "cmd/open/job.h"

/* Appends "ttl NAME, mask key 1a2b3c4d". The digits tell keys apart and do not reveal them. */
enum rc row_options(const struct job *job, struct buf *out, struct err *err) MUST_CHECK;

/* RC_USAGE if `made`, the options that a sink was made with, are others. Empty: not known. */
enum rc row_options_same(const struct job *job, struct str made, struct err *err) MUST_CHECK;

#endif
