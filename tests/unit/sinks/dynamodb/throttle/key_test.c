/* SPDX-License-Identifier: MIT */
/* Throttled partitions on a clock of the test's own. */
#include "sinks/dynamodb/throttle/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int64_t MS = 1000;

static void test_unknown_partition_is_free(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    throttle_key_throttled(&h, 7, 0);
    assert_true(throttle_key_allow(&h, 8, 0, &at));
    assert_true(throttle_key_allow(&h, 8, 0, &at));
}

static void test_held_partition_lets_one_through_at_a_time(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    throttle_key_throttled(&h, 7, 0);
    assert_false(throttle_key_allow(&h, 7, 19 * MS, &at));
    assert_int_equal(at, 20 * MS);
    assert_true(throttle_key_allow(&h, 7, 20 * MS, &at));
    assert_false(throttle_key_allow(&h, 7, 20 * MS, &at));
    assert_int_equal(at, 40 * MS);
}

static void test_delay_grows_to_a_ceiling(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    for (int i = 0; i < 40; i++)
        throttle_key_throttled(&h, 7, INT64_C(5000) * i * MS);
    assert_false(throttle_key_allow(&h, 7, 195000 * MS, &at));
    assert_int_equal(at, 200000 * MS);
}

static void test_throttles_under_way_together_are_one(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    for (int i = 0; i < 40; i++)
        throttle_key_throttled(&h, 7, i * MS / 4);
    assert_false(throttle_key_allow(&h, 7, 10 * MS, &at));
    assert_int_equal(at, 10 * MS - MS / 4 + 20 * MS);
    assert_true(throttle_key_allow(&h, 7, at, &at)); /* and that one fails as well */
    throttle_key_throttled(&h, 7, 31 * MS);
    assert_false(throttle_key_allow(&h, 7, 31 * MS, &at));
    assert_int_equal(at, 71 * MS);
}

static void test_success_frees_it_again(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    int n = 0;
    for (int i = 0; i < 4; i++)
        throttle_key_throttled(&h, 7, INT64_C(1000) * i * MS);
    for (; h.n && n < 100; n++)
        throttle_key_succeeded(&h, 7);
    assert_in_range(n, 5, 20);
    assert_true(throttle_key_allow(&h, 7, 3000 * MS, &at));
}

static void test_mildest_gives_way_when_full(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    int64_t at = 0;
    for (uint64_t p = 0; p < HOLD_MAX; p++) {
        throttle_key_throttled(&h, p, 0);
        if (p != 3)
            throttle_key_throttled(&h, p, 20 * MS);
    }
    throttle_key_throttled(&h, 1000, 20 * MS);
    assert_true(throttle_key_allow(&h, 3, 20 * MS, &at));
    assert_false(throttle_key_allow(&h, 1000, 20 * MS, &at));
    assert_false(throttle_key_allow(&h, 4, 20 * MS, &at));
}

static void test_one_job_of_a_held_partition_is_taken_at_a_time(void **state)
{
    (void)state;
    struct throttle_keys h = {0};
    assert_true(throttle_key_take(&h, 7, 0));
    assert_int_equal(throttle_key_due(&h, 0), INT64_MAX);
    throttle_key_throttled(&h, 7, 0);
    assert_false(throttle_key_take(&h, 7, 0));
    assert_true(throttle_key_take(&h, 8, 0));
    assert_int_equal(throttle_key_due(&h, 0), 20 * MS);
    assert_true(throttle_key_take(&h, 7, 20 * MS));
    assert_false(throttle_key_take(&h, 7, 30 * MS));
    assert_int_equal(throttle_key_due(&h, 0), INT64_MAX);
    throttle_key_end(&h, 7);
    assert_true(throttle_key_take(&h, 7, 30 * MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_partition_is_free),
        cmocka_unit_test(test_held_partition_lets_one_through_at_a_time),
        cmocka_unit_test(test_delay_grows_to_a_ceiling),
        cmocka_unit_test(test_throttles_under_way_together_are_one),
        cmocka_unit_test(test_success_frees_it_again),
        cmocka_unit_test(test_mildest_gives_way_when_full),
        cmocka_unit_test(test_one_job_of_a_held_partition_is_taken_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
