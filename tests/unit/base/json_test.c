/* SPDX-License-Identifier: MIT */
/* JSON text: which bytes are escaped and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/json.h"

static void expect_text(struct str s, const char *want)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    json_add_string(&b, s);
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

static void test_string_escapes_what_it_must(void **state)
{
    (void)state;
    expect_text(STR(""), "\"\"");
    expect_text((struct str){NULL, 0}, "\"\"");
    expect_text(STR("plain / text"), "\"plain / text\"");
    expect_text(STR("\"\\"), "\"\\\"\\\\\"");
    expect_text(STR("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\"");
    expect_text(STR("a\0b\x1f\x7f"), "\"a\\u0000b\\u001f\x7f\"");
    expect_text(STR("\xC3\xBC\xF0\x9F\x8C\x8D"), "\"\xC3\xBC\xF0\x9F\x8C\x8D\"");
}

/* Short and long runs before and behind each escape. */
static void test_string_escapes_at_every_place(void **state)
{
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        for (size_t at = 0; at < n; at++) {
            char text[64], want[80];
            memset(text, 'x', sizeof text);
            memset(want, 'x', sizeof want);
            text[at] = '\n';
            want[0] = '"';
            want[1 + at] = '\\';
            want[2 + at] = 'n';
            want[2 + n] = '"';
            want[3 + n] = '\0';
            expect_text(str_make(text, n), want);
        }
    }
}

static void test_names_are_parted_by_commas(void **state)
{
    (void)state;
    struct buf b;
    bool first = true;
    buf_init(&b, BUF_NO_LIMIT);
    json_add_name(&b, &first, "a");
    buf_putc(&b, '1');
    json_add_name(&b, &first, "b\"");
    buf_putc(&b, '2');
    assert_string_equal(buf_cstr(&b), "\"a\":1,\"b\\\"\":2");
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_string_escapes_what_it_must),
        cmocka_unit_test(test_string_escapes_at_every_place),
        cmocka_unit_test(test_names_are_parted_by_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
