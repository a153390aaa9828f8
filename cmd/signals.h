/* SPDX-License-Identifier: MIT */
/* SIGINT and SIGTERM as one stop flag. The second one ends the process at once. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <stdatomic.h>

/* A pipe whose reader has gone is an error of write, which is told, and no sudden end. */
void signals_ignore_pipe(void);

/* Installs the handlers (SIGPIPE is ignored) and returns the flag. */
const atomic_bool *signals_install(void);

#endif
