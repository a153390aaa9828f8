/* SPDX-License-Identifier: MIT */
/* snake(path): the names columns have when the model gives them none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/model.h"

static void expect(const char *text, const char *want)
{
    struct arena a;
    struct path path;
    arena_init(&a, 0);
    assert_int_equal(path_parse(str_of(text), &a, &path), RC_OK);
    struct str got = name_snake(&a, &path);
    if (!str_is(got, want))
        fail_msg("%s: %.*s, not %s", text, STR_FMT(got), want);
    assert_int_equal(got.p[got.n], 0);
    arena_release(&a);
}

static void test_snake_of_one_name(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"name", "name"},
        {"Name", "name"},
        {"GSI1PK", "gsi1pk"},
        {"HTTPServer", "http_server"},
        {"orderID", "order_id"},
        {"customerName", "customer_name"},
        {"CustomerName", "customer_name"},
        {"addr2Line", "addr2_line"},
        {"addr2LINE", "addr2line"},
        {"A", "a"},
        {"AB", "ab"},
        {"ABc", "a_bc"},
        {"aB", "a_b"},
        {"order-id", "order_id"},
        {"order -- id", "order_id"},
        {"a_b", "a_b"},
        {"a__b", "a__b"},
        {"__typename", "__typename"},
        {"pk#sk", "pk_sk"},
        {"Gr\xc3\xb6\xc3\x9f"
         "e",
         "gr_e"},
        {"x1Y", "x1y"},
        {"x1Yz", "x1_yz"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        expect(CASES[i][0], CASES[i][1]);
}

static void test_snake_joins_members(void **state)
{
    (void)state;
    expect("Address.City", "address_city");
    expect("Address.geoPoint.Lat", "address_geo_point_lat");
    expect("a\\.b.C", "a_b_c");
    expect("Lines.orderID", "lines_order_id");
}

static bool is_listed(const struct names *list, struct str name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (str_eq(list->v[i], name))
            return true;
    }
    return false;
}

/* Every name of at most four bytes of a small alphabet is listed if, and only if, it fits. */
static void test_spellings_are_all_names_with_that_snake_form(void **state)
{
    (void)state;
    static const char LETTERS[] = "aAbB1_-";
    static const char *const COLUMNS[] = {"a",  "ab",   "aba", "abab", "1",   "a1",
                                          "1a", "ab1a", "a1b", "a1ba", "1ab", "b1",
                                          "Ab", "a-b",  "A",   "baba", "a1b1"};
    for (size_t c = 0; c < sizeof COLUMNS / sizeof COLUMNS[0]; c++) {
        struct arena a;
        struct names list;
        size_t found = 0, all = (size_t)7 * 8 * 8 * 8;
        arena_init(&a, 0);
        assert_int_equal(name_spellings(&a, str_of(COLUMNS[c]), &list), RC_OK);
        for (size_t i = 0; i < all; i++) {
            char name[5] = {LETTERS[i % 7]};
            size_t rest = i / 7, n = 1;
            for (; rest % 8; rest /= 8)
                name[n++] = LETTERS[rest % 8 - 1];
            if (rest)
                continue; /* a gap: not a name */
            struct str s = str_make(name, n);
            bool fits = str_is(s, COLUMNS[c]) ||
                        str_is(name_snake(&a, &(struct path){&s, 1}), COLUMNS[c]);
            if (fits != is_listed(&list, s))
                fail_msg("%s and %s", COLUMNS[c], name);
            found += fits;
        }
        assert_int_equal(found, list.n);
        arena_release(&a);
    }
}

static void test_spellings_cannot_be_listed_with_an_underscore(void **state)
{
    (void)state;
    struct arena a;
    struct names list;
    arena_init(&a, 0);
    assert_int_equal(name_spellings(&a, STR("order_id"), &list), RC_NONE);
    assert_int_equal(name_spellings(&a, STR("a1b1c1d1e1f1"), &list), RC_NONE);
    assert_int_equal(name_spellings(&a, STR("Order_Id"), &list), RC_OK);
    assert_int_equal(list.n, 1);
    arena_release(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake_of_one_name),
        cmocka_unit_test(test_snake_joins_members),
        cmocka_unit_test(test_spellings_are_all_names_with_that_snake_form),
        cmocka_unit_test(test_spellings_cannot_be_listed_with_an_underscore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
