/* SPDX-License-Identifier: MIT */
/* Proves that the items of a live table carry what the model's backfill says. */
#ifndef CMD_VERIFY_BACKFILL_H
#define CMD_VERIFY_BACKFILL_H

#include "pipeline/base/err.h"

struct options;
struct ending;

enum rc verify_backfill(const struct options *o, struct ending *out,
                        struct err *err) MUST_CHECK;

#endif
