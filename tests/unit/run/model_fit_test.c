/* SPDX-License-Identifier: MIT */
/* The first ten thousand items decide, once, and those of earlier processes are among them. */
#include "pipeline/run/model_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_too_many_bad_items_are_told_once(void **state)
{
    struct model_fit f = {.became = "were eaten", .hint = "feed them"};
    struct err err = {0};
    (void)state;
    assert_int_equal(model_fit_page(&f, 9999, 9999, &err), RC_OK);
    assert_int_equal(model_fit_page(&f, 1, 0, &err), RC_SOURCE);
    assert_string_equal(err.msg, "9999 of the first 10000 items were eaten or matched no "
                                 "entity\nhint: feed them");
    assert_true(atomic_load(&f.wrong));
    assert_int_equal(model_fit_page(&f, 1, 1, &err), RC_OK);
}

static void test_half_of_them_may_be_bad_and_later_all(void **state)
{
    struct model_fit f = {.became = "", .hint = ""};
    struct err err = {0};
    (void)state;
    assert_int_equal(model_fit_page(&f, 10000, 5000, &err), RC_OK);
    assert_int_equal(model_fit_page(&f, 90000, 90000, &err), RC_OK);
    assert_false(atomic_load(&f.wrong));
}

static void test_items_of_earlier_processes_count(void **state)
{
    struct model_fit wrong = {.became = "", .hint = ""}, few = wrong, fine = wrong;
    struct model_fit judged = wrong;
    struct err err = {0};
    (void)state;
    model_fit_seed(&wrong, 10500, 9000); /* it ended with that, and does so again */
    assert_int_equal(model_fit_page(&wrong, 1, 0, &err), RC_SOURCE);
    model_fit_seed(&few, 9999, 6000); /* the question is open */
    assert_int_equal(model_fit_page(&few, 1, 1, &err), RC_SOURCE);
    model_fit_seed(&fine, 10000, 5000);
    assert_int_equal(model_fit_page(&fine, 20000, 20000, &err), RC_OK);
    model_fit_seed(&judged, 90000, 80000); /* it went bad after the first ones had been fine */
    assert_int_equal(model_fit_page(&judged, 1, 1, &err), RC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_bad_items_are_told_once),
        cmocka_unit_test(test_half_of_them_may_be_bad_and_later_all),
        cmocka_unit_test(test_items_of_earlier_processes_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
