/* SPDX-License-Identifier: MIT */
/* How fast a table is written: limits of the budget. */
#include "sinks/dynamodb/writer/write_pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void same(struct write_pace pace, struct dynamodb_table t, int64_t start, int64_t max)
{
    struct budget_limits l = write_pace_limits(&pace, &t);
    assert_int_equal(l.start, start);
    assert_int_equal(l.max, max);
}

static struct dynamodb_table provisioned(int64_t write)
{
    return (struct dynamodb_table){
        .capacity = {.read = 7, .write = write, .max_write = -1, .warm_write = 9000}};
}

static struct dynamodb_table on_demand(int64_t warm, int64_t most)
{
    return (struct dynamodb_table){
        .on_demand = true,
        .capacity = {.max_read = 1, .warm_read = 1, .max_write = most, .warm_write = warm}};
}

static const struct write_pace DEFAULT = {WRITE_PACE_DEFAULT, 0}, MAX = {WRITE_PACE_MAX, 0};

static void test_provisioned_half_by_default(void **state)
{
    (void)state;
    same(DEFAULT, provisioned(1000), 500, 500);
    same(MAX, provisioned(1000), 1000, 1000);
    same((struct write_pace){WRITE_PACE_UNITS, 3}, provisioned(1000), 3, 3);
}

static void test_never_less_than_one(void **state)
{
    (void)state;
    same(DEFAULT, provisioned(1), 1, 1);
    same(DEFAULT, on_demand(3, 2), 1, 2);
}

static void test_on_demand_adapts(void **state)
{
    (void)state;
    same(DEFAULT, on_demand(-1, -1), 1000, 40000);
    same(DEFAULT, on_demand(20000, -1), 5000, 40000);
    same(DEFAULT, on_demand(80000, -1), 20000, 80000);
    same(DEFAULT, on_demand(20000, 400), 100, 400);
    same(MAX, on_demand(20000, 500), 500, 500);
    same(MAX, on_demand(20000, -1), 20000, 10000000);
    same((struct write_pace){WRITE_PACE_UNITS, 25}, on_demand(20000, 10), 25, 25);
}

static void test_zero_capacity_counts_as_on_demand(void **state)
{
    (void)state;
    same(DEFAULT, provisioned(0), 2250, 40000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_provisioned_half_by_default),
        cmocka_unit_test(test_never_less_than_one),
        cmocka_unit_test(test_on_demand_adapts),
        cmocka_unit_test(test_zero_capacity_counts_as_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
