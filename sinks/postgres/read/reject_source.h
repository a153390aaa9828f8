/* SPDX-License-Identifier: MIT */
/* The rejects of an earlier run as a source: items byte for byte as they once came. */
#ifndef SINKS_POSTGRES_READ_REJECT_SOURCE_H
#define SINKS_POSTGRES_READ_REJECT_SOURCE_H

#include "pipeline/source/source.h"

/* run 0: the newest that has any. Returns owned in *out: freed by its ops. */
enum rc pg_source_open(const char *conninfo, long long run, struct source **out,
                       struct err *err) MUST_CHECK;

#endif
