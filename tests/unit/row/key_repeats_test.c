/* SPDX-License-Identifier: MIT */
/* Keys that come twice: all are found while there is room, and beyond it those that are looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/row/key_repeats.h"

static uint32_t key[] = {0};
static struct column id = {.name = {"id", 2}, .type = COL_BIGINT};
static struct table orders = {.name = {"orders", 6},
                              .kind = TABLE_ENTITY,
                              .columns = &id,
                              .key = key,
                              .ncolumns = 1,
                              .nkey = 1};
static const struct schema schema = {.tables = &orders, .ntables = 1};

static void add(struct key_repeats *k, int64_t n)
{
    struct datum cell = {.state = DATUM_VALUE, .u.i = n};
    struct row row = {.table = 0, .extract = UINT32_MAX, .cells = &cell};
    assert_int_equal(key_repeats_add(k, &row), RC_OK);
}

static void line_is(const struct key_repeats *k, bool example, const char *want)
{
    struct buf b;
    buf_init(&b, 1000);
    key_repeats_line(k, 0, example, &b);
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

static void test_all_are_found_while_there_is_room(void **state)
{
    (void)state;
    struct key_repeats k;
    struct err err;
    assert_int_equal(key_repeats_init(&k, &schema, 100000, &err), RC_OK);
    for (int64_t i = 0; i < 50000; i++)
        add(&k, i);
    line_is(&k, true, "");
    add(&k, 4711);
    line_is(&k, true,
            "table \"orders\": 1 row has a key that another row has, such as {\"id\":4711}");
    add(&k, 4711);
    add(&k, 17);
    line_is(&k, true,
            "table \"orders\": 3 rows have a key that another row has, such as {\"id\":17}");
    line_is(&k, false, "table \"orders\": 3 rows have a key that another row has");
    key_repeats_release(&k);
}

/* 100,000 keys in room for 4,096, each twice: about so many, whatever the order. */
static void test_more_keys_than_room_are_estimated(void **state)
{
    (void)state;
    struct key_repeats k;
    struct err err;
    struct buf b;
    unsigned long long n = 0;
    assert_int_equal(key_repeats_init(&k, &schema, 4096, &err), RC_OK);
    for (int64_t i = 0; i < 200000; i++)
        add(&k, i % 100000);
    buf_init(&b, 1000);
    key_repeats_line(&k, 0, false, &b);
    assert_int_equal(sscanf(buf_cstr(&b), "table \"orders\": about %llu rows", &n), 1);
    assert_in_range(n, 80000, 120000);
    buf_release(&b);
    key_repeats_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_are_found_while_there_is_room),
        cmocka_unit_test(test_more_keys_than_room_are_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
