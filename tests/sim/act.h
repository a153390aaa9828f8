/* SPDX-License-Identifier: MIT */
/*
 * What faults do. An action comes before the operation (the operation then never happens,
 * unless the rule says `apply`), changes the table's state first, or spoils the finished answer.
 */
#ifndef SIM_ACT_H
#define SIM_ACT_H

#include "tests/sim/fault.h"
#include "tests/sim/reply.h"

struct sim;

enum act_when { ACT_INSTEAD, ACT_STATE, ACT_AFTER };

struct fault_action {
    const char *name;
    void (*run)(struct sim *s, const struct fault_rule *rule, struct reply *r);
    enum act_when when;
    /* fixed error of an ACT_INSTEAD action; rule members override */
    int status;
    const char *error, *message;
};

/* Replaces the body by its gzip form. */
void act_compress(struct reply *r);

/* By name, or NULL. */
const struct fault_action *act_find(struct str name);

#endif
