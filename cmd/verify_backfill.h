/* SPDX-License-Identifier: MIT */
/* Proves that the items of a live table carry what the model's backfill says. */
#ifndef CMD_VERIFY_BACKFILL_H
#define CMD_VERIFY_BACKFILL_H

struct options;

/* Returns the exit status. */
int verify_backfill(const struct options *o);

#endif
