/* SPDX-License-Identifier: MIT */
/*
 * The capacity budget of a run: a bucket of units, refilled N a second, one second deep,
 * empty at the start. A request reserves its worst case before it is sent and settles what
 * it really cost; the bucket may go below zero, and then nobody sends. It never sleeps: it
 * answers "at time t".
 *
 * Guarantee: the units of all requests sent in any window of T seconds are at most
 * N * (T + 1) + one page, as long as no request costs more than the worst case it named.
 * For that, a request whose worst case is more than the bucket holds when full is sent only
 * while no other such request is unsettled.
 *
 * Units are counted in millionths (BUDGET_UNIT), times in microseconds of a clock that
 * never goes back.
 */
#ifndef AWS_DYNAMODB_BUDGET_H
#define AWS_DYNAMODB_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/err.h"

#define BUDGET_UNIT INT64_C(1000000)

struct budget_limits {
    int64_t start; /* units a second at the start */
    int64_t max;   /* grows up to this while calm; start = max: a fixed budget */
    int64_t min;   /* throttling never shrinks it below; 0: 1 unit */
};

/* What an on-demand table gives of one kind of unit. */
struct budget_on_demand {
    int64_t warm;  /* at once, as the service says; 0 or less: it does not */
    int64_t most;  /* the maximum set; 0 or less: none */
    int64_t fresh; /* what a new table gives at once */
};

struct budget_stats {
    int64_t rate;      /* units a second, in millionths, allowed now */
    int64_t level;     /* of the bucket, in millionths; below zero: in debt */
    int64_t consumed;  /* settled so far, in millionths */
    int64_t in_flight; /* reserved and not settled, in millionths */
};

struct budget_ticket;

struct budget {
    pthread_mutex_t mu;
    struct budget_limits limits; /* lock: mu, as all below; in millionths */
    int64_t rate;
    int64_t level, fraction; /* fraction: of a millionth, in millionths */
    int64_t at_us;           /* level is as of this time */
    int64_t grown_us, shrunk_us;
    int64_t consumed, in_flight;
    int oversized; /* requests in flight whose worst case the bucket cannot hold */
    bool pressed;  /* somebody had to wait since the rate last grew */
    struct budget_ticket *tickets; /* unsettled */
};

/* One request's reservation. Zeroed at first; stays in place until it is settled; its
 * fields are private. */
struct budget_ticket {
    int64_t reserved, worst;
    int64_t peak; /* highest level since it was taken */
    struct budget_ticket *prev, *next;
    bool open;
};

/* The limits for such a table: it is begun with a quarter of what it gives at once and may grow
   up to the quota of a table; `all`: begun with all of that, and no quota. */
struct budget_limits budget_limits_on_demand(struct budget_on_demand t, bool all);

/* The limits with a start of at least one unit, and a max not below it. */
struct budget_limits budget_limits_valid(struct budget_limits l);

void budget_init(struct budget *b, struct budget_limits limits, int64_t now_us);
void budget_release(struct budget *b);

/* thread: any. New limits; the rate moves into them at once, the level stays. */
void budget_set_limits(struct budget *b, struct budget_limits limits, int64_t now_us);

/*
 * thread: any. Reserves for a request that costs at most `worst` (millionths). True: send it
 * now, *ticket must be settled. False: ask again at *at_us.
 */
bool budget_reserve(struct budget *b, int64_t worst, int64_t now_us,
                    struct budget_ticket *ticket, int64_t *at_us);

/* thread: any. The request cost `actual` millionths (0: nothing was done). What was reserved
 * in excess comes back, but never so as to allow more than if it had not been reserved. A
 * ticket that is not open (zeroed, or settled) is left alone. */
void budget_settle(struct budget *b, struct budget_ticket *ticket, int64_t actual,
                   int64_t now_us);

/* thread: any. Nobody knows what it cost: the worst is assumed. */
void budget_settle_unknown(struct budget *b, struct budget_ticket *ticket, int64_t now_us);

/* thread: any. The service throttled the table: three tenths less, at most once a second. */
void budget_throttled(struct budget *b, int64_t now_us);

/* thread: any. */
struct budget_stats budget_stats(struct budget *b, int64_t now_us);

#endif
