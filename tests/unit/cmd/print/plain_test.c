/* SPDX-License-Identifier: MIT */
/* Text from data on a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/print/plain.h"

static void test_text_is_made_plain(void **state)
{
    static const struct {
        const char *text;
        size_t max;
        const char *want;
    } CASES[] = {
        {"abc", 3, "abc"},
        {"", 3, ""},
        {"abcdefgh", 6, "abc..."},
        {"ab\x1b[2J\n\x7f", 20, "ab?[2J??"},
        {"a\xC3\xA9\xC3\xA9", 5, "a\xC3\xA9\xC3\xA9"},
        {"a\xC3\xA9\xC3\xA9\xC3\xA9", 5, "a..."}, /* never half a character */
        {"abcdef", 2, "..."},
        /* marks of direction, and controls of two bytes */
        {"a\xE2\x80\xAE"
         "b\xE2\x81\xA6"
         "c\xD8\x9C"
         "d\xE2\x80\x8F",
         40, "a?b?c?d?"},
        {"\xC2\x9B"
         "2J\xC2\x80\xC2\xA0",
         40, "?2J?\xC2\xA0"},
        {"\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA", 40,
         "\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA"},
        {"a\xE2\x80", 40, "a\xE2\x80"},
    };
    (void)state;
    struct buf out;
    buf_init(&out, 1000);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        buf_clear(&out);
        plain_add(&out, str_of(CASES[i].text), CASES[i].max);
        assert_string_equal(buf_cstr(&out), CASES[i].want);
    }
    buf_release(&out);
}

static void test_text_is_filled_up_with_blanks(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1000);
    buf_puts(&out, "|");
    plain_pad(&out, STR("ab"), 4);
    plain_pad(&out, STR("abcdefgh"), 4);
    assert_string_equal(buf_cstr(&out), "|ab  abcdefgh");
    buf_release(&out);
}

static void test_one_has_no_plural(void **state)
{
    (void)state;
    assert_string_equal(plain_plural(0), "s");
    assert_string_equal(plain_plural(1), "");
    assert_string_equal(plain_plural(2), "s");
}

static void test_escapes_like_json(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1024);
    plain_escape(&out,
                 STR("{\"a\":\"\xe2\x80\xae|\xc2\x9b|\x1b|\x7f|\xe2\x82\xac\"}\n\xe2\x80"));
    assert_string_equal(buf_cstr(&out),
                        "{\"a\":\"\\u202e|\\u009b|\\u001b|\\u007f|\xe2\x82\xac\"}\n"
                        "\xe2\x80");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_made_plain),
        cmocka_unit_test(test_text_is_filled_up_with_blanks),
        cmocka_unit_test(test_one_has_no_plural),
        cmocka_unit_test(test_escapes_like_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
