/* SPDX-License-Identifier: MIT */
/* What becomes of a run that was cut short or is held, when the next one comes. */
#include "pipeline/run/succession.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const int64_t HOUR = 3600;

static const struct run_info FILES = {
    .resumable = true, .source_us = 200, .judged = {"mild", 4}, .clock_us = INT64_MAX / 2};

static struct run_info live(int64_t hours_later)
{
    return (struct run_info){.resumable = true,
                             .source_us = hours_later * HOUR,
                             .clock_us = hours_later * HOUR,
                             .same_us = 12 * HOUR,
                             .max_age_us = 24 * HOUR,
                             .judged = {"mild", 4}};
}

static void expect(const struct run_info *info, struct predecessor was, enum succession want)
{
    const char *why = NULL;
    was.resumable = true;
    assert_int_equal(succession(info, &was, &why), want);
    assert_true(want != SUCCESSION_ANEW || why);
}

static void test_files_go_by_their_time(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        expect(&FILES, (struct predecessor){.same = true, .held = held, .source_us = 200},
               SUCCESSION_RESUME);
        expect(&FILES, (struct predecessor){.held = held, .source_us = 199}, SUCCESSION_ANEW);
        expect(&FILES, (struct predecessor){.held = held, .source_us = 200}, SUCCESSION_REFUSE);
        expect(&FILES, (struct predecessor){.held = held, .source_us = 201}, SUCCESSION_REFUSE);
        expect(&FILES, (struct predecessor){.held = held}, SUCCESSION_REFUSE);
    }
}

static void test_a_scan_goes_on_until_it_is_too_old(void **state)
{
    const struct run_info soon = live(23), late = live(25);
    struct run_info any = live(1000);
    (void)state;
    expect(&soon, (struct predecessor){.same = true}, SUCCESSION_RESUME);
    expect(&soon, (struct predecessor){.source_us = 1}, SUCCESSION_REFUSE);
    expect(&late, (struct predecessor){.same = true}, SUCCESSION_ANEW);
    expect(&late, (struct predecessor){.source_us = 1}, SUCCESSION_ANEW);
    any.max_age_us = 0;
    expect(&any, (struct predecessor){.same = true}, SUCCESSION_RESUME);
}

static void test_a_held_scan_is_judged_anew_or_gives_way(void **state)
{
    const struct run_info soon = live(1), tomorrow = live(24);
    const struct str other = STR("severe"), mild = STR("mild");
    (void)state;
    expect(&soon, (struct predecessor){.same = true, .held = true, .judged = other},
           SUCCESSION_RESUME);
    expect(&soon, (struct predecessor){.same = true, .held = true, .judged = mild},
           SUCCESSION_ANEW);
    expect(&soon, (struct predecessor){.held = true, .judged = other}, SUCCESSION_ANEW);
    expect(&tomorrow, (struct predecessor){.same = true, .held = true, .judged = other},
           SUCCESSION_ANEW);
}

static void test_pipes_are_read_once(void **state)
{
    const struct run_info pipe = {.source_us = 1};
    const struct predecessor was = {.same = true, .source_us = 300};
    const char *why = NULL;
    (void)state;
    expect(&pipe, (struct predecessor){.source_us = 300}, SUCCESSION_ANEW);
    assert_int_equal(succession(&FILES, &was, &why), SUCCESSION_ANEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_go_by_their_time),
        cmocka_unit_test(test_a_scan_goes_on_until_it_is_too_old),
        cmocka_unit_test(test_a_held_scan_is_judged_anew_or_gives_way),
        cmocka_unit_test(test_pipes_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
