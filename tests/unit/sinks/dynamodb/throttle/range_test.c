/* SPDX-License-Identifier: MIT */
/* Throttled ranges of keys, on a clock of the test's own. */
#include "sinks/dynamodb/throttle/range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int64_t MS = 1000, SECOND = 1000000;

static void test_one_hot_key_does_not_slow_its_range(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    for (int i = 0; i < 100; i++)
        (void)throttle_range_throttled(&b, 3, 7, i * SECOND);
    uint64_t ticket = 0;
    assert_true(throttle_range_open(&b, 3, 0));
    assert_int_equal(throttle_range_turn(&b, 3, &ticket, 100), 100);
    assert_int_equal(ticket, 0);
}

static void test_a_second_key_does(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    uint64_t tickets[20] = {0}, other = 0;
    (void)throttle_range_throttled(&b, 3, 7, 0);
    (void)throttle_range_throttled(&b, 3, 8, 0);
    for (int i = 0; i < 20; i++) { /* 100 a second */
        int64_t at = throttle_range_turn(&b, 3, &tickets[i], 0);
        assert_in_range(at, (int64_t)(i + 1) * 10 * MS, (int64_t)(i + 1) * 10 * MS + 1);
    }
    assert_int_equal(throttle_range_turn(&b, 4, &other, 0), 0);
    assert_false(throttle_range_open(&b, 3, 0));
    assert_true(throttle_range_open(&b, 4, 0));
    assert_in_range(throttle_range_due(&b, 0), 150 * MS, 150 * MS + 1);
    assert_true(throttle_range_open(&b, 3, 151 * MS));
    assert_int_equal(throttle_range_due(&b, 151 * MS), INT64_MAX);
    assert_int_equal(throttle_range_turn(&b, 3, &tickets[9], 101 * MS), 101 * MS);
    assert_in_range(throttle_range_turn(&b, 3, &tickets[10], 101 * MS), 110 * MS, 110 * MS + 1);
    /* nobody asked for a while: that does not gather */
    tickets[0] = tickets[1] = tickets[2] = 0;
    assert_int_equal(throttle_range_turn(&b, 3, &tickets[0], 9 * SECOND), 9 * SECOND);
    assert_true(throttle_range_turn(&b, 3, &tickets[2], 9 * SECOND) > 9 * SECOND);
}

static void test_a_new_rate_counts_for_those_that_wait(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    uint64_t tickets[50] = {0};
    (void)throttle_range_throttled(&b, 3, 7, 0);
    (void)throttle_range_throttled(&b, 3, 8, 0);
    (void)throttle_range_throttled(&b, 3, 9, SECOND); /* nothing succeeded: one a second */
    for (int i = 0; i < 50; i++)
        (void)throttle_range_turn(&b, 3, &tickets[i], SECOND);
    assert_int_equal(throttle_range_turn(&b, 3, &tickets[49], SECOND), SECOND + 250 * MS);
    for (int64_t now = SECOND; b.n && now < 40 * SECOND; now += 100 * MS)
        throttle_range_succeeded(&b, 3, now);
    assert_int_equal(b.n, 0);
    assert_int_equal(throttle_range_turn(&b, 3, &tickets[49], 40 * SECOND), 40 * SECOND);
    (void)throttle_range_throttled(&b, 3, 7,
                                   41 * SECOND); /* slowed anew: older tickets are good */
    (void)throttle_range_throttled(&b, 3, 8, 41 * SECOND);
    assert_int_equal(throttle_range_turn(&b, 3, &tickets[48], 41 * SECOND), 41 * SECOND);
}

static void test_throttles_close_together_are_one(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    for (uint64_t key = 0; key < 50; key++)
        (void)throttle_range_throttled(&b, 3, key, 0);
    assert_true(b.v[0].rate == 100);
    for (int i = 0; i < 10; i++)
        throttle_range_succeeded(&b, 3, 0);
    (void)throttle_range_throttled(&b, 3, 99, 199 * MS);
    assert_true(b.v[0].rate == 100);
    (void)throttle_range_throttled(&b, 3, 98, 200 * MS);
    assert_true(b.v[0].rate == 40); /* ten in two tenths of a second, less a fifth */
    for (int i = 2; i < 100; i++)
        (void)throttle_range_throttled(&b, 3, (uint64_t)i, (int64_t)i * 200 * MS);
    assert_true(b.v[0].rate == 1);
}

static void test_it_is_let_go_while_writes_succeed(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    (void)throttle_range_throttled(&b, 3, 1, 0);
    (void)throttle_range_throttled(&b, 3, 2, 0);
    throttle_range_succeeded(&b, 3, 1000 * MS); /* ten steps of 3% */
    assert_true(b.v[0].rate > 134 && b.v[0].rate < 135);
    int64_t now = 1000 * MS;
    for (; b.n && now < 60 * SECOND; now += 10 * MS)
        throttle_range_succeeded(&b, 3, now);
    assert_int_equal(b.n, 0);
    assert_true(now < 20 * SECOND);
}

/* A partition that takes so many a second, and eight ranges in it that know nothing of each other:
 * how many throttles for how many writes? */
static void run_partition(double capacity, uint64_t *writes, uint64_t *throttles)
{
    struct throttle_ranges b = {0};
    double level = capacity * 0.3, full = level;
    uint64_t key = 0;
    uint64_t tickets[8] = {0};
    *writes = *throttles = 0;
    for (int64_t now = 0; now < 60 * SECOND; now += MS) {
        level = level + capacity / 1000 < full ? level + capacity / 1000 : full;
        for (uint32_t r = 0; r < 8; r++) {
            if (throttle_range_turn(&b, r, &tickets[r], now) > now)
                continue;
            tickets[r] = 0;
            if (level >= 1) {
                level -= 1;
                (*writes)++;
                throttle_range_succeeded(&b, r, now);
            } else {
                (*throttles)++;
                (void)throttle_range_throttled(&b, r, key++, now);
            }
        }
    }
}

static void test_throttles_are_a_small_share(void **state)
{
    (void)state;
    static const double CAPACITIES[] = {20, 100, 1000, 3000};
    for (size_t i = 0; i < sizeof CAPACITIES / sizeof CAPACITIES[0]; i++) {
        uint64_t writes, throttles;
        run_partition(CAPACITIES[i], &writes, &throttles);
        assert_true((double)writes > CAPACITIES[i] * 60 * 0.6);
        /* on the way down from 100 a second each has some 40 in the worst case */
        assert_true((double)throttles < 8 * 40 + (double)writes * 0.1);
    }
}

static void test_the_oldest_gives_way_when_full(void **state)
{
    (void)state;
    struct throttle_ranges b = {0};
    for (uint32_t r = 0; r <= BRAKE_MAX; r++) {
        (void)throttle_range_throttled(&b, r, 1, r);
        (void)throttle_range_throttled(&b, r, 2, r);
    }
    assert_int_equal(b.n, BRAKE_MAX);
    uint64_t tickets[3] = {0};
    assert_int_equal(throttle_range_turn(&b, 0, &tickets[0], BRAKE_MAX), BRAKE_MAX);
    assert_true(throttle_range_turn(&b, BRAKE_MAX, &tickets[1], BRAKE_MAX) > BRAKE_MAX);
    assert_true(throttle_range_turn(&b, 1, &tickets[2], BRAKE_MAX) > BRAKE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_hot_key_does_not_slow_its_range),
        cmocka_unit_test(test_a_second_key_does),
        cmocka_unit_test(test_a_new_rate_counts_for_those_that_wait),
        cmocka_unit_test(test_throttles_close_together_are_one),
        cmocka_unit_test(test_it_is_let_go_while_writes_succeed),
        cmocka_unit_test(test_throttles_are_a_small_share),
        cmocka_unit_test(test_the_oldest_gives_way_when_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
