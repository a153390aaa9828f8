/* SPDX-License-Identifier: MIT */
/* Buffers: growth, the ceiling, sticky failure, integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"

static void test_grows_and_keeps_what_is_there(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    for (int i = 0; i < 1000; i++)
        buf_addf(&b, "%03d,", i);
    assert_int_equal(b.rc, RC_OK);
    assert_int_equal(b.len, 4000);
    assert_memory_equal(b.p, "000,001,", 8);
    assert_string_equal(buf_cstr(&b) + 3992, "998,999,");
    buf_clear(&b);
    assert_string_equal(buf_cstr(&b), "");
    buf_puts(&b, "again");
    buf_putc(&b, '!');
    buf_add_str(&b, STR("\0x"));
    assert_true(str_eq(buf_view(&b), STR("again!\0x")));
    buf_release(&b);
    assert_int_equal(b.len, 0);
}

static void test_ceiling_holds_to_the_byte(void **state)
{
    (void)state;
    static const size_t ceilings[] = {1, 10, 64, 65, 1000};
    for (size_t i = 0; i < sizeof ceilings / sizeof ceilings[0]; i++) {
        struct buf b;
        buf_init(&b, ceilings[i]);
        for (size_t n = 0; n < ceilings[i]; n++)
            buf_putc(&b, 'x');
        assert_int_equal(b.rc, RC_OK);
        assert_int_equal(strlen(buf_cstr(&b)), ceilings[i]);
        buf_putc(&b, 'x');
        assert_int_equal(b.rc, RC_NOMEM);
        assert_true(b.full);
        assert_int_equal(b.len, ceilings[i]);
        buf_release(&b);
    }
}

static void test_failure_sticks_until_cleared(void **state)
{
    (void)state;
    struct buf b;
    struct err err;
    buf_init(&b, 100);
    buf_puts(&b, "ab");
    assert_int_equal(buf_check(&b, &err), RC_OK);
    buf_addf(&b, "%200d", 1);
    buf_putc(&b, 'c');
    buf_puts(&b, "");
    assert_int_equal(b.len, 2);
    assert_string_equal(buf_cstr(&b), "");
    assert_int_equal(buf_check(&b, &err), RC_NOMEM);
    assert_non_null(strstr(err.msg, "100 bytes"));
    buf_clear(&b);
    buf_putc(&b, 'c');
    assert_string_equal(buf_cstr(&b), "c");
    buf_release(&b);
}

static void test_impossible_sizes_fail(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_putc(&b, 'a');
    assert_false(buf_grow(&b, SIZE_MAX));
    assert_int_equal(b.rc, RC_NOMEM);
    buf_release(&b);
}

static void test_integers_are_big_endian(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_be16(&b, 0x0102);
    buf_be32(&b, 0x03040506);
    assert_true(str_eq(buf_view(&b), STR("\1\2\3\4\5\6")));
    buf_wipe(&b);
    assert_null(b.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_keeps_what_is_there),
        cmocka_unit_test(test_ceiling_holds_to_the_byte),
        cmocka_unit_test(test_failure_sticks_until_cleared),
        cmocka_unit_test(test_impossible_sizes_fail),
        cmocka_unit_test(test_integers_are_big_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
