/* SPDX-License-Identifier: MIT */
/* The shared files: sections, nesting, comments, and which of two settings wins. */
#include "pipeline/aws/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void parse(struct aws_config *c, const char *text, bool credentials)
{
    struct err err = {0};
    if (aws_config_parse(c, str_of(text), credentials, "f", &err))
        fail_msg("%s", err.msg);
}

static void expect(const struct aws_config *c, const char *profile, const char *key,
                   const char *want)
{
    struct str got = aws_config_get(c, AWS_PROFILE, str_of(profile), key);
    if (!str_is(got, want))
        fail_msg("%s.%s is \"%.*s\", not \"%s\"", profile, key, STR_FMT(got), want);
}

static void test_sections_and_settings(void **state)
{
    (void)state;
    struct aws_config c;
    aws_config_init(&c);
    parse(&c,
          "# comment\n; comment\n\n"
          "[default]\nregion = eu-west-1\r\n"
          "[profile dev]\nregion: us-east-1  # why\nvalue=a#b;c\nEMPTY=\nspaced = a b \n"
          "[profile \"my profile\"]\nregion=x\n"
          "[dev]\nregion = ignored\n"
          "[sso-session corp]\nsso_region = us-west-2\n"
          "[profile bare]",
          false);
    expect(&c, "default", "region", "eu-west-1");
    expect(&c, "dev", "region", "us-east-1");
    expect(&c, "dev", "REGION", "us-east-1");
    expect(&c, "dev", "value", "a#b;c");
    expect(&c, "dev", "empty", "");
    expect(&c, "dev", "spaced", "a b");
    expect(&c, "my profile", "region", "x");
    expect(&c, "other", "region", "");
    assert_true(aws_config_has(&c, AWS_PROFILE, STR("bare")));
    assert_false(aws_config_has(&c, AWS_PROFILE, STR("corp")));
    assert_true(
        str_is(aws_config_get(&c, AWS_SSO_SESSION, STR("corp"), "sso_region"), "us-west-2"));
    aws_config_release(&c);
}

static void test_nested_settings(void **state)
{
    (void)state;
    struct aws_config c;
    aws_config_init(&c);
    parse(&c,
          "[services local]\ndynamodb =\n  endpoint_url = http://a:1\n  other = x\n"
          "s3 =\n\tendpoint_url = http://b:2\nplain = 1\n  continued\n",
          false);
    struct str s =
        aws_config_nested(&c, AWS_SERVICES, STR("local"), "dynamodb", "endpoint_url");
    assert_true(str_is(s, "http://a:1"));
    s = aws_config_nested(&c, AWS_SERVICES, STR("local"), "s3", "endpoint_url");
    assert_true(str_is(s, "http://b:2"));
    s = aws_config_get(&c, AWS_SERVICES, STR("local"), "endpoint_url");
    assert_int_equal(s.n, 0);
    s = aws_config_get(&c, AWS_SERVICES, STR("local"), "plain");
    assert_true(str_is(s, "1"));
    aws_config_release(&c);
}

static void test_which_setting_wins(void **state)
{
    (void)state;
    struct aws_config c;
    aws_config_init(&c);
    parse(&c, "[profile a]\nk = 1\nk = 2\nonly = c\n[profile a]\nmerged = yes\n", false);
    parse(&c, "[a]\nk = 3\nk = 4\n[profile b]\nk = odd\n", true);
    expect(&c, "a", "k", "4");
    expect(&c, "a", "only", "c");
    expect(&c, "a", "merged", "yes");
    expect(&c, "profile b", "k", "odd");
    assert_true(str_is(aws_config_get_from(&c, false, STR("a"), "k"), "2"));
    assert_true(str_is(aws_config_get_from(&c, true, STR("a"), "k"), "4"));
    assert_int_equal(aws_config_get_from(&c, true, STR("a"), "only").n, 0);
    aws_config_release(&c);
}

static void test_broken_lines_are_told_with_their_number(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } t[] = {
        {"\nk = 1\n", "\"f\" line 2: a setting before the first section"},
        {"[a]\n\nnonsense\n", "\"f\" line 3: neither a section nor \"key = value\""},
        {"[profile a\nk = 1", "\"f\" line 1: a section without \"]\""},
        {"[a]\n= 1\n", "\"f\" line 2: neither a section nor \"key = value\""},
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct err err = {0};
        struct aws_config c;
        aws_config_init(&c);
        assert_int_equal(aws_config_parse(&c, str_of(t[i].text), false, "f", &err), RC_USAGE);
        assert_string_equal(err.msg, t[i].want);
        aws_config_release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_and_settings),
        cmocka_unit_test(test_nested_settings),
        cmocka_unit_test(test_which_setting_wins),
        cmocka_unit_test(test_broken_lines_are_told_with_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
