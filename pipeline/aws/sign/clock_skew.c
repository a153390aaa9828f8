/* SPDX-License-Identifier: MIT */
/*
 * The measure is the Date header against the middle of the round trip. Cached answers (with
 * an Age) and answers that took a quarter of an hour say nothing. Every good measure replaces
 * the last one, so a clock that is set right heals without an error.
 */
#include "pipeline/aws/sign/clock_skew.h"

#include "pipeline/base/timefmt.h"

static const int64_t MINUTE_US = INT64_C(60) * 1000000;

void clock_skew_init(struct clock_skew *s, bool off)
{
    *s = (struct clock_skew){.off = off};
    (void)pthread_mutex_init(&s->mu, NULL);
}

void clock_skew_release(struct clock_skew *s)
{
    (void)pthread_mutex_destroy(&s->mu);
}

int64_t clock_skew_get(struct clock_skew *s)
{
    (void)pthread_mutex_lock(&s->mu);
    int64_t us = s->us;
    (void)pthread_mutex_unlock(&s->mu);
    return us;
}

bool clock_skew_learn(struct clock_skew *s, const struct http_call *call, int64_t used)
{
    int64_t date;
    if (s->off || call->result != HTTP_DONE || http_header(call, "age").n ||
        call->received_us - call->sent_us > 15 * MINUTE_US ||
        !timefmt_read_http(http_header(call, "date"), &date))
        return false;
    int64_t measured = date - (call->sent_us + call->received_us) / 2;
    (void)pthread_mutex_lock(&s->mu);
    s->us = measured;
    (void)pthread_mutex_unlock(&s->mu);
    int64_t off = used > measured ? used - measured : measured - used;
    return off > 4 * MINUTE_US;
}
