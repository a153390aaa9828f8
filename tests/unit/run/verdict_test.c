/* SPDX-License-Identifier: MIT */
/* Reasons to hold a run gather in one line, and options are told once. */
#include "pipeline/run/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_reasons_gather(void **state)
{
    struct verdict v = {0};
    (void)state;
    verdict_hold(&v, "--allow empty", "the source is %s", "empty");
    verdict_hold(&v, "--allow shrink:a", "a shrank");
    verdict_hold(&v, "--allow shrink", "b shrank");
    verdict_hold(&v, "--allow shrink", "c shrank");
    verdict_hold(&v, NULL, "d");
    assert_true(v.held);
    assert_string_equal(v.why, "the source is empty; a shrank; b shrank; c shrank; d");
    assert_string_equal(v.but, "--allow empty,shrink:a,shrink");
}

static void test_other_options_stand_beside(void **state)
{
    struct verdict v = {0};
    (void)state;
    verdict_hold(&v, "a higher --max-rejects and --max-unrouted", "a");
    verdict_hold(&v, "--allow empty", "b");
    verdict_hold(&v, "--allow shrink:a", "c");
    assert_string_equal(v.but,
                        "a higher --max-rejects and --max-unrouted, --allow empty,shrink:a");
}

static void test_what_finds_no_room_ends_in_dots(void **state)
{
    struct verdict v = {0};
    (void)state;
    for (int i = 0; i < 200; i++)
        verdict_hold(&v, i % 2 ? "--one" : "--other", "reason %d", i);
    assert_int_equal(strlen(v.why), VERDICT_WHY - 1);
    assert_string_equal(v.why + VERDICT_WHY - 4, "...");
    assert_string_equal(v.but, "--other, --one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reasons_gather),
        cmocka_unit_test(test_other_options_stand_beside),
        cmocka_unit_test(test_what_finds_no_room_ends_in_dots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
