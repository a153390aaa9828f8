/* SPDX-License-Identifier: MIT */
/* Few are counted exactly, many nearly, and parts as the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "pipeline/profile/distinct.h"

static void add(struct distinct *d, unsigned number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", number);
    assert_int_equal(distinct_add(d, str_of(text)), RC_OK);
}

static void test_few_are_counted_exactly(void **state)
{
    (void)state;
    struct distinct d = {0};
    bool exact = false;
    assert_int_equal(distinct_count(&d, &exact), 0);
    for (unsigned i = 0; i < 150000; i++)
        add(&d, i % 50000);
    assert_int_equal(distinct_count(&d, &exact), 50000);
    assert_true(exact);
    distinct_release(&d);
}

static void test_many_are_counted_nearly_whoever_saw_them(void **state)
{
    (void)state;
    enum { ALL = 600000 };
    struct distinct whole = {0}, half[2] = {{0}};
    bool exact = true;
    for (unsigned i = 0; i < ALL; i++) {
        add(&whole, i);
        add(&half[i % 2], i);
        if (i % 3 == 0)
            add(&half[0], i);
    }
    uint64_t n = distinct_count(&whole, &exact);
    assert_false(exact);
    assert_in_range(n, ALL - ALL / 50, ALL + ALL / 50);
    assert_int_equal(distinct_merge(&half[0], &half[1]), RC_OK);
    assert_int_equal(distinct_count(&half[0], &exact), n);
    struct distinct empty = {0};
    assert_int_equal(distinct_merge(&empty, &whole), RC_OK);
    assert_int_equal(distinct_count(&empty, &exact), n);
    distinct_release(&empty);
    distinct_release(&whole);
    distinct_release(&half[0]);
    distinct_release(&half[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_are_counted_exactly),
        cmocka_unit_test(test_many_are_counted_nearly_whoever_saw_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
