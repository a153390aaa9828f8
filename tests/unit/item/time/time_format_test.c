/* SPDX-License-Identifier: MIT */
/* Patterns: what is one, what they read, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/item/time/time_format.h"

static void reads(const char *pattern, const char *text, const char *local, int64_t east)
{
    struct timestamp_text t;
    struct buf b;
    unsigned what = 0;
    buf_init(&b, 100);
    assert_null(time_format_check(str_of(pattern), &what));
    if (!time_format_read(str_of(pattern), str_of(text), &t))
        fail_msg("%s does not read %s", pattern, text);
    assert_int_equal(t.has_clock, (what & TIME_FORMAT_CLOCK) != 0);
    assert_int_equal(t.has_offset, (what & TIME_FORMAT_OFFSET) != 0);
    assert_int_equal(t.east, east);
    timestamp_add_local(&b, timestamp_text_us(&t));
    assert_string_equal(buf_cstr(&b), local);
    buf_release(&b);
}

static void test_texts_are_read(void **state)
{
    (void)state;
    reads("%d.%m.%Y", "29.02.2024", "2024-02-29T00:00:00", 0);
    reads("%d/%m/%Y %H:%M", "01/12/1999 23:59", "1999-12-01T23:59:00", 0);
    reads("%Y%m%dT%H%M%S", "20240229T120001", "2024-02-29T12:00:01", 0);
    reads("%Y%m%d", "00010101", "0001-01-01T00:00:00", 0);
    reads("%-m/%-d/%y %-I:%M %p", "1/2/68 1:05 pm", "2068-01-02T13:05:00", 0);
    reads("%-m/%-d/%y", "12/31/69", "1969-12-31T00:00:00", 0);
    reads("%I%p %d %b %Y", "12AM 05 mar 2024", "2024-03-05T00:00:00", 0);
    reads("%I%p %d %B %Y", "12PM 05 March 2024", "2024-03-05T12:00:00", 0);
    reads("%a, %d %b %Y %H:%M:%S %z", "Thu, 19 Nov 2026 22:17:15 +0200", "2026-11-19T22:17:15",
          INT64_C(7200000000));
    reads("%A %d%%%m.%Y", "Sunday 01%01.2023", "2023-01-01T00:00:00", 0);
    reads("%Y-%m-%d %H:%M:%S.%f%z", "2024-01-01 00:00:00.5Z", "2024-01-01T00:00:00.5", 0);
}

static void test_other_texts_are_not(void **state)
{
    static const struct {
        const char *pattern, *text;
    } cases[] = {
        {"%d.%m.%Y", "29.02.2023"},
        {"%d.%m.%Y", "9.02.2024"},
        {"%d.%m.%Y", "29.02.2024 "},
        {"%d.%m.%Y", " 29.02.2024"},
        {"%d.%m.%Y", "29.02.24"},
        {"%d.%m.%Y", "29.02.20244"},
        {"%d.%m.%Y", "00.01.2024"},
        {"%d.%m.%Y", "01.13.2024"},
        {"%d.%m.%Y", "01.01.0000"},
        {"%d.%m.%Y", ""},
        {"%d.%m.%Y %H", "01.01.2024 24"},
        {"%d.%m.%Y %I%p", "01.01.2024 13PM"},
        {"%d.%m.%Y %I%p", "01.01.2024 00AM"},
        {"%a %d.%m.%Y", "Mon 29.02.2024"},
        {"%b %d %Y", "Foo 01 2024"},
        {"%B %d %Y", "Mar 01 2024"},
        {"%Y-%m-%d %H:%M:%S.%f", "2024-01-01 00:00:00."},
        {"%Y-%m-%d %H:%M:%S.%f", "2024-01-01 00:00:00.1234567890"},
        {"%Y-%m-%d %H%z", "2024-01-01 00"},
        {"%d.%m.%Y", "+1.01.2024"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timestamp_text t;
        unsigned what = 0;
        assert_null(time_format_check(str_of(cases[i].pattern), &what));
        if (time_format_read(str_of(cases[i].pattern), str_of(cases[i].text), &t))
            fail_msg("%s reads %s", cases[i].pattern, cases[i].text);
    }
}

static void test_patterns_that_are_none(void **state)
{
    static const char *const bad[] = {
        "",         "%d.%m",          "%Y-%m-%d %Q", "%Y-%m-%d %",   "%Y%m%d%Y",  "%Y%m%d%y",
        "%Y%b%d%m", "%Y%m%d %M",      "%-Y%m%d",     "%Y%m%d %H:%S", "%Y%m%d %I", "%Y%m%d %H%p",
        "%Y%m%d%z", "%Y%m%d %H%M.%f", "%Y%m%d %-%",  "abc"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        unsigned what = 0;
        if (!time_format_check(str_of(bad[i]), &what))
            fail_msg("\"%s\" passes", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_read),
        cmocka_unit_test(test_other_texts_are_not),
        cmocka_unit_test(test_patterns_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
