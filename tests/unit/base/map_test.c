/* SPDX-License-Identifier: MIT */
/* Name tables: many keys, replacing, keys with any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/map.h"

static void test_empty_has_nothing(void **state)
{
    (void)state;
    struct map m;
    map_init(&m);
    assert_int_equal(map_get(&m, STR("a")), MAP_NONE);
    map_release(&m);
}

static void test_finds_each_of_many(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    static char names[MANY][8];
    struct map m;
    map_init(&m);
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "k%u", i);
        assert_int_equal(map_put(&m, str_of(names[i]), i), RC_OK);
    }
    assert_int_equal(m.count, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(map_get(&m, str_of(names[i])), i);
    assert_int_equal(map_get(&m, STR("k5000")), MAP_NONE);
    map_release(&m);
}

static void test_put_replaces(void **state)
{
    (void)state;
    struct map m;
    map_init(&m);
    assert_int_equal(map_put(&m, STR("a"), 1), RC_OK);
    assert_int_equal(map_put(&m, STR("a"), 2), RC_OK);
    assert_int_equal(m.count, 1);
    assert_int_equal(map_get(&m, STR("a")), 2);
    map_release(&m);
}

static void test_keys_may_hold_any_byte(void **state)
{
    (void)state;
    struct map m;
    map_init(&m);
    assert_int_equal(map_put(&m, STR("a\0b"), 1), RC_OK);
    assert_int_equal(map_put(&m, STR("a"), 2), RC_OK);
    assert_int_equal(map_put(&m, STR(""), 3), RC_OK);
    assert_int_equal(map_get(&m, STR("a\0b")), 1);
    assert_int_equal(map_get(&m, STR("a")), 2);
    assert_int_equal(map_get(&m, STR("")), 3);
    assert_int_equal(map_get(&m, STR("a\0c")), MAP_NONE);
    map_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_has_nothing),
        cmocka_unit_test(test_finds_each_of_many),
        cmocka_unit_test(test_put_replaces),
        cmocka_unit_test(test_keys_may_hold_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
