/* SPDX-License-Identifier: MIT */
/* The balance sheet of a run that never was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/balance.h"

static struct table tables[] = {{.name = {"customer", sizeof("customer") - 1}},
                                {.name = {"odd \"name\"", sizeof("odd \"name\"") - 1}}};
static struct str notes[] = {
    {"filtered by ttl", sizeof("filtered by ttl") - 1},
    {"null folded: customer.name", sizeof("null folded: customer.name") - 1}};
static const struct schema SCHEMA = {
    .tables = tables, .ntables = 2, .notes = notes, .nnotes = 2};

static struct run_result result(uint64_t *counters, struct table_total *totals)
{
    struct run_result r = {.wall_us = 2000000, .segments = 3};
    r.counters = counters;
    r.report.tables = totals;
    r.state.resumed = true;
    r.state.resumed_items = 4;
    r.report.published = true;
    return r;
}

static void test_sheet_for_people(void **state)
{
    (void)state;
    uint64_t counters[] = {10, 6, 1, 1, 2, 0, 0, 0, 5};
    struct table_total totals[] = {{6, 120, 1}, {0, 0, 0}};
    struct run_result r = result(counters, totals);
    r.report.orphans = 2;
    r.report.conflicts = 1;
    struct reason list[] = {
        {REJECT_ITEM, STR("cast"), STR("customer.age"), 2, STR("letters"), 0, 0},
        {REJECT_UNROUTED, {0}, {0}, 1, {0}, 0, 0},
    };
    struct reasons reasons = {.v = list, .n = 2};
    r.report.reasons = &reasons;
    struct reason lonely[] = {
        {REJECT_ITEM, STR("orders_fkey"), STR("orders"), 2, STR("{\"id\": 1}"), 0, 0}};
    struct reasons orphans = {.v = lonely, .n = 1};
    r.report.orphans_by = &orphans;
    (void)snprintf(r.report.orphans_place, sizeof r.report.orphans_place, "renorm.orphan");
    (void)snprintf(r.report.rejects_place, sizeof r.report.rejects_place, "renorm.reject");
    struct buf out;
    buf_init(&out, 65536);
    balance_print(&SCHEMA, &r, &out);
    assert_string_equal(buf_cstr(&out),
                        "items read                                   10\n"
                        "routed                                        6\n"
                        "filtered                                      1\n"
                        "unrouted                                      1\n"
                        "rejected                                      2\n"
                        "of these before this run                      4\n"
                        "\n"
                        "table                                      rows          bytes\n"
                        "customer                                      6            120\n"
                        "odd \"name\"                                    0              0\n"
                        "\n"
                        "null folded: customer.name                                   5\n"
                        "\n"
                        "rejected: cast, customer.age                                 2\n"
                        "    letters\n"
                        "\n"
                        "unrouted: (no type)                                          1\n"
                        "    see renorm.reject\n"
                        "\n1 value of an extracted copy disagreed, see the _conflict tables\n"
                        "\n2 rows have no parent\n"
                        "no parent: orders_fkey                                       2\n"
                        "    {\"id\": 1}\n"
                        "    see renorm.orphan\n"
                        "\n2.0 s, 3 items/s\n");
    buf_release(&out);
}

static void test_sheet_as_json(void **state)
{
    (void)state;
    uint64_t counters[] = {10, 6, 1, 1, 2, 0, 0, 7, 5};
    struct table_total totals[] = {{6, 120, 1}, {0, 0, 0}};
    struct run_result r = result(counters, totals);
    struct buf out;
    buf_init(&out, 65536);
    balance_json(&SCHEMA, &r, &out);
    const char *text = buf_cstr(&out);
    assert_non_null(strstr(text, ",\"items\":{\"read\":10,\"routed\":6,\"filtered\":1,"
                                 "\"unrouted\":1,\"rejected\":2},"));
    assert_non_null(strstr(text, "\"customer\":{\"rows\":6,\"bytes\":120,\"files\":1},"
                                 "\"odd \\\"name\\\"\":{\"rows\":0,\"bytes\":0,\"files\":0}}"));
    assert_non_null(strstr(text, "\"counted\":{\"filtered by ttl\":7,"
                                 "\"null folded: customer.name\":5}"));
    assert_non_null(strstr(text, "\"published\":true"));
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet_for_people),
        cmocka_unit_test(test_sheet_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
