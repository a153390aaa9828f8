/* SPDX-License-Identifier: MIT */
/* The status of a folder of JSON lines. */
#ifndef CMD_PRINT_EXPORT_STATUS_H
#define CMD_PRINT_EXPORT_STATUS_H

#include <stdbool.h>

#include "pipeline/base/buf.h"

/* Appends text, or JSON. RC_USAGE: the folder holds no export. */
enum rc export_status(const char *path, bool json, struct buf *out, struct err *err) MUST_CHECK;

#endif
