/* SPDX-License-Identifier: MIT */
/*
 * The bucket on a clock of the test's own: exact levels and times, and the guarantee of the
 * window over random loads.
 */
#include "pipeline/aws/dynamodb/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t S = 1000000, U = BUDGET_UNIT;

static void fixed(struct budget *b, int64_t rate)
{
    budget_init(b, (struct budget_limits){.start = rate, .max = rate}, 0);
}

static bool take(struct budget *b, int64_t units, int64_t now, struct budget_ticket *t)
{
    int64_t at;
    return budget_reserve(b, units * U, now, t, &at);
}

static void test_empty_at_the_start(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t = {0};
    int64_t at = 0;
    fixed(&b, 10);
    assert_false(budget_reserve(&b, 5 * U, 0, &t, &at));
    assert_int_equal(at, S / 2);
    assert_false(budget_reserve(&b, 5 * U, at - 1, &t, &at));
    assert_int_equal(at, S / 2);
    assert_true(budget_reserve(&b, 5 * U, at, &t, &at));
    assert_int_equal(budget_stats(&b, at).level, 0);
    budget_settle(&b, &t, 5 * U, at);
    budget_release(&b);
}

static void test_one_second_deep(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t[3] = {0};
    fixed(&b, 10);
    assert_true(take(&b, 10, 3600 * S, &t[0]));
    assert_false(take(&b, 1, 3600 * S, &t[1]));
    assert_true(take(&b, 1, 3600 * S + S / 10, &t[1]));
    budget_release(&b);
}

static void test_debt_stops_everybody(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket big = {0}, next = {0};
    int64_t at = 0;
    fixed(&b, 1);
    assert_true(budget_reserve(&b, 128 * U, S, &big, &at)); /* reserves the whole second */
    budget_settle(&b, &big, 128 * U, 2 * S);
    assert_int_equal(budget_stats(&b, 2 * S).level, -126 * U);
    assert_false(budget_reserve(&b, U / 2, 2 * S, &next, &at));
    assert_int_equal(at, 2 * S + 126 * S + S / 2);
    assert_true(budget_reserve(&b, U / 2, at, &next, &at));
    budget_release(&b);
}

static void test_oversized_goes_alone(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket first = {0}, second = {0}, small = {0};
    int64_t at = 0;
    fixed(&b, 10);
    assert_true(budget_reserve(&b, 50 * U, S, &first, &at));
    /* a full bucket, but what the first will cost is not known yet */
    assert_false(budget_reserve(&b, 50 * U, 10 * S, &second, &at));
    assert_int_equal(at, 10 * S + 20000);
    assert_true(budget_reserve(&b, 10 * U, 10 * S, &small, &at));
    budget_settle(&b, &first, 10 * U, 11 * S);
    assert_true(budget_reserve(&b, 50 * U, 11 * S, &second, &at));
    budget_release(&b);
}

static void test_excess_comes_back(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t = {0};
    fixed(&b, 100);
    assert_true(take(&b, 100, S, &t));
    budget_settle(&b, &t, 10 * U, S + S / 10);
    assert_int_equal(budget_stats(&b, S + S / 10).level, 100 * U); /* 0 + 10 + 90 */
    budget_settle(&b, &t, 0, S + S / 10);                          /* settled already */
    assert_int_equal(budget_stats(&b, S + S / 10).level, 100 * U);
    assert_int_equal(budget_stats(&b, S + S / 10).consumed, 10 * U);
    budget_release(&b);
}

static void test_slow_answers_hand_back_no_burst(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t[4] = {0}, next = {0};
    fixed(&b, 100);
    for (int i = 0; i < 4; i++)
        assert_true(take(&b, 100, (i + 1) * S, &t[i]));
    /* the bucket is full again: what the four did not use would have flowed over */
    assert_int_equal(budget_stats(&b, 5 * S).level, 100 * U);
    assert_true(take(&b, 100, 5 * S, &next));
    for (int i = 0; i < 4; i++)
        budget_settle(&b, &t[i], 10 * U, 5 * S);
    assert_int_equal(budget_stats(&b, 5 * S).level, 0);
    budget_release(&b);
}

static void test_unknown_cost_is_the_worst(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t = {0};
    fixed(&b, 10);
    assert_true(take(&b, 50, S, &t));
    budget_settle_unknown(&b, &t, S);
    assert_int_equal(budget_stats(&b, S).level, -40 * U);
    assert_int_equal(budget_stats(&b, S).in_flight, 0);
    budget_release(&b);
}

static void test_throttling_shrinks_and_calm_grows(void **state)
{
    (void)state;
    struct budget b;
    fixed(&b, 100);
    budget_throttled(&b, 5 * S);
    assert_int_equal(budget_stats(&b, 5 * S).rate, 70 * U);
    budget_throttled(&b, 5 * S + S / 2); /* of the same burst */
    assert_int_equal(budget_stats(&b, 5 * S + S / 2).rate, 70 * U);
    budget_throttled(&b, 6 * S);
    assert_int_equal(budget_stats(&b, 6 * S).rate, 52500000);
    assert_int_equal(budget_stats(&b, 6 * S + S - 1).rate, 52500000);
    assert_int_equal(budget_stats(&b, 7 * S).rate, 57500000);
    assert_int_equal(budget_stats(&b, 60 * S).rate, 100 * U);
    assert_int_equal(budget_stats(&b, 600 * S).rate, 100 * U);
    for (int i = 0; i < 100; i++)
        budget_throttled(&b, (600 + i) * S);
    assert_true(budget_stats(&b, 699 * S).rate >= U);
    budget_release(&b);
}

static void test_adaptive_grows_only_when_wanted(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t = {0}, other = {0};
    budget_init(&b, (struct budget_limits){.start = 100, .max = 110, .min = 20}, 0);
    assert_int_equal(budget_stats(&b, 100 * S).rate, 100 * U);
    assert_true(take(&b, 100, 100 * S, &t));
    assert_false(take(&b, 100, 100 * S, &other));
    assert_int_equal(budget_stats(&b, 101 * S).rate, 105 * U);
    assert_int_equal(budget_stats(&b, 110 * S).rate, 105 * U);
    assert_true(take(&b, 105, 110 * S, &other));
    budget_settle(&b, &other, 105 * U, 110 * S);
    assert_false(take(&b, 105, 110 * S, &other));
    assert_int_equal(budget_stats(&b, 112 * S).rate, 110 * U);
    budget_settle(&b, &other, 105 * U, 113 * S);
    assert_true(take(&b, 110, 113 * S, &other));
    budget_settle(&b, &other, 110 * U, 113 * S);
    assert_false(take(&b, 110, 113 * S, &other));
    assert_int_equal(budget_stats(&b, 120 * S).rate, 110 * U);
    budget_release(&b);
}

static void test_new_limits(void **state)
{
    (void)state;
    struct budget b;
    fixed(&b, 100);
    assert_int_equal(budget_stats(&b, S).level, 100 * U);
    budget_set_limits(&b, (struct budget_limits){.start = 10, .max = 10}, S);
    assert_int_equal(budget_stats(&b, S).level, 10 * U);
    assert_int_equal(budget_stats(&b, S).rate, 10 * U);
    budget_set_limits(&b, (struct budget_limits){.start = 50, .max = 50}, S);
    assert_int_equal(budget_stats(&b, S).rate, 50 * U);
    assert_int_equal(budget_stats(&b, S).level, 10 * U);
    budget_release(&b);
}

/* ---- the guarantee --------------------------------------------------------------------- */

enum { CLIENTS = 24, SENDS = 400 };

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

struct client {
    struct budget_ticket ticket;
    int64_t at;     /* when it acts next */
    int64_t actual; /* of the request in flight */
    bool sent;
};

struct load {
    int64_t rate, page; /* units */
    int64_t latency;    /* at most */
    uint64_t seed;
};

static struct client *earliest(struct client *c)
{
    struct client *best = c;
    for (int i = 1; i < CLIENTS; i++)
        best = c[i].at < best->at ? &c[i] : best;
    return best;
}

static void step(struct budget *b, struct client *c, struct load *l, int64_t *costs, int *sends,
                 int64_t *times)
{
    int64_t now = c->at;
    if (c->sent) {
        uint64_t fate = next_random(&l->seed) % 10;
        if (fate == 0) {
            budget_settle_unknown(b, &c->ticket, now);
        } else {
            budget_settle(b, &c->ticket, c->actual, now);
        }
        c->sent = false;
        c->at = now + (int64_t)(next_random(&l->seed) % 3) * 1000;
        return;
    }
    int64_t worst = (int64_t)(next_random(&l->seed) % (uint64_t)(l->page * 2) + 1) * U / 2;
    if (!budget_reserve(b, worst, now, &c->ticket, &c->at)) {
        assert_true(c->at > now);
        return;
    }
    c->sent = true;
    /* pages that are mostly full, mostly sparse, or anything */
    uint64_t kind = next_random(&l->seed) % 3;
    int64_t half = worst / (U / 2);
    c->actual = kind == 0   ? worst
                : kind == 1 ? U / 2
                            : (int64_t)(next_random(&l->seed) % (uint64_t)half + 1) * (U / 2);
    c->at = now + 1 + (int64_t)(next_random(&l->seed) % (uint64_t)l->latency);
    times[*sends] = now;
    costs[(*sends)++] = c->actual;
}

static void within(const struct load *l, int64_t sum, int64_t from, int64_t to)
{
    int64_t limit = l->rate * (to - from) + l->rate * U + l->page * U;
    if (sum > limit) {
        fail_msg("rate %ld page %ld latency %ld: %ld units from %ld to %ld", (long)l->rate,
                 (long)l->page, (long)l->latency, (long)(sum / U), (long)from, (long)to);
    }
}

static void check_windows(const struct load *l, const int64_t *times, const int64_t *costs)
{
    for (int i = 0; i < SENDS; i++) {
        int64_t sum = 0;
        for (int j = i; j < SENDS; j++) {
            sum += costs[j];
            within(l, sum, times[i], times[j]);
        }
    }
}

static void run_load(struct load l)
{
    static int64_t times[SENDS + 1], costs[SENDS + 1];
    struct client clients[CLIENTS];
    struct budget b;
    memset(clients, 0, sizeof clients);
    fixed(&b, l.rate);
    int sends = 0;
    while (sends < SENDS)
        step(&b, earliest(clients), &l, costs, &sends, times);
    check_windows(&l, times, costs);
    budget_release(&b);
}

static void test_window_guarantee_over_random_loads(void **state)
{
    (void)state;
    static const int64_t rates[] = {1, 5, 100, 5000};
    static const int64_t pages[] = {1, 50, 128, 256};
    static const int64_t latencies[] = {2, 20000, 900000, 5000000};
    uint64_t seed = 1;
    for (int r = 0; r < 4; r++) {
        for (int p = 0; p < 4; p++) {
            for (int l = 0; l < 4; l++) {
                for (int k = 0; k < 3; k++)
                    run_load((struct load){rates[r], pages[p], latencies[l], seed++});
            }
        }
    }
}

/* All of the budget is used while somebody wants it. */
static void test_work_conserving(void **state)
{
    (void)state;
    struct budget b;
    struct budget_ticket t = {0};
    fixed(&b, 100);
    int64_t now = 0, used = 0, at = 0;
    while (now < 100 * S) {
        if (budget_reserve(&b, 50 * U, now, &t, &at)) {
            budget_settle(&b, &t, 40 * U, now + 10000);
            used += 40;
            now += 10000;
        } else {
            now = at;
        }
    }
    assert_true(used >= 9900);
    assert_true(used <= 10100);
    budget_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_at_the_start),
        cmocka_unit_test(test_one_second_deep),
        cmocka_unit_test(test_debt_stops_everybody),
        cmocka_unit_test(test_oversized_goes_alone),
        cmocka_unit_test(test_excess_comes_back),
        cmocka_unit_test(test_slow_answers_hand_back_no_burst),
        cmocka_unit_test(test_unknown_cost_is_the_worst),
        cmocka_unit_test(test_throttling_shrinks_and_calm_grows),
        cmocka_unit_test(test_adaptive_grows_only_when_wanted),
        cmocka_unit_test(test_new_limits),
        cmocka_unit_test(test_window_guarantee_over_random_loads),
        cmocka_unit_test(test_work_conserving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
