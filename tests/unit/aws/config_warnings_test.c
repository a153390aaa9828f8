/* SPDX-License-Identifier: MIT */
/* What others take differently is told once, with what was taken, and without any value. */
#include "pipeline/aws/config_warnings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/awsenv.h"

static char heard[8192];

static void hear(const char *line)
{
    size_t n = strlen(heard);
    (void)snprintf(heard + n, sizeof heard - n, "%s\n", line);
}

/* Returns what is told of this world; HOME stands for its folder. */
static const char *told(struct awsenv *e, const char *profile)
{
    struct aws_settings s;
    heard[0] = '\0';
    awsenv_settings(e, &(struct aws_options){.tell = hear, .profile = profile}, &s);
    aws_settings_release(&s);
    for (char *at = strstr(heard, e->home); at; at = strstr(heard, e->home)) {
        size_t n = strlen(e->home);
        memcpy(at, "HOME", 4);
        memmove(at + 4, at + n, strlen(at + n) + 1);
    }
    return heard;
}

static void test_two_profiles(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    awsenv_write(&e, ".aws/config", "[profile a]\nregion = r1\n[profile b]\nregion = r2\n");
    awsenv_set(&e, "AWS_DEFAULT_PROFILE", "b");
    assert_string_equal(told(&e, NULL), "");
    awsenv_set(&e, "AWS_PROFILE", "a");
    assert_string_equal(told(&e, NULL),
                        "AWS_PROFILE is \"a\" and AWS_DEFAULT_PROFILE is \"b\": \"a\" is taken "
                        "(the AWS command line takes the other)\n");
    assert_string_equal(told(&e, "b"), ""); /* neither counts */
    awsenv_set(&e, "AWS_DEFAULT_PROFILE", "a");
    assert_string_equal(told(&e, NULL), "");
    awsenv_close(&e);
}

static void test_settings_of_repeats(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    awsenv_set(&e, "AWS_MAX_ATTEMPTS", "5");
    awsenv_set(&e, "AWS_RETRY_MODE", "adaptive");
    assert_string_equal(told(&e, NULL), "");
    awsenv_set(&e, "AWS_MAX_ATTEMPTS", "many");
    awsenv_set(&e, "AWS_RETRY_MODE", "Standard!");
    assert_string_equal(
        told(&e, NULL),
        "AWS_MAX_ATTEMPTS is \"many\", not a number from 1 on; it does not apply here: "
        "--give-up does\n"
        "AWS_RETRY_MODE is \"Standard!\", not legacy, standard or adaptive; it does not apply "
        "here: --give-up does\n");
    awsenv_set(&e, "AWS_MAX_ATTEMPTS", "0");
    awsenv_set(&e, "AWS_RETRY_MODE", NULL);
    assert_non_null(strstr(told(&e, NULL), "AWS_MAX_ATTEMPTS is \"0\""));
    awsenv_set(&e, "AWS_MAX_ATTEMPTS", NULL);
    awsenv_write(&e, ".aws/config", "[default]\nmax_attempts = -1\nretry_mode = standard\n");
    assert_string_equal(told(&e, NULL), "max_attempts is \"-1\", not a number from 1 on; it "
                                        "does not apply here: --give-up does\n");
    awsenv_close(&e);
}

static void test_what_stands_twice(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    awsenv_write(&e, ".aws/config",
                 "[default]\nregion = r1\nservices = s\n"
                 "[profile a]\nregion = r1\noutput = json\nRegion = r2\n"
                 "[services s]\ndynamodb =\n  endpoint_url = http://x\n"
                 "s3 =\n  endpoint_url = http://x\n"
                 "[other]\nx = 1\nx = 2\n[other]\n"
                 "[profile a]\noutput = text\n");
    /* the same section and key in the other file are no duplicate */
    awsenv_write(&e, ".aws/credentials",
                 "[a]\nregion = r9\naws_secret_access_key = hidden1\n"
                 "aws_secret_access_key = hidden2\n[default]\n[default]\n");
    assert_string_equal(
        told(&e, NULL),
        "\"HOME/.aws/config\": profile \"a\" begins in line 4 and in line 17: both are taken, "
        "the later one first\n"
        "\"HOME/.aws/config\": \"region\" of profile \"a\" stands in lines 5 and 7: line 7 is "
        "taken\n"
        "\"HOME/.aws/credentials\": \"aws_secret_access_key\" of profile \"a\" stands in lines "
        "3 and 4: line 4 is taken\n"
        "\"HOME/.aws/credentials\": profile \"default\" begins in line 5 and in line 6: both "
        "are taken, the later one first\n");
    struct aws_settings s;
    awsenv_settings(&e, &(struct aws_options){.profile = "a"}, &s);
    assert_true(str_is(aws_settings_get(&s, "region"), "r9"));
    assert_true(str_is(aws_settings_get(&s, "output"), "text"));
    assert_true(str_is(aws_settings_get(&s, "aws_secret_access_key"), "hidden2"));
    aws_settings_release(&s);
    awsenv_close(&e);
}

static void test_many_are_counted(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    awsenv_write(&e, ".aws/config",
                 "[default]\na = 1\na = 1\nb = 1\nb = 1\nc = 1\nc = 1\nd = 1\nd = 1\n"
                 "e = 1\ne = 1\nf = 1\nf = 1\ng = 1\ng = 1\n");
    assert_non_null(strstr(told(&e, NULL), "\"e\" of profile"));
    assert_null(strstr(heard, "\"f\" of profile"));
    assert_non_null(
        strstr(heard, "\n2 more sections or settings of the AWS files stand twice\n"));
    awsenv_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_profiles),
        cmocka_unit_test(test_settings_of_repeats),
        cmocka_unit_test(test_what_stands_twice),
        cmocka_unit_test(test_many_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
