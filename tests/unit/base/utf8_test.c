/* SPDX-License-Identifier: MIT */
/* UTF-8: what is one character and what is not, and cutting between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/utf8.h"

static void expect_bad(const char *what, struct str s, size_t at)
{
    size_t got = utf8_bad(s);
    if (got != at)
        fail_msg("%s: %zu, not %zu", what, got, at);
}

static void test_good_when_every_character_is_well_formed(void **state)
{
    (void)state;
    static const char *const good[] = {
        "",
        "a",
        "plain ASCII that is longer than eight bytes",
        "\xC2\x80",
        "\xDF\xBF",
        "\xE0\xA0\x80",
        "\xED\x9F\xBF",
        "\xEE\x80\x80",
        "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80",
        "\xF4\x8F\xBF\xBF",
        "gr\xC3\xBC\xC3\x9F Gott, \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x8C\x8D!"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        expect_bad(good[i], str_of(good[i]), strlen(good[i]));
    expect_bad("NUL", STR("a\0b"), 3);
}

static void test_bad_is_placed_at_the_first_wrong_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } bad[] = {{"\x80", 0}, /* a tail alone */
               {"abc\xBF", 3},
               {"\xC0\x80", 0}, /* overlong NUL */
               {"\xC1\xBF", 0},
               {"\xC3", 0}, /* cut short */
               {"\xC3(", 0},
               {"\xE0\x9F\xBF", 0}, /* overlong */
               {"\xED\xA0\x80", 0},
               {"\xE2\x82", 0}, /* surrogate; cut short */
               {"\xF0\x8F\xBF\xBF", 0},
               {"\xF4\x90\x80\x80", 0}, /* overlong; too large */
               {"\xF5\x80\x80\x80", 0},
               {"\xFF", 0},
               {"12345678\xC3\xA9"
                "1234567\xFE",
                17},
               {"\xE2\x82\xAC\xE2\x82", 3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_bad(bad[i].text, str_of(bad[i].text), bad[i].at);
}

/* Every two-byte text against the definition. */
static void test_pairs_follow_the_definition(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            char text[2] = {(char)a, (char)b};
            size_t want = 2;
            if (a < 0x80) {
                want = b < 0x80 ? 2 : 1;
            } else if (!(a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF)) {
                want = 0;
            }
            assert_int_equal(utf8_bad(str_make(text, 2)), want);
        }
    }
}

static void test_cut_never_splits_a_character(void **state)
{
    (void)state;
    struct str s = STR("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\x8D");
    static const size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (size_t max = 0; max < sizeof want / sizeof want[0]; max++)
        assert_int_equal(utf8_cut(s, max).n, want[max]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_when_every_character_is_well_formed),
        cmocka_unit_test(test_bad_is_placed_at_the_first_wrong_byte),
        cmocka_unit_test(test_pairs_follow_the_definition),
        cmocka_unit_test(test_cut_never_splits_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
