/* SPDX-License-Identifier: MIT */
/*
 * Rules of misbehaviour, read from JSON: which requests a rule is for, when it fires, and what
 * then happens. Every rule counts the requests it matches; the first rule that fires acts.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdint.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct fault_rule {
    /* which requests */
    char *operation; /* NULL = all */
    char *token, *key_id;
    char *pk;        /* value of the partition key */
    int64_t segment; /* -1 = all */
    /* when, by the count of requests matched so far (the first is 1) */
    int64_t nth, every, after;
    int64_t times; /* fires at most so often; -1 = no end */
    double probability;
    uint64_t random;
    /* what */
    const struct fault_action *action;
    bool apply; /* the operation takes effect before the fault */
    bool right_crc;
    int64_t status, ms, bytes, seconds, retry_after_ms;
    double rcu, wcu, partition_rcu, partition_wcu; /* -1 = as it is */
    char *error, *message, *reason, *value;
    /* counters */
    int64_t seen, fired;
};

struct fault_set {
    struct fault_rule *rules;
    size_t n;
};

/* What a rule looks at. */
struct fault_request {
    struct str operation, token, key_id, pk;
    int64_t segment; /* -1 = none */
};

/* Adds the rules of a JSON array or object. On an error nothing is added. */
enum rc fault_add(struct fault_set *set, struct str json, struct err *err) MUST_CHECK;
void fault_release(struct fault_set *set);

/* Counts the request in all rules; returns the one that acts, or NULL. Borrowed. */
struct fault_rule *fault_pick(struct fault_set *set, const struct fault_request *req);

#endif
