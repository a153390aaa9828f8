/* SPDX-License-Identifier: MIT */
/* The type table: every row says all that others ask of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/item/cast/column_type.h"

static void test_row_is_complete(void **state)
{
    (void)state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        const struct column_type *c = &column_types[t];
        assert_non_null(c->name);
        assert_true(c->cast && c->json && c->cmp);
        assert_int_equal(c->spells != NULL, column_type_has(t, COLUMN_PART));
        assert_int_equal(c->bytes == 0, c->stored != NULL);
        assert_int_equal(c->bytes == 0, c->align == 0);
        assert_null(c->aliases[COLUMN_ALIASES - 1]);
        assert_true(!column_type_has(t, COLUMN_NUMBER) || column_type_has(t, COLUMN_PART));
        assert_true(!column_type_has(t, COLUMN_WIDTH) || c->most > 0);
        if (c->array.set != VAL_MISSING)
            assert_int_equal(column_types[c->array.element].array.set, VAL_MISSING);
    }
}

static void test_parse_knows_every_name(void **state)
{
    (void)state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        enum col_type back = COL_TYPES;
        assert_true(column_type_parse(str_of(column_type_name(t)), &back));
        assert_int_equal(back, t);
    }
    enum col_type none;
    assert_false(column_type_parse(STR("varchar"), &none));
    assert_false(column_type_parse(STR(""), &none));
}

static void test_suggest_turns_each_alias_into_a_name(void **state)
{
    (void)state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        for (const char *const *a = column_types[t].aliases; *a; a++)
            assert_string_equal(column_type_suggest(str_of(*a)), column_type_name(t));
    }
    assert_null(column_type_suggest(STR("text")));
    assert_null(column_type_suggest(STR("")));
}

static void expect_list(unsigned traits, const char *last, const char *want)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    column_type_list(&b, traits, last);
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

static void test_list_joins_those_with_a_trait(void **state)
{
    (void)state;
    expect_list(COLUMN_UNIT, " or ", "timestamp or timestamptz");
    expect_list(COLUMN_WIDTH, " and ", "integer and bigint");
    expect_list(COLUMN_NUMBER, " and ", "integer, bigint and numeric");
    expect_list(COLUMN_UNIT | COLUMN_WIDTH, ", ", "");
}

static void test_spells_takes_one_spelling(void **state)
{
    (void)state;
    assert_true(column_type_spells(COL_TEXT, 0, STR("")));
    assert_true(column_type_spells(COL_INTEGER, 0, STR("-2147483648")));
    assert_false(column_type_spells(COL_INTEGER, 0, STR("2147483648")));
    assert_true(column_type_spells(COL_BIGINT, 0, STR("-9223372036854775808")));
    assert_false(column_type_spells(COL_BIGINT, 0, STR("9223372036854775808")));
    assert_true(column_type_spells(COL_BIGINT, 3, STR("007")));
    assert_false(column_type_spells(COL_BIGINT, 0, STR("007")));
    assert_false(column_type_spells(COL_NUMERIC, 0, STR("1.0")));
    assert_false(column_type_spells(COL_BOOLEAN, 0, STR("True")));
    assert_false(column_type_spells(COL_DATE, 0, STR("2024-02-30")));
    assert_false(column_type_spells(COL_TIMESTAMPTZ, 0, STR("2024-01-01T00:00:00.0Z")));
    assert_false(column_type_spells(COL_UUID, 0, STR("0123456789ABCDEF0123456789abcdef0123")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_is_complete),
        cmocka_unit_test(test_parse_knows_every_name),
        cmocka_unit_test(test_suggest_turns_each_alias_into_a_name),
        cmocka_unit_test(test_list_joins_those_with_a_trait),
        cmocka_unit_test(test_spells_takes_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
