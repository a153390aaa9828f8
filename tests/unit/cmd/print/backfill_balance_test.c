/* SPDX-License-Identifier: MIT */
/* The balance sheet of a backfill that never was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/backfill_balance.h"

static struct model MODEL; /* of two entities */

static int make_model(void **state)
{
    (void)state;
    MODEL.nentities = 2;
    MODEL.entities = calloc(2, sizeof *MODEL.entities);
    if (!MODEL.entities)
        return -1;
    MODEL.entities[0].name = STR("Order");
    MODEL.entities[1].name = STR("odd \"name\"");
    return 0;
}

static int free_model(void **state)
{
    (void)state;
    free(MODEL.entities);
    return 0;
}

/* changed, already, skipped, filtered, unrouted, conflicted, failed */
static uint64_t COUNTS[3][FATES] = {
    {6, 1, 2, 0, 0, 1, 0}, {0, 3, 0, 4, 0, 0, 0}, {0, 0, 0, 0, 5, 0, 2}};

static struct fill_result result(void)
{
    return (struct fill_result){.counts = COUNTS[0],
                                .rows = 3,
                                .read = 24,
                                .resumed_items = 4,
                                .table_units = 12,
                                .index_units = 7.5,
                                .read_units = 3,
                                .throttles = 1,
                                .retries = 2,
                                .wall_us = 2000000,
                                .segments = 8};
}

static void test_sheet_for_people(void **state)
{
    (void)state;
    struct fill_result r = result();
    struct buf out;
    buf_init(&out, 65536);
    backfill_balance_print(&MODEL, &r, &out);
    assert_string_equal(
        buf_cstr(&out),
        "items read                                   24\n"
        "changed                                       6\n"
        "already right                                 4\n"
        "skipped                                       2\n"
        "filtered                                      4\n"
        "unrouted                                      5\n"
        "changed by others                             1\n"
        "failed                                        2\n"
        "of these before this run                      4\n"
        "\n"
        "entity                          items     changed     already     skipped    filtered "
        "  "
        "by others      failed\n"
        "Order                              10           6           1           2           0 "
        "  "
        "        1           0\n"
        "odd \"name\"                          7           0           3           0           "
        "4           0           0\n"
        "(no entity)                         2           0           0           0           0 "
        "  "
        "        0           2\n"
        "\n12.0 write units of the table, 7.5 of its indexes, 1 throttles, 2 retries\n"
        "3.0 read units\n"
        "\n2.0 s, 10 items/s\n");
    buf_release(&out);
}

static void test_sheet_as_json(void **state)
{
    (void)state;
    struct fill_result r = result();
    struct buf out;
    buf_init(&out, 65536);
    backfill_balance_json(&MODEL, &r, "\"dry_run\":true", &out);
    assert_string_equal(
        buf_cstr(&out),
        ",\"items\":{\"read\":24,\"changed\":6,\"already\":4,\"skipped\":2,\"filtered\":4,"
        "\"unrouted\":5,\"conflicted\":1,\"failed\":2},\"entities\":{\"Order\":{\"read\":10,"
        "\"changed\":6,\"already\":1,\"skipped\":2,\"filtered\":0,\"unrouted\":0,"
        "\"conflicted\":1,\"failed\":0},\"odd \\\"name\\\"\":{\"read\":7,\"changed\":0,"
        "\"already\":3,\"skipped\":0,\"filtered\":4,\"unrouted\":0,\"conflicted\":0,"
        "\"failed\":0}},\"units\":{\"table\":12.0,\"index\":7.5,\"read\":3.0},\"throttles\":1,"
        "\"retries\":2,\"seconds\":2.000,\"segments\":8,\"resumed_items\":4,"
        "\"dry_run\":true");
    buf_release(&out);
}

static void test_undo(void **state)
{
    (void)state;
    struct undo_result r = {.intents = 9,
                            .restored = 5,
                            .already = 2,
                            .conflicted = 1,
                            .failed = 1,
                            .table_units = 5,
                            .index_units = 1.5,
                            .retries = 3,
                            .wall_us = 1500000};
    struct buf out;
    buf_init(&out, 65536);
    backfill_undo_print(&r, &out);
    assert_string_equal(
        buf_cstr(&out),
        "changes in the journal                        9\n"
        "put back                                      5\n"
        "already as before                             2\n"
        "changed by others since                       1\n"
        "failed                                        1\n"
        "\n5.0 write units of the table, 1.5 of its indexes, 0 throttles, 3 retries\n"
        "\n1.5 s\n");
    buf_clear(&out);
    backfill_undo_json(&r, &out);
    assert_string_equal(
        buf_cstr(&out),
        ",\"undo\":{\"intents\":9,\"restored\":5,\"already\":2,\"conflicted\":1,\"failed\":1},"
        "\"units\":{\"table\":5.0,\"index\":1.5},\"throttles\":0,\"retries\":3,"
        "\"seconds\":1.500");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet_for_people),
        cmocka_unit_test(test_sheet_as_json),
        cmocka_unit_test(test_undo),
    };
    return cmocka_run_group_tests(tests, make_model, free_model);
}
