/* SPDX-License-Identifier: MIT */
/*
 * When to repeat a failed request, and when to give up. Full jitter, DynamoDB's base delays,
 * and a quota shared by all requests of the run: it stops many segments from hammering a
 * service in trouble. An empty quota slows the run to one probe a second; only when nothing
 * at all succeeded for `give_up_us` does it fail. It never sleeps: it answers "at time t".
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
#ifndef AWS_DYNAMODB_RETRY_H
#define AWS_DYNAMODB_RETRY_H

#include <pthread.h>
#include <stdint.h>

#include "pipeline/aws/aws_error.h"
#include "pipeline/base/env.h"

struct retry_policy {
    int64_t base_us;          /* transient failures; DynamoDB: 25 ms */
    int64_t throttle_base_us; /* 1 s */
    int64_t cap_us;           /* 20 s */
    int64_t probe_us;         /* 1 s, when the quota is empty */
    int64_t give_up_us;       /* 15 min */
    int max_attempts;         /* 0: bounded by give_up_us alone */
};

extern const struct retry_policy retry_dynamodb;

struct retry_stats {
    uint64_t retries, throttles;
    int64_t quota;
};

/* Shared by all requests of a run. */
struct retry {
    const struct env *env;
    struct retry_policy policy;
    pthread_mutex_t mu;
    int64_t tokens;        /* lock: mu */
    int64_t next_probe_us; /* lock: mu */
    int64_t failing_us;    /* lock: mu. first failure since the last success; -1: none */
    struct retry_stats stats;
};

/* One operation, over its attempts. */
struct retry_op {
    int attempts;           /* failed ones */
    int64_t cost;           /* of the last retry */
    int64_t at_us, slot_us; /* own delay; with the wait for a probe */
    bool refreshed;         /* with new credentials: once only */
    int skewed;             /* with a corrected clock, so often */
};

void retry_init(struct retry *r, const struct env *env, const struct retry_policy *policy);
void retry_release(struct retry *r);

/*
 * thread: any. An attempt failed. RC_OK: repeat at monotonic time *at_us. Else the
 * operation has failed for good, with what was tried, how often and for how long.
 */
enum rc retry_failed(struct retry *r, struct retry_op *op, const struct aws_failure *f,
                     const char *what, int64_t *at_us, struct err *err) MUST_CHECK;

/* thread: any. The time of the repeat as it stands now: sooner than was answered if others
 * have succeeded meanwhile and the quota has filled again. */
int64_t retry_when(struct retry *r, struct retry_op *op);

/*
 * thread: any. After retry_failed: the caller has a pace of its own for repeats, so this one needs
 * no delay; but an empty quota still holds it back. Returns when to repeat.
 */
int64_t retry_paced(struct retry *r, struct retry_op *op);

/* thread: any. The operation succeeded; op is reset for the next one. */
void retry_succeeded(struct retry *r, struct retry_op *op);

/* thread: any. */
struct retry_stats retry_stats(struct retry *r);

#endif
