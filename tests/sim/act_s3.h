/* SPDX-License-Identifier: MIT */
/* Faults of S3 alone: see act.h. */
#ifndef SIM_ACT_S3_H
#define SIM_ACT_S3_H

#include "tests/sim/act.h"

/* By name, or NULL. */
const struct fault_action *act_s3_find(struct str name);

#endif
