/* SPDX-License-Identifier: MIT */
/* POST /__sim/NAME: changing the simulator while it runs, and looking into it. */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include "tests/sim/http.h"
#include "tests/sim/reply.h"

struct sim;

void control_run(struct sim *s, const struct http_request *req, struct reply *r);

#endif
