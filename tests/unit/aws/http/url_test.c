/* SPDX-License-Identifier: MIT */
/* Addresses are cut the way libcurl sends them, or refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/aws/http/http.h"

static void test_url_is_split_as_libcurl_sends_it(void **state)
{
    (void)state;
    static const struct {
        const char *url, *host, *path, *query;
    } t[] = {
        {"https://a.b:443/x/y?q=1&r", "a.b", "/x/y", "q=1&r"},
        {"http://a.b:80", "a.b", "", ""},
        {"http://127.0.0.1:8000/", "127.0.0.1:8000", "/", ""},
        {"https://a.b:80/", "a.b:80", "/", ""},
        {"HTTP://[::1]:8000?x", "[::1]:8000", "", "x"},
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct http_url u;
        assert_true(http_url_split(str_of(t[i].url), &u));
        assert_true(str_is(u.host, t[i].host));
        assert_true(str_is(u.path, t[i].path));
        assert_true(str_is(u.query, t[i].query));
    }
    static const char *const bad[] = {"a.b", "ftp://a/", "http://", "http://u:p@a/",
                                      "http://a/#f"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct http_url u;
        assert_false(http_url_split(str_of(bad[i]), &u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_url_is_split_as_libcurl_sends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
