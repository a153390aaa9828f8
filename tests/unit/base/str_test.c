/* SPDX-License-Identifier: MIT */
/* Views: comparing, searching, globs, digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/str.h"

static void test_compare_by_bytes_shorter_first(void **state)
{
    (void)state;
    assert_true(str_cmp(STR("a"), STR("b")) < 0);
    assert_true(str_cmp(STR("b"), STR("a")) > 0);
    assert_true(str_cmp(STR("a"), STR("ab")) < 0);
    assert_true(str_cmp(STR("ab"), STR("a")) > 0);
    assert_int_equal(str_cmp(STR("a\0b"), STR("a\0b")), 0);
    assert_true(str_cmp(STR("\x7f"), STR("\x80")) < 0);
    assert_int_equal(str_cmp((struct str){NULL, 0}, STR("")), 0);
}

static void test_equality_counts_every_byte(void **state)
{
    (void)state;
    assert_true(str_eq(STR("a\0b"), STR("a\0b")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
    assert_false(str_eq(STR("a"), STR("ab")));
    assert_true(str_eq((struct str){NULL, 0}, STR("")));
    assert_true(str_is(STR("name"), "name"));
    assert_false(str_is(STR("name"), "nam"));
    assert_int_equal(str_of(NULL).n, 0);
}

/* In memory of exactly that size, so that the sanitizer sees a byte too many. */
static void test_every_length_is_compared_and_copied_whole(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 70; n++) {
        char *a = malloc(n + 1), *b = malloc(n + 1);
        assert_non_null(a);
        assert_non_null(b);
        for (size_t i = 0; i < n; i++)
            a[i] = (char)('A' + i);
        assert_ptr_equal(str_put(b + 1, a, n) - n, b + 1);
        memmove(b, b + 1, n);
        assert_memory_equal(a, b, n);
        assert_true(str_eq(str_make(a, n), str_make(b, n)));
        for (size_t i = 0; i < n; i++) {
            b[i] ^= 1;
            assert_false(str_eq(str_make(a, n), str_make(b, n)));
            b[i] ^= 1;
        }
        free(a);
        free(b);
    }
}

static void test_starts_and_ends(void **state)
{
    (void)state;
    assert_true(str_starts(STR("CUSTOMER#1"), STR("CUSTOMER#")));
    assert_false(str_starts(STR("CUST"), STR("CUSTOMER#")));
    assert_true(str_ends(STR("data.json.gz"), STR(".gz")));
    assert_false(str_ends(STR("gz"), STR(".gz")));
    assert_true(str_starts(STR("x"), STR("")));
    assert_true(str_ends((struct str){NULL, 0}, STR("")));
    assert_true(str_is(str_from(STR("abc"), 1), "bc"));
}

static void test_find_from_a_place(void **state)
{
    (void)state;
    struct str s = STR("a#b#c");
    assert_int_equal(str_find(s, STR("#"), 0), 1);
    assert_int_equal(str_find(s, STR("#"), 2), 3);
    assert_int_equal(str_find(s, STR("#"), 4), s.n);
    assert_int_equal(str_find(s, STR("#c"), 0), 3);
    assert_int_equal(str_find(s, STR("a#b#c#"), 0), s.n);
    assert_int_equal(str_find(s, STR("a"), 99), s.n);
    assert_int_equal(str_find(s, STR(""), 0), s.n);
}

static void expect_glob(const char *text, const char *glob, bool want)
{
    if (str_glob(str_of(text), str_of(glob)) != want)
        fail_msg("\"%s\" %s \"%s\"", text, want ? "does not match" : "matches", glob);
}

static void test_glob_matches_the_whole(void **state)
{
    (void)state;
    expect_glob("GSI1PK", "GSI*", true);
    expect_glob("GSI", "GSI*", true);
    expect_glob("xGSI", "GSI*", false);
    expect_glob("", "", true);
    expect_glob("", "*", true);
    expect_glob("", "?", false);
    expect_glob("a", "", false);
    expect_glob("abc", "a?c", true);
    expect_glob("ac", "a?c", false);
    expect_glob("MOVIE#1#ACTOR#2", "MOVIE#*#ACTOR#*", true);
    expect_glob("aXbXc", "a*b*c", true);
    expect_glob("aXbXcd", "a*b*c", false);
    expect_glob("aaab", "*ab", true);
    expect_glob("ab", "ab**", true);
}

static void test_glob_quotes_with_a_backslash(void **state)
{
    (void)state;
    expect_glob("a*b", "a\\*b", true);
    expect_glob("axb", "a\\*b", false);
    expect_glob("a?", "a\\?", true);
    expect_glob("ab", "a\\?", false);
    expect_glob("a\\", "a\\", true);
    expect_glob("x*y*", "*\\*", true);
    expect_glob("x*y", "*\\*", false);
}

static void test_uint_takes_digits_only(void **state)
{
    (void)state;
    unsigned long long v = 7;
    assert_true(str_uint(STR("0"), &v));
    assert_true(v == 0);
    assert_true(str_uint(STR("18446744073709551615"), &v));
    assert_true(v == UINT64_MAX);
    v = 7;
    assert_false(str_uint(STR("18446744073709551616"), &v));
    assert_false(str_uint(STR("99999999999999999999"), &v));
    assert_false(str_uint(STR(""), &v));
    assert_false(str_uint(STR("-1"), &v));
    assert_false(str_uint(STR("1 "), &v));
    assert_true(v == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare_by_bytes_shorter_first),
        cmocka_unit_test(test_equality_counts_every_byte),
        cmocka_unit_test(test_every_length_is_compared_and_copied_whole),
        cmocka_unit_test(test_starts_and_ends),
        cmocka_unit_test(test_find_from_a_place),
        cmocka_unit_test(test_glob_matches_the_whole),
        cmocka_unit_test(test_glob_quotes_with_a_backslash),
        cmocka_unit_test(test_uint_takes_digits_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
