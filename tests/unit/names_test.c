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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake_of_one_name),
        cmocka_unit_test(test_snake_joins_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
