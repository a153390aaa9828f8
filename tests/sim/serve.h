/* SPDX-License-Identifier: MIT */
/* The event loop: one thread, poll, any number of connections. */
#ifndef SIM_SERVE_H
#define SIM_SERVE_H

#include "tests/sim/sim.h"

/* Listens, announces the port, serves until SIGTERM or SIGINT. */
enum rc serve(struct sim *s, struct err *err) MUST_CHECK;

#endif
