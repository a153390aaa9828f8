/* SPDX-License-Identifier: MIT */
/* Rows at the edge of a page: the widths were tried with a server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/row/row_width.h"

enum { MANY = 1599 };

static struct column columns[MANY];
static struct datum cells[MANY];

static struct table filled(enum col_type type, uint32_t n, uint32_t with_value)
{
    for (uint32_t i = 0; i < n; i++) {
        columns[i] = (struct column){.name = STR("c"), .type = type};
        cells[i] = (struct datum){.state = i < with_value ? DATUM_VALUE : DATUM_MISSING};
    }
    return (struct table){.name = STR("t"), .columns = columns, .ncolumns = n};
}

static void test_few_columns_always_fit(void **state)
{
    (void)state;
    struct table t = filled(COL_TEXT, 300, 0);
    assert_false(row_width_may_burst(&t));
    t = filled(COL_BIGINT, 900, 0);
    assert_false(row_width_may_burst(&t));
    t = filled(COL_BIGINT, 1100, 0);
    assert_true(row_width_may_burst(&t));
    t = filled(COL_TEXT, 400, 0);
    assert_true(row_width_may_burst(&t));
}

static void test_bigints_fill_a_page(void **state)
{
    (void)state;
    /* 24 of header, 8 of position */
    struct table t = filled(COL_BIGINT, 1016, 1016);
    assert_int_equal(row_width_of(&t, cells), ROW_WIDTH_MAX);
    t = filled(COL_BIGINT, 1017, 1017);
    assert_true(row_width_of(&t, cells) > ROW_WIDTH_MAX);
    /* those without a value cost a bit each */
    t = filled(COL_BIGINT, MANY, 10);
    assert_int_equal(row_width_of(&t, cells), 224 + 80 + 8);
}

static void test_long_texts_are_moved_out(void **state)
{
    (void)state;
    struct table t = filled(COL_TEXT, 400, 400);
    for (uint32_t i = 0; i < 400; i++)
        cells[i].u.text = str_make("", 1000);
    assert_int_equal(row_width_of(&t, cells), 24 + 400 * 18 + 8);
    for (uint32_t i = 0; i < 400; i++)
        cells[i].u.text = str_make("", 23);
    assert_int_equal(row_width_of(&t, cells), 24 + 400 * 24 + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_columns_always_fit),
        cmocka_unit_test(test_bigints_fill_a_page),
        cmocka_unit_test(test_long_texts_are_moved_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
