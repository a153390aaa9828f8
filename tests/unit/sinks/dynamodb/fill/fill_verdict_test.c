/* SPDX-License-Identifier: MIT */
/* Allowances and balances of passes that never were. */
#include "sinks/dynamodb/fill/fill_verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two entities, and items of none. */
static uint64_t COUNTS[3][FATES] = {
    [0] = {[FATE_CHANGED] = 10, [FATE_ALREADY] = 4, [FATE_CONFLICTED] = 1},
    [1] = {[FATE_CHANGED] = 2, [FATE_FAILED] = 1},
    [2] = {[FATE_UNROUTED] = 5, [FATE_FAILED] = 1},
};

static const struct allowance MANY = {1000, -1};

static struct fill_result result(void)
{
    return (struct fill_result){.counts = COUNTS[0], .rows = 3, .read = 24};
}

static enum rc judge(const struct fill_result *r, struct allowance rejects,
                     struct allowance unrouted)
{
    struct err err = {0};
    enum rc rc = fill_verdict(r, &rejects, &unrouted, &err);
    assert_true((!rc) == (err.msg[0] == '\0'));
    return rc;
}

static void test_fates_are_counted_over_entities(void **state)
{
    (void)state;
    struct fill_result r = result();
    assert_int_equal(fill_count(&r, FATE_CHANGED), 12);
    assert_int_equal(fill_count(&r, FATE_FAILED), 2);
    assert_int_equal(fill_count(&r, FATE_FILTERED), 0);
}

static void test_conflicted_and_failed_count_as_rejects(void **state)
{
    (void)state;
    struct fill_result r = result();
    assert_int_equal(judge(&r, (struct allowance){3, -1}, MANY), RC_OK);
    assert_int_equal(judge(&r, (struct allowance){2, -1}, MANY), RC_FINISHED_BAD);
    assert_int_equal(judge(&r, MANY, (struct allowance){5, -1}), RC_OK);
    assert_int_equal(judge(&r, MANY, (struct allowance){4, -1}), RC_FINISHED_BAD);
    assert_int_equal(judge(&r, (struct allowance){0, 13}, MANY), RC_OK);
    assert_int_equal(judge(&r, (struct allowance){0, 12}, MANY), RC_FINISHED_BAD);
}

static void test_balance_that_does_not_add_up(void **state)
{
    (void)state;
    struct fill_result r = result();
    r.read = 25;
    assert_int_equal(judge(&r, MANY, MANY), RC_SINK);
}

static void test_undo_has_the_same_rules(void **state)
{
    (void)state;
    struct err err = {0};
    struct undo_result r = {
        .intents = 9, .restored = 5, .already = 2, .conflicted = 1, .failed = 1};
    struct allowance two = {2, -1}, one = {1, -1};
    assert_int_equal(fill_verdict_undo(&r, &two, &err), RC_OK);
    assert_int_equal(fill_verdict_undo(&r, &one, &err), RC_FINISHED_BAD);
    r.intents++;
    assert_int_equal(fill_verdict_undo(&r, &two, &err), RC_SINK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fates_are_counted_over_entities),
        cmocka_unit_test(test_conflicted_and_failed_count_as_rejects),
        cmocka_unit_test(test_balance_that_does_not_add_up),
        cmocka_unit_test(test_undo_has_the_same_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
