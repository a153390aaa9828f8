/* SPDX-License-Identifier: MIT */
/* Keys that a scan may go on from, and circles of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/source/table/scan_keys.h"

static struct dynamodb_schema TABLE = {
    .keys = {{{"PK", 2}, 'S', false}, {{"SK", 2}, 'N', true}}, .n = 2};
static struct dynamodb_schema INDEX = {.keys = {{{"G", 1}, '?', false}, {{"PK", 2}, 'S', true}},
                                       .n = 2};

static enum rc check(bool index, const char *key)
{
    struct scan_keys k;
    struct err err = {0};
    scan_keys_init(&k, &TABLE, index ? &INDEX : NULL);
    enum rc rc = scan_keys_check(&k, str_of(key), &err);
    assert_int_equal(rc != RC_OK, err.msg[0] != '\0');
    return rc;
}

static void test_the_keys_of_table_and_index(void **state)
{
    (void)state;
    assert_int_equal(check(false, "{\"SK\":{\"N\":\"1\"},\"PK\":{\"S\":\"\\u00e9\"}}"), RC_OK);
    assert_int_equal(
        check(true, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"},\"G\":{\"B\":\"AA==\"}}"),
        RC_OK);
}

static void test_what_is_no_key(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "[]",
        "\"next\"",
        "7",
        "true",
        "{}",
        "{\"PK\":{\"S\":\"a\"}}",
        "{\"PK\":{\"S\":\"a\"},\"Sk\":{\"N\":\"1\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":1}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":\"1\"}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\",\"S\":\"1\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"},\"PK\":{\"S\":\"b\"}}",
        "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"},\"G\":{\"S\":\"b\"}}",
        "{\"PK\":{\"S\":\"a\"},",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_equal(check(false, BAD[i]), RC_SOURCE);
    assert_int_equal(check(true, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"}}"), RC_SOURCE);
    assert_int_equal(
        check(true, "{\"PK\":{\"S\":\"a\"},\"SK\":{\"N\":\"1\"},\"G\":{\"BOOL\":true}}"),
        RC_SOURCE);
}

/* Steps until a way of `before` keys and then a circle of `round` is found out; 0: not in time. */
static unsigned found_after(struct scan_circle *t, unsigned before, unsigned round)
{
    struct err err = {0};
    char key[32];
    for (unsigned i = 1; i <= 10 * (before + round); i++) {
        unsigned at = i < before ? i : before + (i - before) % round;
        (void)snprintf(key, sizeof key, "{\"k\":%u}", at);
        enum rc rc = scan_circle_step(t, str_of(key), &err);
        if (rc == RC_SOURCE)
            return i;
        assert_int_equal(rc, RC_OK);
    }
    return 0;
}

static void test_circles_are_found(void **state)
{
    (void)state;
    struct scan_circle t;
    struct err err = {0};
    scan_circle_init(&t, 1 << 20);
    for (unsigned before = 0; before < 40; before++) {
        for (unsigned round = 1; round < 40; round++) {
            assert_int_equal(scan_circle_start(&t, STR(""), &err), RC_OK);
            unsigned at = found_after(&t, before, round);
            unsigned longer = before > round ? before : round;
            assert_true(at > before && at <= 3 * longer + round + 1);
        }
    }
    scan_circle_release(&t);
}

static void test_the_key_it_resumed_from_counts(void **state)
{
    (void)state;
    struct scan_circle t;
    struct err err = {0};
    scan_circle_init(&t, 1 << 20);
    assert_int_equal(scan_circle_start(&t, STR("{\"k\":1}"), &err), RC_OK);
    assert_int_equal(scan_circle_step(&t, STR("{\"k\":1}"), &err), RC_SOURCE);
    scan_circle_release(&t);
}

static void test_a_straight_way_is_none(void **state)
{
    (void)state;
    struct scan_circle t;
    struct err err = {0};
    scan_circle_init(&t, 1 << 20);
    assert_int_equal(scan_circle_start(&t, STR(""), &err), RC_OK);
    for (unsigned i = 0; i < 100000; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "{\"k\":%u}", i);
        assert_int_equal(scan_circle_step(&t, str_of(key), &err), RC_OK);
    }
    scan_circle_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_keys_of_table_and_index),
        cmocka_unit_test(test_what_is_no_key),
        cmocka_unit_test(test_circles_are_found),
        cmocka_unit_test(test_the_key_it_resumed_from_counts),
        cmocka_unit_test(test_a_straight_way_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
