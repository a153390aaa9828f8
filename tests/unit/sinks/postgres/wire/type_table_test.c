/* SPDX-License-Identifier: MIT */
/* The server's side of the type table: every row is there, and what it writes it can read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/binary.h"
#include "sinks/postgres/wire/type_table.h"

static void test_row_is_complete(void **state)
{
    (void)state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        assert_true(pg_types[t].oid > 0);
        assert_true(pg_types[t].put && pg_types[t].get);
        assert_int_equal(pg_types[t].json.before != NULL, pg_types[t].json.after != NULL);
        assert_int_equal(pg_types[t].from.before != NULL, pg_types[t].from.after != NULL);
        for (enum col_type other = COL_TEXT; other < t; other++)
            assert_int_not_equal(pg_types[t].oid, pg_types[other].oid);
    }
}

/* A cell of zero bytes, or without elements, or "1": each type has one of these. */
static struct datum small_cell(enum col_type type)
{
    struct datum d = {.state = DATUM_VALUE};
    if (column_types[type].bytes == 0 && column_types[type].array.set == VAL_MISSING)
        d.u.text = STR("1");
    return d;
}

static void test_value_is_as_wide_as_the_row_says_and_reads_back(void **state)
{
    (void)state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        struct datum d = small_cell(t), back;
        struct arena a;
        struct buf b;
        struct err err = {0};
        arena_init(&a, 4096);
        buf_init(&b, 4096);
        assert_int_equal(pg_binary_cell(&b, t, &d, &err), RC_OK);
        assert_true(b.len > 4);
        if (column_types[t].bytes > 0)
            assert_int_equal(b.len, 4 + column_types[t].bytes);
        struct str field = str_make(b.p + 4, b.len - 4);
        assert_int_equal(pg_binary_read(t, field, &a, &back, &err), RC_OK);
        assert_int_equal(datum_cmp(t, &d, &back), 0);
        if (column_types[t].bytes > 0) {
            field.n--;
            assert_int_equal(pg_binary_read(t, field, &a, &back, &err), RC_DATA);
        }
        buf_release(&b);
        arena_release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_is_complete),
        cmocka_unit_test(test_value_is_as_wide_as_the_row_says_and_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
