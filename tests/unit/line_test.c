/* SPDX-License-Identifier: MIT */
/* Row lines taken apart: members, keys, nulls folded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/line.h"
#include "pipeline/run/candidate.h"

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
    while (line_next(line, &at, &name, &value)) {
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
    assert_false(line_next(STR("{}"), &at, &name, &value));
    assert_false(line_next(STR(""), &at, &name, &value));
}

static void test_nulls_are_folded(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1024);
    line_fold(STR("{\"a\":null,\"b\":\"null\",\"c\":null,\"d\":{\"e\":null}}"), &out);
    assert_string_equal(buf_cstr(&out), "{\"b\":\"null\",\"d\":{\"e\":null}}");
    line_fold(STR("{\"a\":null}"), &out);
    assert_string_equal(buf_cstr(&out), "{}");
    line_fold(STR("{}"), &out);
    assert_string_equal(buf_cstr(&out), "{}");
    buf_release(&out);
}

static void test_key_is_that_of_the_table(void **state)
{
    (void)state;
    struct column columns[] = {{.name = STR("a")}, {.name = STR("b\"")}, {.name = STR("c")}};
    uint32_t order[] = {1, 0};
    struct table t = {.columns = columns, .ncolumns = 3, .key = order, .nkey = 2};
    struct buf key, want;
    buf_init(&key, 1024);
    buf_init(&want, 1024);
    line_key(&t, STR("{\"a\":7,\"b\\\"\":\"x\",\"c\":1}"), &key);
    candidate_key_add(&want, STR("\"x\""));
    candidate_key_add(&want, STR("7"));
    assert_true(str_eq(buf_view(&key), buf_view(&want)));
    line_key(&t, STR("{\"a\":7,\"c\":1}"), &key);
    buf_clear(&want);
    candidate_key_add(&want, STR("null"));
    candidate_key_add(&want, STR("7"));
    assert_true(str_eq(buf_view(&key), buf_view(&want)));
    t.nkey = 0;
    line_key(&t, STR("{\"a\":7}"), &key);
    assert_string_equal(buf_cstr(&key), "{\"a\":7}");
    buf_release(&key);
    buf_release(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_in_order),
        cmocka_unit_test(test_no_members),
        cmocka_unit_test(test_nulls_are_folded),
        cmocka_unit_test(test_key_is_that_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
