/* SPDX-License-Identifier: MIT */
/* Dates in the three spellings, at the edges of the calendar. */
#include "pipeline/base/timefmt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int64_t S = 1000000;

static void test_amz_round_trips_with_iso(void **state)
{
    (void)state;
    static const struct {
        const char *iso, *amz;
        int64_t seconds;
    } t[] = {
        {"1970-01-01T00:00:00Z", "19700101T000000Z", 0},
        {"1969-12-31T23:59:59Z", "19691231T235959Z", -1},
        {"2000-02-29T12:00:00Z", "20000229T120000Z", 951825600},
        {"2015-08-30T12:36:00Z", "20150830T123600Z", 1440938160},
        {"2026-12-31T23:59:59Z", "20261231T235959Z", 1798761599},
        {"2100-03-01T00:00:00Z", "21000301T000000Z", 4107542400},
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        int64_t us = 1;
        char amz[TIMEFMT_AMZ_SIZE];
        assert_true(timefmt_read_iso(str_of(t[i].iso), &us));
        assert_int_equal(us, t[i].seconds * S);
        timefmt_amz(us, amz);
        assert_string_equal(amz, t[i].amz);
    }
}

static void test_iso_with_fractions_and_offsets(void **state)
{
    (void)state;
    int64_t us = 0;
    assert_true(timefmt_read_iso(STR("1970-01-01T01:00:00.25+01:00"), &us));
    assert_int_equal(us, 250000);
    assert_true(timefmt_read_iso(STR("1970-01-01T00:00:00.1234567Z"), &us));
    assert_int_equal(us, 123456);
    assert_true(timefmt_read_iso(STR("1969-12-31T19:00:00-0500"), &us));
    assert_int_equal(us, 0);
    assert_true(timefmt_read_iso(STR("1970-01-01T00:00:01UTC"), &us));
    assert_int_equal(us, S);
}

static void test_iso_that_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "2026",
                                      "2026-13-01T00:00:00Z",
                                      "2026-01-32T00:00:00Z",
                                      "2026-01-01T24:00:00Z",
                                      "2026-01-01T00:00:00X",
                                      "2026-01-01T00:00:00+1",
                                      "2026-01-01T00:00:00+01:00x",
                                      "never"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t us;
        assert_false(timefmt_read_iso(str_of(bad[i]), &us));
    }
}

static void test_http_date(void **state)
{
    (void)state;
    int64_t us = 0;
    assert_true(timefmt_read_http(STR("Thu, 01 Jan 2026 00:05:01 GMT"), &us));
    assert_int_equal(us, INT64_C(1767225901) * S);
    assert_false(timefmt_read_http(STR("Thu 01 Jan 2026"), &us));
    assert_false(timefmt_read_http(STR("Thu, 01 Foo 2026 00:05:01 GMT"), &us));
    assert_false(timefmt_read_http(STR("Thu, 01 Jan 2026 00:05"), &us));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amz_round_trips_with_iso),
        cmocka_unit_test(test_iso_with_fractions_and_offsets),
        cmocka_unit_test(test_iso_that_is_none_is_refused),
        cmocka_unit_test(test_http_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
