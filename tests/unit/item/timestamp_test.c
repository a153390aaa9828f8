/* SPDX-License-Identifier: MIT */
/* Dates and timestamps: known instants, every day of 9999 years, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/timestamp.h"

static void test_date_known_days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t days;
    } cases[] = {{"1970-01-01", 0},     {"1969-12-31", -1},      {"2000-02-29", 11016},
                 {"2000-03-01", 11017}, {"0001-01-01", -719162}, {"9999-12-31", 2932896},
                 {"2026-11-16", 20773}, {"1900-02-28", -25509},  {"1900-03-01", -25508}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t days = 0;
        assert_true(timestamp_parse_date(str_of(cases[i].text), &days));
        assert_int_equal(days, cases[i].days);
    }
}

static void test_date_every_day_prints_and_parses_back(void **state)
{
    (void)state;
    struct buf b, last;
    buf_init(&b, 100);
    buf_init(&last, 100);
    for (int64_t day = -719162; day <= 2932896; day++) {
        int64_t back = 0;
        buf_clear(&b);
        timestamp_add_date(&b, day);
        assert_true(timestamp_parse_date(buf_view(&b), &back));
        assert_int_equal(back, day);
        assert_true(last.len == 0 || str_cmp(buf_view(&last), buf_view(&b)) < 0);
        buf_clear(&last);
        buf_add_str(&last, buf_view(&b));
    }
    buf_release(&b);
    buf_release(&last);
}

static void test_date_refuses_what_is_no_day(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",           "2024",       "2024-1-1",    "2024-01-1",   "2024-13-01",
        "2024-00-01", "2024-01-00", "2024-01-32",  "2023-02-29",  "1900-02-29",
        "2024-04-31", "0000-01-01", "24-01-01",    "2024-01-01 ", " 2024-01-01",
        "2024/01/01", "20240101",   "-2024-01-01", "12024-01-01", "2024-01-01T00:00:00Z",
        "2024-0a-01"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t days;
        if (timestamp_parse_date(str_of(bad[i]), &days))
            fail_msg("\"%s\" was taken", bad[i]);
    }
}

static void test_stamp_is_printed_in_utc_without_zeros(void **state)
{
    (void)state;
    static const struct {
        const char *text, *utc;
        bool cut;
    } cases[] = {{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", false},
                 {"2024-02-29T12:34:56.789Z", "2024-02-29T12:34:56.789Z", false},
                 {"2024-02-29T12:34:56.789000z", "2024-02-29T12:34:56.789Z", false},
                 {"2024-02-29 12:34:56.000001+00", "2024-02-29T12:34:56.000001Z", false},
                 {"2024-02-29t23:30:00-01:00", "2024-03-01T00:30:00Z", false},
                 {"2024-03-01T00:30:00+0100", "2024-02-29T23:30:00Z", false},
                 {"2024-03-01T00:30+05:30", "2024-02-29T19:00:00Z", false},
                 {"2024-03-01T00:00:00.1234567Z", "2024-03-01T00:00:00.123456Z", true},
                 {"2024-03-01T00:00:00.123456000Z", "2024-03-01T00:00:00.123456Z", false},
                 {"1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z", true},
                 {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", false},
                 {"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", false},
                 {"1969-07-20T20:17:40.5Z", "1969-07-20T20:17:40.5Z", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t us = 0;
        bool cut = !cases[i].cut;
        struct buf b;
        buf_init(&b, 100);
        if (!timestamp_parse_stamp(str_of(cases[i].text), &us, &cut))
            fail_msg("\"%s\" was refused", cases[i].text);
        assert_int_equal(cut, cases[i].cut);
        timestamp_add_stamp(&b, us);
        assert_string_equal(buf_cstr(&b), cases[i].utc);
        buf_release(&b);
    }
}

/* A database holds years that an item cannot: they must look like no day of ours. */
static void test_beyond_our_years_is_told_apart(void **state)
{
    (void)state;
    static const int64_t days[] = {-719163, 2932897, 258020 * INT64_C(365), INT32_MAX};
    struct buf b;
    buf_init(&b, 4096);
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        int64_t back = 0;
        buf_clear(&b);
        timestamp_add_date(&b, days[i]);
        assert_true(str_starts(buf_view(&b), STR("day ")));
        assert_false(timestamp_parse_date(buf_view(&b), &back));
    }
    for (const int64_t *us = (const int64_t[]){INT64_MIN, INT64_MAX, 0}; *us; us++) {
        buf_clear(&b);
        timestamp_add_stamp(&b, *us);
        assert_true(str_starts(buf_view(&b), STR("us ")));
    }
    buf_release(&b);
}

static void test_stamp_known_microseconds(void **state)
{
    (void)state;
    int64_t us;
    bool cut;
    assert_true(timestamp_parse_stamp(STR("2001-09-09T01:46:40.25Z"), &us, &cut));
    assert_int_equal(us, INT64_C(1000000000250000));
    assert_true(timestamp_parse_stamp(STR("1969-12-31T23:59:59Z"), &us, &cut));
    assert_int_equal(us, -1000000);
}

static void test_stamp_refuses_the_rest(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "2024-01-01",
                                      "2024-01-01T00:00:00",
                                      "2024-01-01T00:00:00.Z",
                                      "2024-01-01T00:00:00.1234567890Z",
                                      "2024-01-01T24:00:00Z",
                                      "2024-01-01T00:60:00Z",
                                      "2024-01-01T00:00:60Z",
                                      "2024-01-01T00Z",
                                      "2024-01-01T0:00:00Z",
                                      "2024-01-01X00:00:00Z",
                                      "2024-01-01T00:00:00+1",
                                      "2024-01-01T00:00:00+24:00",
                                      "2024-01-01T00:00:00+01:60",
                                      "2024-01-01T00:00:00+01:",
                                      "2024-01-01T00:00:00+01:0",
                                      "2024-01-01T00:00:00Zx",
                                      "2024-01-01T00:00:00 Z",
                                      "2024-02-30T00:00:00Z",
                                      "0001-01-01T00:00:00+00:01",
                                      "9999-12-31T23:59:59-00:01",
                                      "1700000000",
                                      "2024-01-01T00:00:00,5Z"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t us;
        bool cut;
        if (timestamp_parse_stamp(str_of(bad[i]), &us, &cut))
            fail_msg("\"%s\" was taken", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_date_known_days),
        cmocka_unit_test(test_date_every_day_prints_and_parses_back),
        cmocka_unit_test(test_date_refuses_what_is_no_day),
        cmocka_unit_test(test_stamp_is_printed_in_utc_without_zeros),
        cmocka_unit_test(test_beyond_our_years_is_told_apart),
        cmocka_unit_test(test_stamp_known_microseconds),
        cmocka_unit_test(test_stamp_refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
