/* SPDX-License-Identifier: MIT */
/* Passwords vanish from the words of the command line, and from nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/secret_args.h"

static bool told;

static void expect(const char *word, const char *left)
{
    char memory[256] = {0};
    char name[] = "renorm";
    char *argv[] = {name, memory, NULL};
    (void)strncpy(memory, word, sizeof memory - 1);
    char **args = secret_args_take(2, argv, &told);
    assert_non_null(args);
    assert_string_equal(argv[1], left);
    assert_string_equal(args[0], "renorm");
    assert_string_equal(args[1], word);
    assert_null(args[2]);
    secret_args_free(args);
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
    expect("in/a:b@c.jsonl", "in/a:b@c.jsonl");
    assert_false(told);
}

static void test_password_is_blotted_out_in_addresses_of_nobody(void **state)
{
    (void)state;
    expect("mysql://me:key@host", "mysql://me:xxx@host");
    assert_true(told);
    expect("--summary=mysql://me:key@host/x", "--summary=mysql://me:xxx@host/x");
    assert_true(told);
    expect("dynamodb:t?endpoint=http://me:key@host", "dynamodb:t?endpoint=http://me:xxx@host");
    assert_true(told);
    expect("joe:s3c:ret@db", "joe:xxxxxxx@db");
    expect("{\"a\":{\"S\":\"http://me:key@host\"}}", "{\"a\":{\"S\":\"http://me:xxx@host\"}}");
    assert_false(told);
}

static void test_password_is_taken_out_of_messages(void **state)
{
    (void)state;
    char text[] =
        "cannot write \"mysql://u:secret@h\": see http://host:80/a@b\nhint: http://a:b@c";
    assert_true(secret_args_hide(text));
    assert_string_equal(
        text,
        "cannot write \"mysql://u:xxxxxx@h\": see http://host:80/a@b\nhint: http://a:x@c");
    char plain[] = "\"a@b\" and c:d, 12:30";
    assert_false(secret_args_hide(plain));
    assert_string_equal(plain, "\"a@b\" and c:d, 12:30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_password_is_blotted_out_when_in_a_url),
        cmocka_unit_test(test_password_is_blotted_out_when_in_key_value_pairs),
        cmocka_unit_test(test_password_is_blotted_out_in_addresses_of_nobody),
        cmocka_unit_test(test_password_is_taken_out_of_messages),
        cmocka_unit_test(test_other_words_stay_when_nothing_is_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
