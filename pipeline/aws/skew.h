/* SPDX-License-Identifier: MIT */
/*
 * The difference between the service's clock and ours, learned from Date headers. Requests
 * are signed with the corrected time, so that a host with a wrong clock still works.
 */
#ifndef AWS_SKEW_H
#define AWS_SKEW_H

#include <pthread.h>
#include <stdint.h>

#include "pipeline/aws/http.h"

struct skew {
    pthread_mutex_t mu;
    int64_t us; /* lock: mu. service - ours */
    bool off;   /* AWS_DISABLE_CLOCK_SKEW_CORRECTION */
};

void skew_init(struct skew *s, bool off);
void skew_release(struct skew *s);

/* thread: any. The skew to sign with now. */
int64_t skew_get(struct skew *s);

/*
 * thread: any. Learns from an ended call that was signed with skew `used`; true if the
 * signature may have been refused for that skew alone (more than four minutes off).
 */
bool skew_learn(struct skew *s, const struct http_call *call, int64_t used);

#endif
