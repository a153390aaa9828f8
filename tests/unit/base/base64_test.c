/* SPDX-License-Identifier: MIT */
/* Base64 both ways, and every way a text can be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/base64.h"

static void test_rfc_4648_examples_both_ways(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xFB\xFF\xBF", "+/+/"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct buf b;
        buf_init(&b, 100);
        base64_add(&b, str_of(pairs[i][0]));
        assert_string_equal(buf_cstr(&b), pairs[i][1]);
        unsigned char out[16];
        size_t n, bad;
        assert_true(base64_decode(str_of(pairs[i][1]), out, &n, &bad));
        assert_int_equal(n, strlen(pairs[i][0]));
        assert_memory_equal(out, pairs[i][0], n);
        buf_release(&b);
    }
}

static void test_decode_refuses_and_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } bad[] = {{"Z", 1},        {"Zg", 2},      {"Zg=", 3},  {"Zg==Zg==", 2}, {"Zm8", 3},
               {"Zh==", 1},     {"Zm9=", 2},    {"====", 0}, {"Z===", 1},     {"Zm9v\n", 5},
               {" Zm9", 0},     {"Zm-v", 2},    {"Zm_v", 2}, {"Zm9v=", 5},    {"Zm=v", 2},
               {"Zm9vZg= ", 6}, {"Zm9v====", 4}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        unsigned char out[16];
        size_t n, at = 99;
        if (base64_decode(str_of(bad[i].text), out, &n, &at) || at != bad[i].at)
            fail_msg("%s: %zu, not %zu", bad[i].text, at, bad[i].at);
    }
}

/* All bytes in texts of every length up to 300; the output must stay within base64_room. */
static void test_bytes_come_back_for_every_length(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 300; n++) {
        unsigned char *in = malloc(n + 1);
        assert_non_null(in);
        for (size_t i = 0; i < n; i++)
            in[i] = (unsigned char)(i * 37 + n);
        struct buf b;
        buf_init(&b, 1000);
        base64_add(&b, str_make((char *)in, n));
        assert_int_equal(b.len, (n + 2) / 3 * 4);
        unsigned char *out = malloc(base64_room(b.len) + 1);
        assert_non_null(out);
        size_t got, bad;
        assert_true(base64_decode(buf_view(&b), out, &got, &bad));
        assert_int_equal(got, n);
        assert_memory_equal(out, in, n);
        free(in);
        free(out);
        buf_release(&b);
    }
}

static void test_add_fails_at_the_ceiling(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 7);
    base64_add(&b, STR("foob"));
    assert_int_equal(b.rc, RC_NOMEM);
    assert_int_equal(b.len, 0);
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rfc_4648_examples_both_ways),
        cmocka_unit_test(test_decode_refuses_and_says_where),
        cmocka_unit_test(test_bytes_come_back_for_every_length),
        cmocka_unit_test(test_add_fails_at_the_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
