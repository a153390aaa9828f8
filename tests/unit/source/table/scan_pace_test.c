/* SPDX-License-Identifier: MIT */
/* How fast a table is read: limits of the budget, the Limit of a request, its worst cost. */
#include "pipeline/source/table/scan_pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t U = BUDGET_UNIT;

static struct budget_limits of(struct scan_pace pace, struct dynamodb_table t)
{
    return scan_pace_limits(&pace, &t, NULL);
}

static struct dynamodb_table provisioned(int64_t read)
{
    return (struct dynamodb_table){.capacity = {.read = read, .max_read = -1, .warm_read = -1}};
}

static struct dynamodb_table on_demand(int64_t warm, int64_t most)
{
    return (struct dynamodb_table){.on_demand = true,
                                   .capacity = {.max_read = most, .warm_read = warm}};
}

static void same(struct budget_limits l, int64_t start, int64_t max)
{
    assert_int_equal(l.start, start);
    assert_int_equal(l.max, max);
}

static void test_provisioned_half_by_default(void **state)
{
    (void)state;
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, provisioned(1000)), 500, 500);
    same(of((struct scan_pace){SCAN_PACE_MAX, 0}, provisioned(1000)), 1000, 1000);
    same(of((struct scan_pace){SCAN_PACE_PERCENT, 7}, provisioned(1000)), 70, 70);
    same(of((struct scan_pace){SCAN_PACE_UNITS, 3}, provisioned(1000)), 3, 3);
}

static void test_never_less_than_one(void **state)
{
    (void)state;
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, provisioned(1)), 1, 1);
    same(of((struct scan_pace){SCAN_PACE_PERCENT, 1}, provisioned(5)), 1, 1);
}

static void test_on_demand_adapts(void **state)
{
    (void)state;
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, on_demand(-1, -1)), 3000, 40000);
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, on_demand(20000, -1)), 5000, 40000);
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, on_demand(80000, -1)), 20000, 80000);
    same(of((struct scan_pace){SCAN_PACE_DEFAULT, 0}, on_demand(20000, 400)), 100, 400);
    same(of((struct scan_pace){SCAN_PACE_PERCENT, 50}, on_demand(20000, -1)), 10000, 10000);
    same(of((struct scan_pace){SCAN_PACE_MAX, 0}, on_demand(20000, 500)), 500, 500);
}

static void test_an_index_has_capacity_of_its_own(void **state)
{
    (void)state;
    struct dynamodb_table t = provisioned(1000);
    struct dynamodb_index global = {.global = true, .capacity = {.read = 40}};
    struct dynamodb_index local = {.global = false};
    struct scan_pace pace = {SCAN_PACE_DEFAULT, 0};
    same(scan_pace_limits(&pace, &t, &global), 20, 20);
    same(scan_pace_limits(&pace, &t, &local), 500, 500);
}

static void test_segments_go_by_size_and_workers(void **state)
{
    (void)state;
    const int64_t mb = 1 << 20;
    assert_int_equal(scan_pace_segments(2, 0), 32);
    assert_int_equal(scan_pace_segments(2, mb), 8);
    assert_int_equal(scan_pace_segments(8, 5 * mb), 64);
    assert_int_equal(scan_pace_segments(8, 100 * mb), 100); /* not below a page each */
    assert_int_equal(scan_pace_segments(0, 1000 * mb), 64);
    assert_int_equal(scan_pace_segments(8, 1000 * mb), 512);
    assert_int_equal(scan_pace_segments(2, 100000 * mb), 1562);
    assert_int_equal(scan_pace_segments(2, 100000000 * mb), 16384);
}

static void test_every_worker_has_its_share(void **state)
{
    (void)state;
    assert_int_equal(scan_pace_ahead(8, 2), 4);
    assert_int_equal(scan_pace_ahead(32, 8), 4);
    assert_int_equal(scan_pace_ahead(9, 4), 3);
    assert_int_equal(scan_pace_ahead(4, 8), 1);
    assert_int_equal(scan_pace_ahead(512, 8), 16);
    assert_int_equal(scan_pace_ahead(40, 0), 16);
    assert_int_equal(scan_pace_ahead(0, 0), 1);
}

static void test_scattered_workers_have_enough_each(void **state)
{
    (void)state;
    assert_int_equal(scan_pace_workers(16, 4), 1);
    assert_int_equal(scan_pace_scatter(16, 4), 16);
    assert_int_equal(scan_pace_workers(47, 8), 2);
    assert_int_equal(scan_pace_scatter(47, 8), 23);
    assert_int_equal(scan_pace_workers(512, 8), 8);
    assert_int_equal(scan_pace_scatter(512, 8), 24);
    assert_int_equal(scan_pace_workers(8, 2), 2); /* there are not enough */
    assert_int_equal(scan_pace_scatter(8, 2), 4);
    assert_int_equal(scan_pace_workers(200, 0), 1);
}

static void test_limit_is_a_second_of_items(void **state)
{
    (void)state;
    struct scan_sizes s;
    scan_sizes_init(&s, false, 1000, 1024000);
    assert_int_equal(scan_sizes_limit(&s, 1 * U), 8);
    assert_int_equal(scan_sizes_limit(&s, 100 * U), 800);
    assert_int_equal(scan_sizes_limit(&s, 128 * U), 0);
    scan_sizes_init(&s, true, 1000, 1024000);
    assert_int_equal(scan_sizes_limit(&s, 1 * U), 4);
    assert_int_equal(scan_sizes_limit(&s, 255 * U), 1020);
    assert_int_equal(scan_sizes_limit(&s, 256 * U), 0);
}

static void test_limit_is_at_least_one(void **state)
{
    (void)state;
    struct scan_sizes s;
    scan_sizes_init(&s, false, 10, 4096000);
    assert_int_equal(scan_sizes_limit(&s, 1 * U), 1);
}

static void test_limit_learns_from_pages(void **state)
{
    (void)state;
    struct scan_sizes s;
    scan_sizes_init(&s, false, 0, 0);
    assert_int_equal(scan_sizes_limit(&s, 2 * U), 4); /* 4 KB an item, for want of better */
    scan_sizes_add(&s, 100, 10 * U, 60000, 900);
    assert_int_equal(scan_sizes_limit(&s, 2 * U), 16384 / 600);
}

static void test_worst_is_a_true_bound(void **state)
{
    (void)state;
    struct scan_sizes s;
    scan_sizes_init(&s, false, 1000, 1024000);
    assert_int_equal(scan_sizes_worst(&s, 1), 50 * U);
    assert_int_equal(scan_sizes_worst(&s, 2), 100 * U);
    assert_int_equal(scan_sizes_worst(&s, 3), 128 * U);
    assert_int_equal(scan_sizes_worst(&s, 0), 128 * U);
    scan_sizes_add(&s, 3, 150 * U, 1200000, 400000);
    assert_int_equal(scan_sizes_worst(&s, 0), 150 * U);
    scan_sizes_init(&s, true, 1000, 1024000);
    assert_int_equal(scan_sizes_worst(&s, 0), 256 * U);
}

static void test_likely_goes_by_the_largest_item(void **state)
{
    (void)state;
    struct scan_sizes s;
    scan_sizes_init(&s, false, 1000, 1024000);
    assert_int_equal(scan_sizes_likely(&s, 1), 50 * U); /* nothing seen: the worst */
    scan_sizes_add(&s, 10, U, 5000, 1000);
    assert_int_equal(scan_sizes_likely(&s, 1), U / 2);
    assert_int_equal(scan_sizes_likely(&s, 8), U);
    assert_int_equal(scan_sizes_likely(&s, 0), 128 * U);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_provisioned_half_by_default),
        cmocka_unit_test(test_never_less_than_one),
        cmocka_unit_test(test_on_demand_adapts),
        cmocka_unit_test(test_an_index_has_capacity_of_its_own),
        cmocka_unit_test(test_segments_go_by_size_and_workers),
        cmocka_unit_test(test_every_worker_has_its_share),
        cmocka_unit_test(test_scattered_workers_have_enough_each),
        cmocka_unit_test(test_limit_is_a_second_of_items),
        cmocka_unit_test(test_limit_is_at_least_one),
        cmocka_unit_test(test_limit_learns_from_pages),
        cmocka_unit_test(test_worst_is_a_true_bound),
        cmocka_unit_test(test_likely_goes_by_the_largest_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
