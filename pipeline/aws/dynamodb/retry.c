/* SPDX-License-Identifier: MIT */
/*
 * The quota is the only thing the requests share: transient failures cost 14 of 500, throttles
 * 5, successes pay back. Time does not fill it. When it is empty, repeats queue for slots a
 * second apart, over all requests of the run, until one of them succeeds.
 */
#include "pipeline/aws/dynamodb/retry.h"

#include <stdio.h>

enum { QUOTA = 500, COST_TRANSIENT = 14, COST_THROTTLE = 5 };
static const int64_t MS = 1000, SECOND = 1000000;

/* https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const struct retry_policy retry_dynamodb = {
    .base_us = 25000,
    .throttle_base_us = 1000000,
    .cap_us = 20000000,
    .probe_us = 1000000,
    .give_up_us = INT64_C(15) * 60 * 1000000,
};

void retry_init(struct retry *r, const struct env *env, const struct retry_policy *policy)
{
    *r = (struct retry){.env = env, .policy = *policy, .tokens = QUOTA, .failing_us = -1};
    (void)pthread_mutex_init(&r->mu, NULL);
}

void retry_release(struct retry *r)
{
    (void)pthread_mutex_destroy(&r->mu);
}

static int64_t jitter(const struct env *env, int64_t ceiling)
{
    double unit = (double)(env->rand(env->ctx) >> 11) * 0x1p-53;
    return (int64_t)(unit * (double)ceiling);
}

static int64_t ceiling_of(const struct retry_policy *p, enum aws_class class, int failed)
{
    int64_t d = class == AWS_THROTTLE ? p->throttle_base_us : p->base_us;
    for (int i = 1; i < failed && d < p->cap_us; i++)
        d *= 2;
    return d < p->cap_us ? d : p->cap_us;
}

static int64_t delay_of(const struct retry *r, const struct aws_failure *f, int failed)
{
    int64_t d = jitter(r->env, ceiling_of(&r->policy, f->class, failed));
    int64_t said = f->retry_after_ms * MS;
    if (f->retry_after_ms < 0 || said <= d)
        return d;
    int64_t most = d + (f->retry_after_exact ? 5 : 60) * SECOND;
    return said < most ? said : most;
}

static enum rc give_up(const struct retry_op *op, const struct aws_failure *f, const char *what,
                       int64_t since_us, struct err *err)
{
    enum rc rc = aws_error_set(f, what, err);
    size_t n = strlen(err->msg);
    (void)snprintf(err->msg + n, sizeof err->msg - n,
                   "\nhint: given up after %d attempts of this request and %.1f s in which "
                   "nothing succeeded; run again to go on",
                   op->attempts, (double)since_us / 1e6);
    return rc;
}

/* lock: r->mu. Takes tokens, or a slot for a probe. */
static void pay(struct retry *r, struct retry_op *op, int64_t cost)
{
    op->slot_us = op->at_us;
    if (r->tokens >= cost) {
        r->tokens -= cost;
        op->cost = cost;
        return;
    }
    op->cost = 0;
    if (r->next_probe_us > op->slot_us)
        op->slot_us = r->next_probe_us;
    r->next_probe_us = op->slot_us + r->policy.probe_us;
}

enum rc retry_failed(struct retry *r, struct retry_op *op, const struct aws_failure *f,
                     const char *what, int64_t *at_us, struct err *err)
{
    op->attempts++;
    if (f->class != AWS_THROTTLE && f->class != AWS_TRANSIENT)
        return aws_error_set(f, what, err);
    int64_t now = r->env->mono_us(r->env->ctx);
    (void)pthread_mutex_lock(&r->mu);
    r->stats.throttles += f->class == AWS_THROTTLE;
    if (r->failing_us < 0)
        r->failing_us = now;
    int64_t since = now - r->failing_us;
    bool last = since >= r->policy.give_up_us ||
                (r->policy.max_attempts > 0 && op->attempts >= r->policy.max_attempts);
    if (!last) {
        r->stats.retries++;
        op->at_us = now + delay_of(r, f, op->attempts);
        pay(r, op, f->class == AWS_THROTTLE ? COST_THROTTLE : COST_TRANSIENT);
        *at_us = op->slot_us;
    }
    (void)pthread_mutex_unlock(&r->mu);
    return last ? give_up(op, f, what, since, err) : RC_OK;
}

int64_t retry_when(struct retry *r, struct retry_op *op)
{
    (void)pthread_mutex_lock(&r->mu);
    if (op->slot_us > op->at_us && r->tokens >= COST_TRANSIENT) {
        r->tokens -= COST_TRANSIENT;
        op->cost = COST_TRANSIENT;
        op->slot_us = op->at_us;
    }
    (void)pthread_mutex_unlock(&r->mu);
    return op->slot_us;
}

int64_t retry_paced(struct retry *r, struct retry_op *op)
{
    int64_t now = r->env->mono_us(r->env->ctx);
    if (op->slot_us == op->at_us) /* paid */
        op->slot_us = now;
    op->at_us = now;
    return op->slot_us;
}

void retry_succeeded(struct retry *r, struct retry_op *op)
{
    (void)pthread_mutex_lock(&r->mu);
    r->tokens += op->cost > 0 ? op->cost : 1;
    if (r->tokens > QUOTA)
        r->tokens = QUOTA;
    r->failing_us = -1;
    r->next_probe_us = 0;
    (void)pthread_mutex_unlock(&r->mu);
    *op = (struct retry_op){0};
}

struct retry_stats retry_stats(struct retry *r)
{
    (void)pthread_mutex_lock(&r->mu);
    struct retry_stats s = r->stats;
    s.quota = r->tokens;
    (void)pthread_mutex_unlock(&r->mu);
    return s;
}
