/* SPDX-License-Identifier: MIT */
/* A sink that keeps nothing: for `check` on items, and for measuring the pipeline alone. */
#ifndef SINKS_NULL_H
#define SINKS_NULL_H

#include "pipeline/run/sink.h"

/* Returns owned (freed by its close), or NULL when out of memory. */
struct sink *null_sink_new(void);

#endif
