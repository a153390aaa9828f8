/* SPDX-License-Identifier: MIT */
/* Passwords vanish from the words of the command line, and from nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/args.h"

static void expect(const char *word, const char *left)
{
    char memory[256] = {0};
    char name[] = "renorm";
    char *argv[] = {name, memory, NULL};
    (void)strncpy(memory, word, sizeof memory - 1);
    char **args = args_take(2, argv);
    assert_non_null(args);
    assert_string_equal(argv[1], left);
    assert_string_equal(args[0], "renorm");
    assert_string_equal(args[1], word);
    assert_null(args[2]);
    args_free(args);
}

static void test_password_is_blotted_out_when_in_a_url(void **state)
{
    (void)state;
    expect("postgresql://me:secret@host/db", "postgresql://me:xxxxxx@host/db");
    expect("postgres://me:se:cr@host:1/db?sslmode=require",
           "postgres://me:xxxxx@host:1/db?sslmode=require");
    expect("postgresql://host/db?user=me&password=secret&sslmode=off",
           "postgresql://host/db?user=me&password=xxxxxx&sslmode=off");
    expect("postgresql://me@/db?host=/tmp&sslpassword=pw",
           "postgresql://me@/db?host=/tmp&sslpassword=xx");
    expect("postgresql://:p@/db", "postgresql://:x@/db");
}

static void test_password_is_blotted_out_when_in_key_value_pairs(void **state)
{
    (void)state;
    expect("host=h password=secret user=me", "host=h password=xxxxxx user=me");
    expect("password = 'a \\' b' host=h", "password = 'xxxxxx' host=h");
    expect("host=h password=a\\ b user=me", "host=h password=xxxx user=me");
    expect("password=", "password=");
    expect("password='open", "password='xxxx");
    expect("password=back\\", "password=xxxxx");
}

static void test_other_words_stay_when_nothing_is_secret(void **state)
{
    (void)state;
    expect("postgresql://me@host:5432/db?a=b:c@d", "postgresql://me@host:5432/db?a=b:c@d");
    expect("postgresql://host:5432/a@b", "postgresql://host:5432/a@b");
    expect("dynamodb:table?region=x", "dynamodb:table?region=x");
    expect("in/passwords.jsonl", "in/passwords.jsonl");
    expect("https://me:key@host", "https://me:key@host");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_password_is_blotted_out_when_in_a_url),
        cmocka_unit_test(test_password_is_blotted_out_when_in_key_value_pairs),
        cmocka_unit_test(test_other_words_stay_when_nothing_is_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
