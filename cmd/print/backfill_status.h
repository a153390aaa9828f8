/* SPDX-License-Identifier: MIT */
/* The status of a backfill's state folder. */
#ifndef CMD_PRINT_BACKFILL_STATUS_H
#define CMD_PRINT_BACKFILL_STATUS_H

#include <stdbool.h>

#include "pipeline/base/buf.h"

/* Appends text, or JSON. RC_NONE: the folder is no state of a backfill. */
enum rc backfill_status(const char *dir, bool json, struct buf *out,
                        struct err *err) MUST_CHECK;

#endif
