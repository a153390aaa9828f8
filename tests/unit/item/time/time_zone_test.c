/* SPDX-License-Identifier: MIT */
/*
 * Zones that a test can write down: offsets, rules, files that are none. The zones of the tz
 * database are held against another reader of it by tests/e2e/71_zones.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"
#include "pipeline/item/time/posix_rule.h"
#include "pipeline/item/time/time_zone.h"
#include "pipeline/item/timestamp.h"

static int64_t at(const char *text)
{
    struct timestamp_text t;
    assert_true(timestamp_parse_text(str_of(text), &t));
    return timestamp_text_us(&t) / 1000000;
}

static void test_offsets(void **state)
{
    static const struct {
        const char *name;
        int64_t east;
    } good[] = {{"UTC", 0},        {"Z", 0},      {"+00:00", 0},    {"+02:00", 7200},
                {"-0330", -12600}, {"+02", 7200}, {"+23:59", 86340}};
    static const char *const bad[] = {
        "+2",     "+24:00",  "+02:60",    "+02:0",  "+2:00",   "",         "/etc/passwd",
        "../UTC", "No/Such", "utc+2\xc3", "Europe", "+02:00 ", "tzdata.zi"};
    (void)state;
    struct arena a;
    struct err err = {0};
    const struct time_zone *z = NULL;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t earlier = 0, later = 0;
        assert_int_equal(time_zone_open(&a, str_of(good[i].name), &z, &err), RC_OK);
        assert_int_equal(time_zone_instants(z, 1000000, &earlier, &later), TIME_ZONE_ONCE);
        assert_int_equal(earlier, 1000000 - good[i].east);
        assert_int_equal(later, earlier);
        assert_int_equal(time_zone_local(z, earlier), 1000000);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct err){0};
        assert_int_equal(time_zone_open(&a, str_of(bad[i]), &z, &err), RC_USAGE);
        assert_true(err.msg[0]);
    }
    arena_release(&a);
}

/* The offset at an instant by a rule, and when it changes next. */
static void test_rules(void **state)
{
    static const struct {
        const char *rule, *utc;
        int32_t offset;
        const char *next;
    } cases[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2024-03-31T00:59:59", 3600, "2024-03-31T01:00:00"},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2024-03-31T01:00:00", 7200, "2024-10-27T01:00:00"},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2024-12-31T23:59:59", 3600, "2025-03-30T01:00:00"},
        {"EST5EDT,M3.2.0,M11.1.0", "2024-03-10T07:00:00", -14400, "2024-11-03T06:00:00"},
        /* summer over the end of the year */
        {"NZST-12NZDT,M9.5.0,M4.1.0/3", "2024-01-01T00:00:00", 46800, "2024-04-06T14:00:00"},
        /* half an hour; days by number; times below 0 and beyond a day */
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2024-01-01T00:00:00", 39600,
         "2024-04-06T15:00:00"},
        {"AAA0BBB,J60/0,J61/0", "2024-03-01T00:30:00", 3600, "2024-03-01T23:00:00"},
        {"AAA0BBB,59/0,60/0", "2024-02-29T00:30:00", 3600, "2024-02-29T23:00:00"},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T00:59:59", -7200,
         "2024-03-31T01:00:00"},
        {"AAA0BBB,M1.1.0/167,M2.1.0", "2024-01-13T22:59:59", 0, "2024-01-13T23:00:00"},
        {"XXX3EDT4,0/0,J365/23", "2024-06-01T00:00:00", -14400, NULL},
        {"<+03>-3", "2024-06-01T00:00:00", 10800, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct posix_rule r;
        int64_t next = 0, from = at(cases[i].utc);
        assert_true(posix_rule_parse(str_of(cases[i].rule), &r));
        assert_int_equal(posix_rule_offset(&r, from), cases[i].offset);
        if (!cases[i].next)
            continue;
        assert_true(posix_rule_next(&r, from, &next));
        assert_int_equal(next, at(cases[i].next));
    }
}

static void test_texts_that_are_no_rule(void **state)
{
    static const char *const bad[] = {"",
                                      "CE-1",
                                      "CET",
                                      "CET-1CEST",
                                      "CET-1CEST,M3.5.0",
                                      "CET-1CEST,M13.5.0,M10.5.0",
                                      "CET-1CEST,M3.6.0,M10.5.0",
                                      "CET-1CEST,M3.5.7,M10.5.0",
                                      "CET-1CEST,J0,J1",
                                      "CET-1CEST,366,1",
                                      "CET-1x",
                                      "<+03-3",
                                      "CET-99",
                                      "CET-1CEST,M3.5.0/168,M10.5.0"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct posix_rule r;
        if (posix_rule_parse(str_of(bad[i]), &r))
            fail_msg("\"%s\" passes", bad[i]);
    }
}

static void head(struct buf *b, char version, uint32_t times, uint32_t types, uint32_t leaps)
{
    buf_puts(b, "TZif");
    buf_putc(b, version);
    for (int i = 0; i < 15; i++)
        buf_putc(b, 0);
    buf_be32(b, 0);
    buf_be32(b, 0);
    buf_be32(b, leaps);
    buf_be32(b, times);
    buf_be32(b, types);
    buf_be32(b, 4);
}

static void type_of(struct buf *b, int32_t offset)
{
    buf_be32(b, (uint32_t)offset);
    buf_add(b, "\0\0", 2);
}

/* One change, from an hour east to two, at 1000 s; version 1 or 2 with a rule. */
static void write_file(struct buf *b, char version, const char *rule)
{
    buf_clear(b);
    head(b, version, 1, 2, 0);
    buf_be32(b, 1000);
    buf_putc(b, 1);
    type_of(b, 3600);
    type_of(b, 7200);
    buf_add(b, "AAA", 4);
    if (version == '\0')
        return;
    head(b, version, 1, 2, 0);
    buf_be32(b, 0);
    buf_be32(b, 1000);
    buf_putc(b, 1);
    type_of(b, 3600);
    type_of(b, 7200);
    buf_add(b, "AAA", 4);
    buf_addf(b, "\n%s\n", rule);
}

static void test_files(void **state)
{
    (void)state;
    struct arena a;
    struct buf b;
    const struct time_zone *z = NULL;
    enum rc rc = RC_OK;
    arena_init(&a, 0);
    buf_init(&b, 1000);
    for (int v = 0; v < 2; v++) {
        write_file(&b, v ? '2' : '\0', "<+02>-2");
        assert_true(time_zone_read(&a, buf_view(&b), &z, &rc));
        assert_int_equal(time_zone_local(z, 999), 999 + 3600);
        assert_int_equal(time_zone_local(z, 1000), 1000 + 7200);
        int64_t earlier = 0, later = 0;
        assert_int_equal(time_zone_instants(z, 4599, &earlier, &later), TIME_ZONE_ONCE);
        assert_int_equal(time_zone_instants(z, 4600, &earlier, &later), TIME_ZONE_NEVER);
        assert_int_equal(earlier, 4600 - 7200);
        assert_int_equal(later, 4600 - 3600);
        for (size_t n = 0; n < b.len; n++) /* cut anywhere it is none */
            assert_false(time_zone_read(&a, str_make(b.p, n), &z, &rc));
    }
    write_file(&b, '2', "no rule");
    assert_false(time_zone_read(&a, buf_view(&b), &z, &rc));
    buf_clear(&b);
    head(&b, '\0', 0, 1, 1); /* leap seconds */
    for (int i = 0; i < 30; i++)
        buf_putc(&b, 0);
    assert_false(time_zone_read(&a, buf_view(&b), &z, &rc));
    buf_release(&b);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_texts_that_are_no_rule),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
