/* SPDX-License-Identifier: MIT */
/* The status of a backfill's state folder. */
#ifndef CMD_STATUS_BACKFILL_H
#define CMD_STATUS_BACKFILL_H

#include <stdbool.h>

#include "pipeline/base/buf.h"

/* Appends text, or JSON. RC_END: the folder is no state of a backfill. */
enum rc status_backfill(const char *dir, bool json, struct buf *out,
                        struct err *err) MUST_CHECK;

#endif
