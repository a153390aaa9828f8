/* SPDX-License-Identifier: MIT */
/* The commands: each returns the exit status. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

struct options;

int cmd_export(const struct options *o);
int cmd_check(const struct options *o);
int cmd_explain(const struct options *o);
int cmd_backfill(const struct options *o);
int cmd_verify(const struct options *o);
int cmd_status(const struct options *o);

#endif
