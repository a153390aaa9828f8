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

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/sheet.h"

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
        {REJECT_ITEM, STR("cast"), 2, STR("letters"), 0, 0},
        {REJECT_UNROUTED, {0}, 1, {0}, 0, 0},
    };
    struct reasons reasons = {.v = list, .n = 2};
    r.report.reasons = &reasons;
    struct buf out;
    buf_init(&out, 65536);
    sheet_print(&SCHEMA, &r, &out);
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
                        "rejected: cast                                               2\n"
                        "    letters\n"
                        "\n"
                        "unrouted: (no type)                                          1\n"
                        "\n1 value of an extracted copy disagreed, see the _conflict tables\n"
                        "\n2 rows have no parent\n"
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
    sheet_json(&SCHEMA, &r, RC_FINISHED_BAD, &out);
    const char *text = buf_cstr(&out);
    assert_non_null(strstr(text, "{\"items\":{\"read\":10,\"routed\":6,\"filtered\":1,"
                                 "\"unrouted\":1,\"rejected\":2},"));
    assert_non_null(strstr(text, "\"customer\":{\"rows\":6,\"bytes\":120,\"files\":1},"
                                 "\"odd \\\"name\\\"\":{\"rows\":0,\"bytes\":0,\"files\":0}}"));
    assert_non_null(strstr(text, "\"counted\":{\"filtered by ttl\":7,"
                                 "\"null folded: customer.name\":5}"));
    assert_non_null(strstr(text, "\"published\":true"));
    assert_non_null(strstr(text, "\"ok\":false"));
    buf_clear(&out);
    sheet_json(&SCHEMA, &r, RC_OK, &out);
    assert_non_null(strstr(buf_cstr(&out), "\"ok\":true"));
    buf_release(&out);
}

static void test_writing_replaces_in_one_step(void **state)
{
    (void)state;
    char path[] = "/tmp/renorm-sheet-XXXXXX";
    char got[16] = "";
    struct err err = {0};
    struct buf text;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    buf_init(&text, 1024);
    buf_puts(&text, "{}\n");
    assert_int_equal(sheet_write(path, &text, &err), RC_OK);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(got, 1, sizeof got - 1, f), 3);
    (void)fclose(f);
    assert_string_equal(got, "{}\n");
    (void)unlink(path);
    assert_int_equal(sheet_write("/nonexistent/folder/x", &text, &err), RC_TRANSIENT);
    assert_non_null(strstr(err.msg, "cannot write \"/nonexistent/folder/x\""));
    buf_release(&text);
}

static void test_a_place_that_cannot_be_written_is_known_before(void **state)
{
    (void)state;
    char path[] = "/tmp/renorm-sheet-XXXXXX";
    struct err err = {0};
    assert_non_null(mkdtemp(path));
    assert_int_equal(sheet_writable("/nonexistent/folder/x", &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "hint: "));
    assert_int_equal(sheet_writable(path, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "it is a folder"));
    struct buf name;
    buf_init(&name, 1024);
    buf_addf(&name, "%s/sum.json", path);
    assert_int_equal(sheet_writable(buf_cstr(&name), &err), RC_OK);
    buf_release(&name);
    assert_int_equal(rmdir(path), 0); /* it left nothing behind */
}

static void test_what_is_no_file_is_not_replaced(void **state)
{
    (void)state;
    char dir[] = "/tmp/renorm-sheet-XXXXXX";
    char got[8] = "";
    struct err err = {0};
    struct buf text, name;
    assert_non_null(mkdtemp(dir));
    buf_init(&text, 1024);
    buf_init(&name, 1024);
    buf_puts(&text, "{}\n");
    buf_addf(&name, "%s/pipe", dir);
    assert_int_equal(mkfifo(buf_cstr(&name), 0600), 0);
    int fd = open(buf_cstr(&name), O_RDWR | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(sheet_writable(buf_cstr(&name), &err), RC_OK);
    assert_int_equal(sheet_write(buf_cstr(&name), &text, &err), RC_OK);
    assert_int_equal(read(fd, got, sizeof got), 3);
    assert_string_equal(got, "{}\n");
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(buf_cstr(&name)), 0);
    assert_int_equal(rmdir(dir), 0);
    buf_release(&name);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet_for_people),
        cmocka_unit_test(test_sheet_as_json),
        cmocka_unit_test(test_writing_replaces_in_one_step),
        cmocka_unit_test(test_a_place_that_cannot_be_written_is_known_before),
        cmocka_unit_test(test_what_is_no_file_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
