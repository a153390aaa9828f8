/* SPDX-License-Identifier: MIT */
/* Row lines taken apart: members, cells, keys, nulls folded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/row/reduce/candidate.h"
#include "pipeline/row/row_line.h"

static void test_members_in_order(void **state)
{
    (void)state;
    static const char *const WANT[][2] = {{"\"a\"", "1"},
                                          {"\"b,}\"", "\"x\\\",}\""},
                                          {"\"c\"", "{\"d\":[1,{\"e\":\"]\"}],\"f\":{}}"},
                                          {"\"g\"", "null"}};
    struct str line = STR(
        "{\"a\":1,\"b,}\":\"x\\\",}\",\"c\":{\"d\":[1,{\"e\":\"]\"}],\"f\":{}},\"g\":null}");
    struct str name, value;
    size_t at = 0, n = 0;
    while (row_line_next(line, &at, &name, &value)) {
        assert_in_range(n, 0, 3);
        assert_true(str_is(name, WANT[n][0]));
        assert_true(str_is(value, WANT[n][1]));
        n++;
    }
    assert_int_equal(n, 4);
}

static void test_no_members(void **state)
{
    (void)state;
    struct str name, value;
    size_t at = 0;
    assert_false(row_line_next(STR("{}"), &at, &name, &value));
    assert_false(row_line_next(STR(""), &at, &name, &value));
}

static void test_nulls_are_folded(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1024);
    row_line_fold(STR("{\"a\":null,\"b\":\"null\",\"c\":null,\"d\":{\"e\":null}}"), &out);
    assert_string_equal(buf_cstr(&out), "{\"b\":\"null\",\"d\":{\"e\":null}}");
    row_line_fold(STR("{\"a\":null}"), &out);
    assert_string_equal(buf_cstr(&out), "{}");
    row_line_fold(STR("{}"), &out);
    assert_string_equal(buf_cstr(&out), "{}");
    buf_release(&out);
}

static struct column columns[] = {{.name = {"a", 1}}, {.name = {"b\"", 2}}, {.name = {"c", 1}}};
static uint32_t order[] = {1, 0};
static const struct table TABLE = {.columns = columns, .ncolumns = 3, .key = order, .nkey = 2};

struct split {
    struct row_line row;
    struct buf key;
    bool whole, has_key;
};

static void split(struct split *s, const struct table *t, struct str line)
{
    struct err err = {0};
    assert_int_equal(row_line_init(&s->row, t, &err), RC_OK);
    buf_init(&s->key, 1024);
    s->whole = row_line_split(&s->row, line);
    s->has_key = row_line_key(&s->row, &s->key);
}

static void release(struct split *s)
{
    row_line_release(&s->row);
    buf_release(&s->key);
}

static void test_line_is_cut_into_cells_and_joined(void **state)
{
    (void)state;
    const struct str LINES[] = {
        STR("{\"a\":7,\"b\\\"\":\"x,}\\\"\",\"c\":{\"a\":[1,\"]\"]}}"),
        STR("{\"b\\\"\":null}"),
        STR("{}"),
    };
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        struct split s;
        struct buf again;
        buf_init(&again, 1024);
        split(&s, &TABLE, LINES[i]);
        assert_true(s.whole);
        row_line_join(&s.row, s.row.cells, &again);
        assert_true(str_eq(buf_view(&again), LINES[i]));
        buf_release(&again);
        release(&s);
    }
}

static void expect_key(const struct table *t, struct str line, const char *const cells[2],
                       bool whole, bool has_key)
{
    struct split s;
    struct buf want;
    buf_init(&want, 1024);
    for (size_t i = 0; i < 2; i++)
        candidate_key_add(&want, str_of(cells[i]));
    split(&s, t, line);
    assert_int_equal(s.whole, whole);
    assert_int_equal(s.has_key, has_key);
    assert_true(str_eq(buf_view(&s.key), buf_view(&want)));
    buf_release(&want);
    release(&s);
}

static void test_key_is_that_of_the_table(void **state)
{
    (void)state;
    static const char *const BOTH[] = {"\"x\"", "7"}, *const ONE[] = {"null", "7"},
                             *const NONE[] = {"null", "null"};
    expect_key(&TABLE, STR("{\"a\":7,\"b\\\"\":\"x\",\"c\":1}"), BOTH, true, true);
    expect_key(&TABLE, STR("{\"a\":7,\"c\":1}"), ONE, true, false);
    expect_key(&TABLE, STR("{}"), NONE, true, false);
}

static void test_other_lines_are_no_rows_but_give_what_they_name(void **state)
{
    (void)state;
    static const char *const BOTH[] = {"\"x\"", "7"}, *const NONE[] = {"null", "null"};
    /* in another order; with members that the table lacks, before and behind */
    expect_key(&TABLE, STR("{\"b\\\"\":\"x\",\"a\":7}"), BOTH, false, true);
    expect_key(&TABLE, STR("{\"z\":{},\"a\":7,\"b\\\"\":\"x\"}"), BOTH, false, true);
    expect_key(&TABLE, STR("{\"a\":7,\"b\\\"\":\"x\",\"aa\":1}"), BOTH, false, true);
    expect_key(&TABLE, STR(""), NONE, false, false);
    expect_key(&TABLE, STR("{\"a"), NONE, false, false);
    expect_key(&TABLE, STR("{\"a\""), NONE, false, false);
    expect_key(&TABLE, STR("[7,8]"), NONE, false, false);
}

static void test_table_without_key_has_none(void **state)
{
    (void)state;
    struct table t = TABLE;
    struct split s;
    t.nkey = 0;
    split(&s, &t, STR("{\"a\":7}"));
    assert_true(s.whole);
    assert_false(s.has_key);
    assert_int_equal(s.key.len, 0);
    release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_in_order),
        cmocka_unit_test(test_no_members),
        cmocka_unit_test(test_nulls_are_folded),
        cmocka_unit_test(test_line_is_cut_into_cells_and_joined),
        cmocka_unit_test(test_key_is_that_of_the_table),
        cmocka_unit_test(test_other_lines_are_no_rows_but_give_what_they_name),
        cmocka_unit_test(test_table_without_key_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
