/* SPDX-License-Identifier: MIT */
/*
 * Readers of rows compared: what is missing, extra and different, with and without keys. The
 * readers hold their rows in memory, so that the interface is used by a third one besides the
 * folder's and the database's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/compare/differences.h"
#include "tests/harness/memory_rows.h"
#include "tests/harness/report_text.h"

static struct column columns[] = {{.name = {"id", 2}, .type = COL_TEXT, .key = true},
                                  {.name = {"v", 1}, .type = COL_TEXT}};
static uint32_t key[] = {0};
static struct table tables[] = {
    {.name = {"keyed", 5}, .columns = columns, .ncolumns = 2, .key = key, .nkey = 1},
    {.name = {"plain", 5}, .columns = columns, .ncolumns = 2}};
static const struct schema SCHEMA = {.tables = tables, .ntables = 2};

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE      ((const char *const[]){NULL})

static const char A1[] = "{\"id\":\"a\",\"v\":\"1\"}", A2[] = "{\"id\":\"a\",\"v\":\"2\"}",
                  B1[] = "{\"id\":\"b\",\"v\":\"1\"}", NO_V[] = "{\"id\":\"a\"}",
                  NULL_V[] = "{\"id\":\"a\",\"v\":null}";

/* What the report was told, and what was counted. */
struct told {
    struct report_text lines;
    struct comparison found;
};

static struct told compare(struct memory_rows *a, struct memory_rows *b, bool all)
{
    struct told told = {.found = {0}};
    struct err err = {0};
    struct compare_report report = report_text(&told.lines, all);
    struct compare_sides sides = {&SCHEMA, memory_rows(a), memory_rows(b), NULL, &report};
    assert_int_equal(compare_sides(&sides, &told.found, &err), RC_OK);
    return told;
}

/* The error that this reader gives, when compared, and what was told until then. */
static struct told expect_failure(struct memory_rows *a, struct memory_rows *b)
{
    struct told told = {.found = {0}};
    struct err err = {0};
    struct compare_report report = report_text(&told.lines, true);
    struct compare_sides sides = {&SCHEMA, memory_rows(a), memory_rows(b), NULL, &report};
    assert_int_equal(compare_sides(&sides, &told.found, &err), RC_SINK);
    assert_string_equal(err.msg, "as asked for");
    return told;
}

static void test_reader_equals_itself(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1, B1), ROWS(A1, A1)}, .rowless = {2, 1}};
    struct told t = compare(&a, &a, true);
    assert_string_equal(t.lines.text, "keyed 2 equal\nplain 2 equal\n");
    assert_int_equal(t.found.differing, 0);
    assert_int_equal(t.found.rows, 4);
    assert_int_equal(a.starts, 4); /* each table once for each side, none again */
}

static void test_equal_sides_in_any_order(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1, B1), ROWS(A1, A1, B1)}};
    struct memory_rows b = {.of = {ROWS(B1, A1), ROWS(A1, B1, A1)}};
    struct told t = compare(&a, &b, true);
    assert_string_equal(t.lines.text, "keyed 2 equal\nplain 3 equal\n");
    assert_int_equal(t.found.differing, 0);
    assert_int_equal(t.found.rows, 5);
    assert_int_equal(t.found.tables, 2);
    assert_int_equal(a.starts, 2); /* equal sides are read once */
    assert_string_equal(compare(&a, &b, false).lines.text, "");
}

static void test_keys_that_differ_are_named(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1, B1), NONE}};
    struct memory_rows b = {.of = {ROWS(A2, "{\"id\":\"c\",\"v\":\"1\"}"), NONE}};
    struct told t = compare(&a, &b, false);
    assert_string_equal(t.lines.text, "keyed different [\"a\"]\n"
                                      "keyed missing [\"b\"]\n"
                                      "keyed extra [\"c\"]\n");
    assert_int_equal(t.found.differing, 3);
    assert_int_equal(a.starts, 3); /* the table that differs once more */
}

static void test_rows_without_a_key_are_the_rows_themselves(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {NONE, ROWS(A1, A1, B1)}};
    struct memory_rows b = {.of = {NONE, ROWS(A1, B1, B1)}};
    struct told t = compare(&a, &b, false);
    assert_int_equal(t.found.differing, 2); /* as many rows, but not the same ones */
    assert_non_null(strstr(t.lines.text, "plain different {\"id\":\"a\",\"v\":\"1\"}\n"));
}

static void test_key_that_stands_twice_differs(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1, B1), NONE}}, b = {.of = {ROWS(A1, B1, A1), NONE}};
    struct told t = compare(&a, &b, false);
    assert_string_equal(t.lines.text, "keyed different [\"a\"]\n");
    assert_int_equal(t.found.differing, 1);
    assert_int_equal(t.found.rows, 3);
}

static void test_reader_that_fails_ends_the_comparison(void **state)
{
    (void)state;
    struct memory_rows good = {.of = {ROWS(A1, B1), NONE}};
    struct memory_rows other = {.of = {ROWS(A2, B1), NONE}};
    struct memory_rows bad = {.of = {ROWS(A1, B1), NONE}, .fail_at = 1};
    assert_string_equal(expect_failure(&bad, &good).lines.text, "");
    bad.lines = 0;
    assert_string_equal(expect_failure(&good, &bad).lines.text, "");
    /* Both sides were read once; the second reading, which looks for the keys, fails. */
    bad.lines = 0;
    bad.fail_at = 3;
    struct told t = expect_failure(&bad, &other);
    assert_string_equal(t.lines.text, "keyed 2 DIFFERENT\n");
    /* The first table is told, the second one is not. */
    good.of[1] = bad.of[1] = ROWS(B1, B1);
    bad.lines = 0;
    t = expect_failure(&good, &bad);
    assert_string_equal(t.lines.text, "keyed 2 equal\n");
}

static void test_null_is_missing_where_a_side_cannot_tell(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(NULL_V), NONE}}, b = {.of = {ROWS(NO_V), NONE}};
    assert_int_equal(compare(&a, &b, false).found.differing, 1);
    b.base.folds_nulls = true;
    assert_int_equal(compare(&a, &b, false).found.differing, 0);
}

static void test_items_without_rows_are_counted(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {NONE, NONE}, .rowless = {3, 1}};
    struct memory_rows b = {.of = {NONE, NONE}, .rowless = {1, 3}};
    struct told t = compare(&a, &b, false);
    assert_string_equal(t.lines.text, "rejected 3 1\nunrouted 1 3\n");
    assert_int_equal(t.found.differing, 2);
    b.rowless = a.rowless;
    t = compare(&a, &b, false);
    assert_int_equal(t.found.differing, 0);
    assert_int_equal(t.found.rejected, 3);
    assert_int_equal(t.found.unrouted, 1);
}

static void test_a_long_list_is_cut(void **state)
{
    (void)state;
    static char text[COMPARE_NAMED + 5][40];
    const char *rows[COMPARE_NAMED + 6] = {NULL};
    for (int i = 0; i < COMPARE_NAMED + 5; i++) {
        (void)snprintf(text[i], sizeof text[i], "{\"id\":\"k%02d\"}", i);
        rows[i] = text[i];
    }
    struct memory_rows a = {.of = {rows, NONE}}, b = {.of = {NONE, NONE}};
    struct told t = compare(&a, &b, false);
    assert_int_equal(t.found.differing, COMPARE_NAMED + 5);
    assert_non_null(strstr(t.lines.text, "keyed missing [\"k19\"]\nkeyed 5 more\n"));
}

static void test_table_that_cannot_be_compared_differs_once(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1, B1), NONE}};
    struct memory_rows b = {.of = {NONE, NONE}, .lacks = {"column \"v\""}};
    struct told t = compare(&a, &b, true);
    assert_string_equal(t.lines.text, "keyed lacks column \"v\"\nplain 0 equal\n");
    assert_int_equal(t.found.differing, 1);
    assert_int_equal(t.found.tables, 2);
}

static void test_rows_of_another_shape_keep_their_key(void **state)
{
    (void)state;
    struct memory_rows a = {.of = {ROWS(A1), NONE}};
    struct memory_rows b = {.of = {ROWS("{\"z\":0,\"v\":\"1\",\"id\":\"a\"}"), NONE}};
    struct told t = compare(&a, &b, false);
    assert_string_equal(t.lines.text, "keyed different [\"a\"]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader_equals_itself),
        cmocka_unit_test(test_equal_sides_in_any_order),
        cmocka_unit_test(test_keys_that_differ_are_named),
        cmocka_unit_test(test_rows_without_a_key_are_the_rows_themselves),
        cmocka_unit_test(test_key_that_stands_twice_differs),
        cmocka_unit_test(test_reader_that_fails_ends_the_comparison),
        cmocka_unit_test(test_null_is_missing_where_a_side_cannot_tell),
        cmocka_unit_test(test_items_without_rows_are_counted),
        cmocka_unit_test(test_a_long_list_is_cut),
        cmocka_unit_test(test_table_that_cannot_be_compared_differs_once),
        cmocka_unit_test(test_rows_of_another_shape_keep_their_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
