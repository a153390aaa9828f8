/* SPDX-License-Identifier: MIT */
/* Gauges as text, and what a later call finds in it. */
#include "cmd/print/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/backfill_balance.h"
#include "cmd/print/balance.h"

static int begin(void **state)
{
    static struct metrics m;
    metrics_init(&m);
    *state = &m;
    return 0;
}

static int end(void **state)
{
    metrics_release(*state);
    return 0;
}

static void test_labels_are_escaped_and_stand_in_every_sample(void **state)
{
    struct metrics *m = *state;
    metrics_label(m, "command", STR("export"));
    metrics_label(m, "sink", STR("a\"b\\c\nd\xff"));
    metrics_begin(m, "x", "what x is");
    metrics_add(m, "table", STR("t"), 9007199254740992.0);
    metrics_add(m, NULL, (struct str){0}, 0.1);
    metrics_one(m, "y", "y", 2);
    assert_string_equal(
        buf_cstr(&m->text),
        "# HELP x what x is\n# TYPE x gauge\n"
        "x{command=\"export\",sink=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\",table=\"t\"} "
        "9007199254740992\n"
        "x{command=\"export\",sink=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 0.10000000000000001\n"
        "# HELP y y\n# TYPE y gauge\n"
        "y{command=\"export\",sink=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 2\n");
}

static void test_an_earlier_number_is_found(void **state)
{
    (void)state;
    struct str text = STR("# HELP t t\nt{command=\"verify\",sink=\"\"} 1\n"
                          "t2{command=\"export\",sink=\"\"} 2\n"
                          "t{command=\"export\",sink=\"} 7\"} nonsense\n"
                          "t{command=\"export\",sink=\"} 7\"} 3.5");
    double n = 0;
    assert_true(metrics_find(text, "t", STR("export"), &n));
    assert_true(n == 3.5);
    assert_true(metrics_find(text, "t", STR("verify"), &n));
    assert_true(n == 1);
    assert_false(metrics_find(text, "t", STR("exp"), &n));
    assert_false(metrics_find(text, "u", STR("export"), &n));
    assert_false(metrics_find((struct str){0}, "t", STR("export"), &n));
}

static void test_units_of_a_live_table_are_there(void **state)
{
    struct metrics *m = *state;
    uint64_t counters[] = {2, 1, 0, 1, 0};
    struct table_total totals[1] = {{0}};
    struct schema none = {.ntables = 0};
    struct run_result r = {.counters = counters,
                           .metered = true,
                           .usage = {.units = 2.5, .throttles = 3, .retries = 4}};
    r.report.tables = totals;
    balance_metrics(&none, &r, m);
    const char *text = buf_cstr(&m->text);
    assert_non_null(strstr(text, "renorm_capacity_units{kind=\"read\"} 2.5\n"));
    assert_non_null(strstr(text, "renorm_throttles{} 3\n"));
    assert_non_null(strstr(text, "renorm_retries{} 4\n"));
}

static void test_a_backfill_counts_what_it_wrote(void **state)
{
    struct metrics *m = *state;
    uint64_t counts[FATES] = {[FATE_CHANGED] = 5};
    struct fill_result r = {
        .counts = counts, .rows = 1, .read = 6, .table_units = 5, .index_units = 1};
    backfill_balance_metrics(&r, m);
    const char *text = buf_cstr(&m->text);
    assert_non_null(strstr(text, "renorm_items{fate=\"read\"} 6\n"));
    assert_non_null(strstr(text, "renorm_items{fate=\"changed\"} 5\n"));
    assert_non_null(strstr(text, "renorm_capacity_units{kind=\"write\"} 5\n"
                                 "renorm_capacity_units{kind=\"index_write\"} 1\n"
                                 "renorm_capacity_units{kind=\"read\"} 0\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_labels_are_escaped_and_stand_in_every_sample,
                                        begin, end),
        cmocka_unit_test(test_an_earlier_number_is_found),
        cmocka_unit_test_setup_teardown(test_units_of_a_live_table_are_there, begin, end),
        cmocka_unit_test_setup_teardown(test_a_backfill_counts_what_it_wrote, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
