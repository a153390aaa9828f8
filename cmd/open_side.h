/* SPDX-License-Identifier: MIT */
/* The side of a comparison that a word of the command line names. */
#ifndef CMD_OPEN_SIDE_H
#define CMD_OPEN_SIDE_H

#include "cmd/options.h"
#include "cmd/side.h"

/* Returns owned in *out. */
enum rc open_side(const char *word, const struct options *o, const struct schema *schema,
                  struct side **out, struct err *err) MUST_CHECK;

#endif
