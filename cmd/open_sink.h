/* SPDX-License-Identifier: MIT */
/* The sink that a word of the command line names. */
#ifndef CMD_OPEN_SINK_H
#define CMD_OPEN_SINK_H

#include "cmd/options.h"
#include "pipeline/run/sink.h"

/* Returns owned in *out: its ops' close. Nothing of the target is touched yet. */
enum rc open_sink(const char *word, const struct options *o, struct sink **out,
                  struct err *err) MUST_CHECK;

#endif
