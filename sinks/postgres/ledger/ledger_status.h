/* SPDX-License-Identifier: MIT */
/* What the ledger of a database says: runs, segments, rows, rejects. Reads only. */
#ifndef SINKS_POSTGRES_LEDGER_LEDGER_STATUS_H
#define SINKS_POSTGRES_LEDGER_LEDGER_STATUS_H

#include "pipeline/base/buf.h"

/* Appends text for people, or one JSON document {"runs":[...]}. run 0: all runs. */
enum rc pg_status(const char *conninfo, long long run, bool json, struct buf *out,
                  struct err *err) MUST_CHECK;

#endif
