/* SPDX-License-Identifier: MIT */
/*
 * The difference between the service's clock and ours, learned from Date headers. Requests
 * are signed with the corrected time, so that a host with a wrong clock still works.
 */
#ifndef AWS_SIGN_CLOCK_SKEW_H
#define AWS_SIGN_CLOCK_SKEW_H

#include <pthread.h>
#include <stdint.h>

#include "pipeline/aws/http/http.h"

struct clock_skew {
    pthread_mutex_t mu;
    int64_t us; /* lock: mu. service - ours */
    bool off;   /* AWS_DISABLE_CLOCK_SKEW_CORRECTION */
};

void clock_skew_init(struct clock_skew *s, bool off);
void clock_skew_release(struct clock_skew *s);

/* thread: any. The skew to sign with now. */
int64_t clock_skew_get(struct clock_skew *s);

/*
 * thread: any. Learns from an ended call that was signed with skew `used`; true if the
 * signature may have been refused for that skew alone (more than four minutes off).
 */
bool clock_skew_learn(struct clock_skew *s, const struct http_call *call, int64_t used);

#endif
