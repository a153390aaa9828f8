/* SPDX-License-Identifier: MIT */
/* Decoders of the binary COPY format: canonical values back, malformed fields refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinks/postgres/wire/binary.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 4096);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static void text_is(enum col_type type, struct str field, const char *want)
{
    struct datum d;
    struct err err = {0};
    if (pg_binary_read(type, field, &arena, &d, &err))
        fail_msg("%s: %s", want, err.msg);
    char *got = arena_cstr(&arena, d.u.text);
    assert_string_equal(got, want);
}

static void test_numeric_display_scale_ignored(void **state)
{
    (void)state;
    text_is(COL_NUMERIC, STR("\0\1\0\0\0\0\0\2\0\144"), "100");
    text_is(COL_NUMERIC, STR("\0\0\0\0\0\0\0\5"), "0");
    text_is(COL_NUMERIC, STR("\0\2\0\0\100\0\0\1\0\1\023\210"), "-1.5");
    /* a leading group of zeros, as arithmetic may leave */
    text_is(COL_NUMERIC, STR("\0\2\0\1\0\0\0\0\0\0\0\7"), "7");
    text_is(COL_NUMERIC, STR("\0\0\0\0\300\0\0\0"), "NaN");
}

static void test_jsonb_members_sorted_digits_kept(void **state)
{
    (void)state;
    text_is(COL_JSONB, STR("\1{\"b\": 1.50, \"a\": [1, {\"z\": null, \"y\": \"x\"}]}"),
            "{\"a\":[1,{\"y\":\"x\",\"z\":null}],\"b\":1.5}");
    text_is(COL_JSONB,
            STR("\1"
                "12345678901234567890123456789012345678"),
            "12345678901234567890123456789012345678");
}

static void test_null_is_null(void **state)
{
    (void)state;
    struct datum d;
    struct err err;
    assert_int_equal(pg_binary_read(COL_TEXT, (struct str){NULL, 0}, &arena, &d, &err), RC_OK);
    assert_int_equal(d.state, DATUM_NULL);
    assert_int_equal(pg_binary_read(COL_TEXT, STR(""), &arena, &d, &err), RC_OK);
    assert_int_equal(d.state, DATUM_VALUE);
    assert_int_equal(d.u.text.n, 0);
}

static void test_malformed_refused(void **state)
{
    (void)state;
    static const struct {
        enum col_type type;
        struct str field;
    } cases[] = {
        {COL_INTEGER, {"abc", 3}},
        {COL_UUID, {"abc", 3}},
        {COL_BOOLEAN, {"", 0}},
        {COL_NUMERIC, {"\0\2\0\0\0\0\0\0\0\1", 10}},
        {COL_NUMERIC, {"\0\1\0\0\0\0\0\0\377\377", 10}},
        {COL_JSONB, {"\2{}", 3}},
        {COL_JSONB, {"\1{", 2}},
        {COL_TEXT_ARRAY, {"\0\0\0\1", 4}},
        {COL_TEXT_ARRAY, {"\0\0\0\1\0\0\0\0\0\0\0\31\0\0\0\5\0\0\0\1\0\0\0\1a", 25}},
        {COL_BYTEA_ARRAY, {"\0\0\0\7\0\0\0\0\0\0\0\21\0\0\0\1\0\0\0\1", 20}},
        {COL_BYTEA_ARRAY, {"\0\0\0\2\0\0\0\0\0\0\0\21", 12}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct datum d;
        struct err err;
        assert_int_equal(pg_binary_read(cases[i].type, cases[i].field, &arena, &d, &err),
                         RC_DATA);
    }
}

/* What no export wrote is a difference for verify to tell, not a reason to give up. */
static void test_strangers_are_read(void **state)
{
    (void)state;
    struct datum d;
    struct err err;
    struct str two = {"\0\0\0\2\0\0\0\0\0\0\0\31\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"
                      "\0\0\0\1a",
                      33};
    assert_int_equal(pg_binary_read(COL_TEXT_ARRAY, two, &arena, &d, &err), RC_OK);
    assert_int_equal(d.n, 1);
    assert_int_equal(d.u.array[0].state, DATUM_MISSING); /* which no element of an item is */
    assert_int_equal(pg_binary_read(COL_BYTEA_ARRAY, two, &arena, &d, &err), RC_OK);
    assert_int_equal(d.u.array[0].state, DATUM_MISSING);
    char deep[1 + 2 * 200];
    deep[0] = 1;
    memset(deep + 1, '[', 200);
    memset(deep + 201, ']', 200);
    assert_int_equal(pg_binary_read(COL_JSONB, str_make(deep, sizeof deep), &arena, &d, &err),
                     RC_OK);
    assert_int_equal(d.u.text.n, sizeof deep - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numeric_display_scale_ignored),
        cmocka_unit_test(test_jsonb_members_sorted_digits_kept),
        cmocka_unit_test(test_null_is_null),
        cmocka_unit_test(test_malformed_refused),
        cmocka_unit_test(test_strangers_are_read),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
