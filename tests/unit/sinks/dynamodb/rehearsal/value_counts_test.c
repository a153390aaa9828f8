/* SPDX-License-Identifier: MIT */
/* Frequent values and the number of different ones, against counts that are known. */
#include "sinks/dynamodb/rehearsal/value_counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void add(struct value_counts *s, const char *text)
{
    struct val v = {.kind = VAL_S, .u.s = str_of(text)};
    value_counts_add(s, &v, 1);
}

static void add_numbered(struct value_counts *s, const char *prefix, uint32_t i)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%s%u", prefix, i);
    add(s, text);
}

/* value i of `heavy` comes (i + 1) * 1000 times; `light` others once each, in between */
static void fill(struct value_counts *s, uint32_t heavy, uint32_t light, uint32_t offset)
{
    uint32_t next = 0, turns = heavy * 1000;
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t i = 0; i < heavy; i++) {
            if (turn < (i + 1) * 1000)
                add_numbered(s, "heavy", i);
        }
        for (; turns && next < (uint64_t)light * (turn + 1) / turns; next++)
            add_numbered(s, "light", offset + next);
    }
}

static void test_few_values_are_exact(void **state)
{
    (void)state;
    struct value_counts *s = value_counts_new();
    struct value_counts_top top[4];
    assert_non_null(s);
    assert_int_equal(value_counts_distinct(s), 0);
    assert_int_equal(value_counts_top(s, top, 4), 0);
    for (uint32_t i = 0; i < 250; i++)
        add_numbered(s, "v", i);
    for (uint32_t i = 0; i < 10; i++)
        add_numbered(s, "v", 7);
    add(s, "v9");
    assert_int_equal(value_counts_values(s), 261);
    assert_int_equal(value_counts_distinct(s), 250);
    assert_int_equal(value_counts_top(s, top, 4), 4);
    assert_string_equal(top[0].text, "v7");
    assert_int_equal(top[0].count, 11);
    assert_int_equal(top[0].slack, 0);
    assert_string_equal(top[1].text, "v9");
    assert_int_equal(top[1].count, 2);
    assert_string_equal(top[2].text, "v0"); /* among equals by their texts */
    value_counts_free(s);
}

static void heavy_ones_are_bounded(const struct value_counts *s, uint32_t heavy, uint32_t times)
{
    struct value_counts_top top[16];
    assert_true(value_counts_top(s, top, 16) >= heavy);
    for (uint32_t i = 0; i < heavy; i++) {
        char want[32];
        uint64_t real = (uint64_t)(heavy - i) * 1000 * times;
        (void)snprintf(want, sizeof want, "heavy%u", heavy - i - 1);
        assert_string_equal(top[i].text, want);
        assert_true(top[i].count >= real);
        assert_true(top[i].count - top[i].slack <= real);
        assert_true(top[i].slack <= value_counts_values(s) / 256);
    }
}

static void test_frequent_values_among_many(void **state)
{
    (void)state;
    struct value_counts *s = value_counts_new();
    assert_non_null(s);
    fill(s, 5, 100000, 0);
    assert_int_equal(value_counts_values(s), 115000);
    heavy_ones_are_bounded(s, 5, 1);
    assert_in_range(value_counts_distinct(s), 95000, 105000);
    value_counts_free(s);
}

static void test_merged_parts_are_as_the_whole(void **state)
{
    (void)state;
    struct value_counts *a = value_counts_new(), *b = value_counts_new(),
                        *c = value_counts_new();
    assert_true(a && b && c);
    fill(a, 5, 30000, 0);
    fill(b, 5, 30000, 15000); /* half of them are in both */
    fill(c, 5, 0, 0);         /* not full */
    value_counts_merge(a, b);
    value_counts_merge(a, c);
    assert_int_equal(value_counts_values(a), 105000);
    heavy_ones_are_bounded(a, 5, 3);
    assert_in_range(value_counts_distinct(a), 42000, 48000);
    value_counts_merge(c, a);
    heavy_ones_are_bounded(c, 5, 4);
    value_counts_free(a);
    value_counts_free(b);
    value_counts_free(c);
}

static void test_merging_few_stays_exact(void **state)
{
    (void)state;
    struct value_counts *a = value_counts_new(), *b = value_counts_new();
    struct value_counts_top top[2];
    assert_true(a && b);
    for (uint32_t i = 0; i < 100; i++) {
        add_numbered(a, "v", i);
        add_numbered(b, "v", i + 50);
    }
    add_numbered(b, "v", 149);
    value_counts_merge(a, b);
    assert_int_equal(value_counts_distinct(a), 150);
    assert_int_equal(value_counts_top(a, top, 2), 2);
    assert_string_equal(top[0].text, "v149");
    assert_int_equal(top[0].count, 2);
    assert_int_equal(top[0].slack, 0);
    value_counts_free(a);
    value_counts_free(b);
}

static void test_texts_for_people(void **state)
{
    (void)state;
    static const char LONG[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaa\xc3\xa9zzz"; /* the 96th byte is the first of two */
    struct value_counts *s = value_counts_new();
    struct value_counts_top top[8];
    struct val bytes = {.kind = VAL_B, .u.s = STR("\x01\x02")};
    struct val number = {.kind = VAL_N, .u.s = STR("7")};
    assert_non_null(s);
    for (int i = 0; i < 5; i++)
        add(s, LONG);
    for (int i = 0; i < 4; i++)
        add(s, "a\nb\"");
    for (int i = 0; i < 3; i++)
        value_counts_add(s, &bytes, 1);
    for (int i = 0; i < 2; i++)
        value_counts_add(s, &number, 1);
    add(s, "7");
    assert_int_equal(value_counts_top(s, top, 8),
                     5); /* a number is not the text that spells it */
    assert_int_equal(strlen(top[0].text), 95 + 3);
    assert_string_equal(top[0].text + 94, "a...");
    assert_string_equal(top[1].text, "a\\nb\\\"");
    assert_string_equal(top[2].text, "AQI=");
    assert_string_equal(top[3].text, "7");
    assert_int_equal(top[3].count, 2);
    value_counts_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_values_are_exact),
        cmocka_unit_test(test_frequent_values_among_many),
        cmocka_unit_test(test_merged_parts_are_as_the_whole),
        cmocka_unit_test(test_merging_few_stays_exact),
        cmocka_unit_test(test_texts_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
