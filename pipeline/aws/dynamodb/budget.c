/* SPDX-License-Identifier: MIT */
/*
 * A bucket in integers: millionths of a unit and microseconds, with the fraction carried, so
 * that nothing drifts. What a request reserved in excess comes back only as far as the bucket
 * would have held it: had it not been reserved it would have flowed over while the bucket was
 * full. Each unsettled ticket therefore knows the highest level since it was taken; without
 * that, several slow answers could hand back a burst.
 */
#include "pipeline/aws/dynamodb/budget.h"

#include <assert.h>

static const int64_t SECOND = 1000000;
/* How soon to ask again when only another request's answer can help. */
static const int64_t BLOCKED_US = 20000;
/* The default quota of a table, and what no table gives. */
static const int64_t TABLE_QUOTA = 40000;
static const int64_t NO_LIMIT = 10000000;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct budget_limits in_millionths(struct budget_limits l)
{
    l.max = larger(l.max, 1) * BUDGET_UNIT;
    l.start = smaller(larger(l.start, 1) * BUDGET_UNIT, l.max);
    l.min = smaller(larger(l.min, 1) * BUDGET_UNIT, l.start);
    return l;
}

struct budget_limits budget_limits_on_demand(struct budget_on_demand t, bool all)
{
    int64_t warm = t.warm > 0 ? t.warm : t.fresh;
    int64_t most = larger(t.most, 0);
    if (most)
        warm = smaller(warm, most);
    if (all)
        return (struct budget_limits){.start = warm, .max = most ? most : NO_LIMIT};
    return (struct budget_limits){.start = warm / 4,
                                  .max = most ? most : larger(warm, TABLE_QUOTA)};
}

struct budget_limits budget_limits_valid(struct budget_limits l)
{
    l.start = larger(l.start, 1);
    l.max = larger(l.max, l.start);
    return l;
}

void budget_init(struct budget *b, struct budget_limits limits, int64_t now_us)
{
    *b = (struct budget){.limits = in_millionths(limits), .at_us = now_us, .grown_us = now_us};
    b->rate = b->limits.start;
    b->shrunk_us = now_us - SECOND;
    (void)pthread_mutex_init(&b->mu, NULL);
}

void budget_release(struct budget *b)
{
    (void)pthread_mutex_destroy(&b->mu);
}

/* lock: b->mu. Back to the start at once by the second; above it only while wanted. */
static void grow(struct budget *b, int64_t now_us)
{
    int64_t periods = (now_us - b->grown_us) / SECOND;
    if (periods <= 0)
        return;
    b->grown_us += periods * SECOND;
    int64_t step = larger(b->limits.start / 20, BUDGET_UNIT);
    if (b->rate < b->limits.start) {
        int64_t want = (b->limits.start - b->rate + step - 1) / step;
        b->rate = smaller(b->rate + smaller(periods, want) * step, b->limits.start);
    } else if (b->pressed) {
        b->rate = smaller(b->rate + step, b->limits.max);
    }
    b->pressed = false;
}

/* lock: b->mu */
static void raise_peaks(struct budget *b)
{
    for (struct budget_ticket *t = b->tickets; t; t = t->next)
        t->peak = larger(t->peak, b->level);
}

/* lock: b->mu. The bucket is as deep as one second's refill. */
static void advance(struct budget *b, int64_t now_us)
{
    int64_t dt = now_us - b->at_us;
    if (dt <= 0)
        return; /* another thread read its clock later */
    b->at_us = now_us;
    if (dt > INT64_MAX / 2 / b->rate) {
        b->level = b->rate;
    } else {
        int64_t gain = dt * b->rate + b->fraction;
        b->level += gain / SECOND;
        b->fraction = gain % SECOND;
    }
    if (b->level >= b->rate) {
        b->level = b->rate;
        b->fraction = 0;
    }
    raise_peaks(b);
    grow(b, now_us);
}

void budget_set_limits(struct budget *b, struct budget_limits limits, int64_t now_us)
{
    (void)pthread_mutex_lock(&b->mu);
    advance(b, now_us);
    b->limits = in_millionths(limits);
    b->rate = larger(smaller(b->rate, b->limits.max), b->limits.start);
    b->level = smaller(b->level, b->rate);
    (void)pthread_mutex_unlock(&b->mu);
}

static void open_ticket(struct budget *b, struct budget_ticket *t, int64_t need, int64_t worst)
{
    b->level -= need;
    b->in_flight += need;
    *t = (struct budget_ticket){
        .reserved = need, .worst = worst, .peak = b->level, .next = b->tickets, .open = true};
    if (b->tickets)
        b->tickets->prev = t;
    b->tickets = t;
    b->oversized += worst > need;
}

bool budget_reserve(struct budget *b, int64_t worst, int64_t now_us,
                    struct budget_ticket *ticket, int64_t *at_us)
{
    (void)pthread_mutex_lock(&b->mu);
    assert(!ticket->open);
    advance(b, now_us);
    int64_t need = smaller(worst, b->rate);
    bool blocked = worst > need && b->oversized > 0;
    bool granted = !blocked && b->level >= need;
    if (granted) {
        open_ticket(b, ticket, need, worst);
    } else {
        int64_t missing = larger(need - b->level, 0);
        int64_t seconds = missing / b->rate, rest = missing % b->rate;
        int64_t wait = seconds * SECOND + (rest * SECOND + b->rate - 1) / b->rate;
        *at_us = b->at_us + larger(wait, blocked ? BLOCKED_US : 1);
        b->pressed = true;
    }
    (void)pthread_mutex_unlock(&b->mu);
    return granted;
}

/* lock: b->mu */
static void close_ticket(struct budget *b, struct budget_ticket *t)
{
    if (t->prev) {
        t->prev->next = t->next;
    } else {
        b->tickets = t->next;
    }
    if (t->next)
        t->next->prev = t->prev;
    b->in_flight -= t->reserved;
    b->oversized -= t->worst > t->reserved;
    t->open = false;
}

/* lock: b->mu. What comes back was there since it was reserved: all peaks rise with it. */
static void give_back(struct budget *b, const struct budget_ticket *t, int64_t excess)
{
    int64_t back = smaller(excess, larger(b->rate - t->peak, 0));
    b->level += back;
    for (struct budget_ticket *o = b->tickets; o; o = o->next)
        o->peak += back;
}

void budget_settle(struct budget *b, struct budget_ticket *ticket, int64_t actual,
                   int64_t now_us)
{
    (void)pthread_mutex_lock(&b->mu);
    if (ticket->open) {
        advance(b, now_us);
        close_ticket(b, ticket);
        b->consumed += actual;
        if (actual <= ticket->reserved) {
            give_back(b, ticket, ticket->reserved - actual);
        } else {
            b->level -= actual - ticket->reserved;
        }
    }
    (void)pthread_mutex_unlock(&b->mu);
}

void budget_settle_unknown(struct budget *b, struct budget_ticket *ticket, int64_t now_us)
{
    budget_settle(b, ticket, ticket->worst, now_us);
}

void budget_throttled(struct budget *b, int64_t now_us)
{
    (void)pthread_mutex_lock(&b->mu);
    advance(b, now_us);
    if (b->at_us - b->shrunk_us >= SECOND) {
        b->rate = larger(b->rate / 10 * 7, b->limits.min);
        b->level = smaller(b->level, b->rate);
        b->shrunk_us = b->grown_us = b->at_us;
        b->pressed = false;
    }
    (void)pthread_mutex_unlock(&b->mu);
}

struct budget_stats budget_stats(struct budget *b, int64_t now_us)
{
    (void)pthread_mutex_lock(&b->mu);
    advance(b, now_us);
    struct budget_stats s = {
        .rate = b->rate, .level = b->level, .consumed = b->consumed, .in_flight = b->in_flight};
    (void)pthread_mutex_unlock(&b->mu);
    return s;
}
