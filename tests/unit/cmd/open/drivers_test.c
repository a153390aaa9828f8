/* SPDX-License-Identifier: MIT */
/* Which row of the table a word finds, seen by what the row can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/open/database_address.h"
#include "cmd/open/drivers.h"
#include "cmd/open/path_address.h"

static const struct driver *row_of(const char *word)
{
    const struct driver *d = NULL;
    struct err err = {0};
    assert_int_equal(drivers_find(word, &d, &err), RC_OK);
    return d;
}

static void expect_path(const char *word)
{
    const struct driver *d = row_of(word);
    assert_true(d->source == path_address_source && d->sink == path_address_sink);
    assert_true(d->rows && d->status && !d->alone && !d->live && !d->tell && !d->table_name);
}

static void expect_database(const char *word)
{
    const struct driver *d = row_of(word);
    assert_true(d->source == database_rejects && d->sink == database_sink);
    assert_true(d->rows && d->status && d->alone && !d->live && d->tell && d->table_name);
}

static void expect_either(const char *word, const char *said)
{
    const struct driver *d = NULL;
    struct err err = {0};
    assert_int_equal(drivers_find(word, &d, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, said));
    assert_null(strstr(err.msg, "secret"));
}

static void test_schemes_come_first(void **state)
{
    (void)state;
    assert_true(row_of("dynamodb:shop?endpoint=http://x/y")->live);
    assert_true(drivers_is_table("dynamodb:shop"));
    assert_false(drivers_is_table("./dynamodb:shop"));
    assert_null(row_of("dynamodb:shop")->sink);
    assert_non_null(row_of("null:")->sink);
    assert_null(row_of("null:")->source);
    assert_null(row_of("s3://bucket/user=5")->sink);
    expect_database("postgresql://h/d?user=5");
    expect_database("postgres://h/d");
}

static void test_standard_input_is_a_source_only(void **state)
{
    (void)state;
    const struct driver *d = row_of("-");
    assert_true(d->source == path_address_source && !d->sink && !d->rows && !d->status);
}

static void test_equals_signs_make_no_database(void **state)
{
    (void)state;
    expect_path("out");
    expect_path("");
    expect_path("year=2024/out");
    expect_path("a=b.jsonl");
    expect_path("./user=5/out");
    expect_path("./-");
    expect_database("host=/tmp dbname=x");
    expect_database("service=nightly");
}

static void test_what_could_be_both_is_refused(void **state)
{
    (void)state;
    expect_either("user=5/out", "hint: write \"./user=5/out\" for the path");
    expect_either("user=5/out password=secret x", "could be a path or a connection string");
    assert_false(drivers_is_table("user=5/out"));
}

static void test_unknown_schemes_are_refused(void **state)
{
    (void)state;
    expect_either("mysql://joe:secret@db/shop", "\"mysql:\" begins no address");
    expect_either("postgresq://joe:secret@db/shop", "did you mean postgresql://...?");
    expect_either("POSTGRESQL://joe:secret@db/shop", "did you mean postgresql://...?");
    expect_either("dynamo:shop", "begins no address");
    expect_either("dynamdb:shop", "did you mean dynamodb:...?");
    expect_either("dynamodb2:shop", "did you mean dynamodb:...?");
    expect_either("S3://bucket/in", "did you mean s3://...?");
    expect_either("s3:bucket", "did you mean s3://...?");
    expect_either("nul:", "did you mean null:...?");
    expect_either("joe:secret@db", "\"joe:\" begins no address");
    expect_either("https://x/y?password=secret", "begins with ./");
    assert_false(drivers_is_table("dynamodb2:shop"));
    expect_path("./mysql://joe@db/shop");
    expect_path("/tmp/a:b");
    expect_path("out/a:b");
    expect_path("2024-01-01T10:00.jsonl");
    expect_path(":");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schemes_come_first),
        cmocka_unit_test(test_standard_input_is_a_source_only),
        cmocka_unit_test(test_equals_signs_make_no_database),
        cmocka_unit_test(test_what_could_be_both_is_refused),
        cmocka_unit_test(test_unknown_schemes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
