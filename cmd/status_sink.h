/* SPDX-License-Identifier: MIT */
/* The status of sinks that are not folders. */
#ifndef CMD_STATUS_SINK_H
#define CMD_STATUS_SINK_H

#include "cmd/options.h"

/* Appends text, or JSON with --json. */
enum rc status_sink(const char *word, const struct options *o, struct buf *out,
                    struct err *err) MUST_CHECK;

#endif
