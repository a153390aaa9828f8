/* SPDX-License-Identifier: MIT */
/* --max-shrink and --allow: which bad nights are meant. */
#ifndef CMD_OPEN_GUARD_OPTIONS_H
#define CMD_OPEN_GUARD_OPTIONS_H

#include "cmd/options.h"
#include "pipeline/base/arena.h"
#include "pipeline/run/guards.h"

/* The list lives in the arena, its names in the options. RC_USAGE: one makes no sense. */
enum rc guard_options(const struct options *o, struct arena *a, struct guards *out,
                      struct err *err) MUST_CHECK;

#endif
