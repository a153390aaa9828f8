/* SPDX-License-Identifier: MIT */
/* Folder names made of hostile table names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/jsonl/file_name.h"

static void check(struct str table, const char *want)
{
    char out[JSONL_NAME];
    jsonl_name(table, out);
    assert_string_equal(out, want);
}

static void test_plain_names_stay_when_safe(void **state)
{
    (void)state;
    check(STR("customer"), "customer");
    check(STR("Order_Line-2.v1"), "Order_Line-2.v1");
    check(STR("rejects2"), "rejects2");
}

static void test_names_are_quoted_when_not_safe(void **state)
{
    (void)state;
    check(STR("../../etc/passwd"), "%2E.%2F..%2Fetc%2Fpasswd");
    check(STR("."), "%2E");
    check(STR(".."), "%2E.");
    check(STR(".renorm"), "%2Erenorm");
    check(STR("a/b"), "a%2Fb");
    check(STR("a%2Fb"), "a%252Fb");
    check(STR("a\0b"), "a%00b");
    check(STR("\xFF\xFE"), "%FF%FE");
    check(STR(" "), "%20");
    check(STR(""), "%");
}

static void test_reserved_names_are_quoted_when_met(void **state)
{
    (void)state;
    check(STR("rejects"), "%72ejects");
    check(STR("unrouted"), "%75nrouted");
    check(STR("manifest.json"), "%6Danifest.json");
    check(STR("manifest.json.new"), "%6Danifest.json.new");
}

static void test_long_names_are_hashed_when_they_do_not_fit(void **state)
{
    (void)state;
    char a[300], b[300], na[JSONL_NAME], nb[JSONL_NAME];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    b[299] = 'y';
    jsonl_name(str_make(a, sizeof a), na);
    jsonl_name(str_make(b, sizeof b), nb);
    assert_true(strlen(na) < 200);
    assert_string_not_equal(na, nb);
    assert_memory_equal(na + 128, "%~", 2);
    jsonl_name(str_make(a, 190), na);
    assert_int_equal(strlen(na), 190);
    memset(a, '/', sizeof a);
    jsonl_name(str_make(a, sizeof a), na);
    assert_null(strchr(na, '/'));
    assert_true(strlen(na) < 200);
}

/* Every name of up to three bytes of an awkward alphabet has a folder of its own. */
static void test_no_two_names_meet_when_all_are_tried(void **state)
{
    (void)state;
    static const char ALPHABET[] = {'a', '.', '%', '/', '2', 'F', '\0', '~', (char)0xC3};
    enum { N = sizeof ALPHABET, ALL = N + N * N + N * N * N };
    static char seen[ALL][JSONL_NAME];
    size_t n = 0;
    for (size_t len = 1; len <= 3; len++) {
        size_t count = len == 1 ? N : len == 2 ? N * N : N * N * N;
        for (size_t i = 0; i < count; i++) {
            char name[3] = {ALPHABET[i % N], ALPHABET[i / N % N], ALPHABET[i / N / N % N]};
            jsonl_name(str_make(name, len), seen[n++]);
        }
    }
    qsort(seen, n, sizeof seen[0], (int (*)(const void *, const void *))strcmp);
    for (size_t i = 1; i < n; i++)
        assert_string_not_equal(seen[i - 1], seen[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_names_stay_when_safe),
        cmocka_unit_test(test_names_are_quoted_when_not_safe),
        cmocka_unit_test(test_reserved_names_are_quoted_when_met),
        cmocka_unit_test(test_long_names_are_hashed_when_they_do_not_fit),
        cmocka_unit_test(test_no_two_names_meet_when_all_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
