/* SPDX-License-Identifier: MIT */
/* A rehearsal's figures for the whole table, and what it warns of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/forecast_lines.h"

static struct dynamodb_index INDEX = {
    .name = {"GSI1", 4}, .global = true, .capacity = {.write = 5}};
static struct dynamodb_table TABLE = {.name = {"shop", 4}, .indexes = &INDEX, .n_indexes = 1};

static struct scan_facts facts(int64_t items)
{
    return (struct scan_facts){
        .table = &TABLE, .items = items, .units = 50, .start_rate = 10, .max_rate = 10};
}

static struct rehearse_entity entity(uint64_t changed)
{
    struct rehearse_entity e = {.units = {2 * changed, changed}};
    e.fates[FATE_CHANGED] = changed;
    return e;
}

static struct forecast forecast(int64_t items, uint64_t read, bool sampled)
{
    struct forecast f;
    struct scan_facts s = facts(items);
    struct rehearse_entity e = entity(100);
    forecast_init(&f, &s, (struct budget_limits){20, 40, 0}, read, sampled);
    forecast_add(&f, &e);
    forecast_finish(&f);
    return f;
}

static bool has(struct buf *out, const char *text)
{
    bool found = strstr(buf_cstr(out), text) != NULL;
    if (!found)
        (void)fprintf(stderr, "no \"%s\" in:\n%s", text, buf_cstr(out));
    return found;
}

static void test_all_items_read(void **state)
{
    (void)state;
    struct forecast f = forecast(7, 1000, false);
    struct buf out;
    buf_init(&out, 65536);
    forecast_print(&f, &out);
    assert_true(has(&out, "to change        100 items\n"));
    assert_true(has(&out, "write units      200 WCU of the table, 100 of its indexes\n"));
    assert_true(has(&out, "write budget     from 20 WCU/s, while calm up to 40\n"));
    assert_true(has(&out, "read budget      10 RCU/s\n"));
    assert_true(has(&out, "time             about 10 s at 20 WCU/s and 10 RCU/s\n"));
    assert_true(has(&out, "September 2026"));
    buf_release(&out);
}

static void test_a_sample_is_extrapolated(void **state)
{
    (void)state;
    struct forecast f = forecast(1000000, 1000, true);
    struct buf out;
    buf_init(&out, 65536);
    forecast_print(&f, &out);
    assert_true(has(&out, "to change        about 100000 items\n"));
    assert_true(has(&out, "about 200000 WCU of the table, 100000 of its indexes\n"));
    assert_true(has(&out, "on demand        about USD 0.19,")); /* 300,000 write units */
    f = forecast(999, 1000, true);
    assert_true(f.scale == 1.0); /* the service's count is too old to tell */
    buf_release(&out);
}

static void test_reading_may_take_longer_than_writing(void **state)
{
    (void)state;
    struct forecast f;
    struct scan_facts s = facts(10);
    struct rehearse_entity e = entity(1);
    forecast_init(&f, &s, (struct budget_limits){20, 20, 0}, 10, false);
    forecast_add(&f, &e);
    forecast_finish(&f);
    assert_true(f.seconds == 5.0);
}

static struct rehearse_spread spread(uint64_t values, uint64_t distinct, uint64_t largest)
{
    struct rehearse_spread s = {.attribute = {"GSI1PK", 6},
                                .index = {"GSI1", 4},
                                .values = values,
                                .distinct = distinct,
                                .ntop = 1};
    s.top[0].count = largest;
    (void)snprintf(s.top[0].text, sizeof s.top[0].text, "STATUS#\033paid");
    return s;
}

static void test_few_values_are_warned_of(void **state)
{
    (void)state;
    struct forecast f = forecast(7, 1000, false);
    struct rehearse_spread s = spread(1000, 3, 600);
    struct buf out;
    buf_init(&out, 65536);
    forecast_spread(&f, &s, &out);
    assert_true(has(&out, "partition key \"GSI1PK\" of index \"GSI1\": 1000 items, 3 "
                          "different values\n"));
    assert_true(has(&out, "     60.0%          600  STATUS#?paid\n"));
    assert_true(has(&out, "warning: low cardinality: \"GSI1PK\" of index \"GSI1\" takes 3 "
                          "different values only"));
    assert_true(has(&out, "warning: hot partition: \"GSI1PK\" of index \"GSI1\" is "
                          "\"STATUS#?paid\" for 60% of the items; all entries of one value "
                          "share 1,000 WCU/s and 3,000 RCU/s\n"));
    assert_null(strstr(buf_cstr(&out), "throttled"));
    buf_release(&out);
}

static void test_many_values_are_not(void **state)
{
    (void)state;
    struct forecast f = forecast(7, 1000, false);
    struct rehearse_spread s = spread(1000, 900, 5), none = {0};
    struct buf out;
    buf_init(&out, 65536);
    forecast_spread(&f, &s, &out);
    assert_null(strstr(buf_cstr(&out), "warning"));
    size_t before = out.len;
    forecast_spread(&f, &none, &out);
    assert_int_equal(out.len, before);
    buf_release(&out);
}

/* 100,000 items of 2 units at 8,000 a second: 25 s, unless the scan of so many units at 10 a second
 * takes longer. */
static struct forecast busy(double read_units)
{
    struct forecast f;
    struct scan_facts s = facts(7);
    struct rehearse_entity e = entity(100000);
    s.units = read_units;
    forecast_init(&f, &s, (struct budget_limits){8000, 8000, 0}, 100000, false);
    forecast_add(&f, &e);
    forecast_finish(&f);
    return f;
}

static void test_a_hot_value_beyond_a_partition(void **state)
{
    (void)state;
    struct forecast f = busy(50), slow = busy(600);
    struct rehearse_spread hot = spread(100000, 50000, 50000);
    struct buf out;
    buf_init(&out, 65536);
    hot.top[0].units = 50000; /* 50,000 units in 25 s */
    forecast_spread(&f, &hot, &out);
    assert_true(has(&out, "would write about 2000 WCU/s for \"STATUS#?paid\" in \"GSI1PK\" of "
                          "index \"GSI1\", and be throttled"));
    buf_clear(&out);
    forecast_spread(&slow, &hot, &out); /* in 60 s */
    assert_null(strstr(buf_cstr(&out), "throttled"));
    buf_release(&out);
}

static void test_a_small_share_may_be_too_much(void **state)
{
    (void)state;
    struct forecast f = busy(50);
    struct rehearse_spread s = spread(100000, 50000, 5000);
    struct buf out;
    buf_init(&out, 65536);
    s.top[0].units = 30000; /* 5,000 entries of 6 KB in 25 s */
    forecast_spread(&f, &s, &out);
    assert_null(strstr(buf_cstr(&out), "hot partition"));
    assert_true(has(&out, "would write about 1200 WCU/s for"));
    buf_clear(&out);
    s.top[0].units = 25000; /* as many as it takes */
    forecast_spread(&f, &s, &out);
    assert_null(strstr(buf_cstr(&out), "throttled"));
    s.top[0].units = 0; /* right already, or no index yet */
    forecast_spread(&f, &s, &out);
    assert_null(strstr(buf_cstr(&out), "throttled"));
    buf_release(&out);
}

static void test_an_entity_has_its_part_of_the_costs(void **state)
{
    (void)state;
    struct forecast f = busy(50);
    struct rehearse_entity e = {.units = {1600000, 400000}};
    struct buf out;
    buf_init(&out, 65536);
    forecast_entity(&f, &e, &out); /* two million at 0.625 of a millionth */
    assert_true(has(&out, "cost                         about USD 1.25 on demand, 200 s of the "
                          "write budget\n"));
    buf_release(&out);
}

static void test_indexes_short_of_capacity(void **state)
{
    (void)state;
    struct forecast f = forecast(7, 1000, false);
    struct buf out;
    buf_init(&out, 65536);
    forecast_indexes(&f, &out);
    assert_true(
        has(&out, "warning: index \"GSI1\" takes 5 WCU/s, fewer than the budget of 20"));
    buf_clear(&out);
    f.writes.start = 5;
    forecast_indexes(&f, &out);
    assert_int_equal(out.len, 0);
    buf_release(&out);
}

static void test_failures_in_words(void **state)
{
    (void)state;
    struct rehearse_entity e = {.nreasons = 3, .long_keys = 5};
    struct buf out;
    e.reasons[0] = (struct rehearse_reason){.reason = "item-too-large", .count = 2};
    e.reasons[1] = (struct rehearse_reason){.reason = "missing-input", .count = 3};
    e.reasons[2] = (struct rehearse_reason){.reason = "empty-key", .count = 4};
    buf_init(&out, 65536);
    forecast_failures(&e, &out);
    assert_string_equal(
        buf_cstr(&out),
        "  warning: 2 items would fail: items that would pass 400 KB\n"
        "  warning: 4 items would fail: empty strings as index keys\n"
        "  warning: 5 items would carry keys longer than the index to come takes\n");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_items_read),
        cmocka_unit_test(test_a_sample_is_extrapolated),
        cmocka_unit_test(test_reading_may_take_longer_than_writing),
        cmocka_unit_test(test_few_values_are_warned_of),
        cmocka_unit_test(test_many_values_are_not),
        cmocka_unit_test(test_a_hot_value_beyond_a_partition),
        cmocka_unit_test(test_a_small_share_may_be_too_much),
        cmocka_unit_test(test_an_entity_has_its_part_of_the_costs),
        cmocka_unit_test(test_indexes_short_of_capacity),
        cmocka_unit_test(test_failures_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
