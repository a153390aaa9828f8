/* SPDX-License-Identifier: MIT */
#include "pipeline/aws/s3/s3_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static enum rc read_word(const char *word, struct arena *a, struct s3_address *out)
{
    struct err err = {0};
    enum rc rc = s3_address_read(word, a, out, &err);
    assert_true(!rc || err.msg[0]);
    return rc;
}

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *word, *bucket, *key;
    } ROWS[] = {{"s3://bucket", "bucket", ""},
                {"s3://bucket/", "bucket", ""},
                {"s3://bucket/a/b.json.gz", "bucket", "a/b.json.gz"},
                {"s3://my.dotted.bucket//a/", "my.dotted.bucket", "/a/"},
                {"s3://OLD_Bucket/ü +&=#", "OLD_Bucket", "ü +&=#"},
                {"s3://bucket/a%3Fb%253F", "bucket", "a?b%3F"},
                {"s3://bucket/100%/a%20b%zz", "bucket", "100%/a%20b%zz"},
                {"s3://bucket/a?region=x", "bucket", "a"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct arena a;
        struct s3_address x;
        arena_init(&a, 1024);
        assert_int_equal(read_word(ROWS[i].word, &a, &x), RC_OK);
        assert_true(str_is(x.bucket, ROWS[i].bucket));
        assert_true(str_is(x.key, ROWS[i].key));
        arena_release(&a);
    }
}

static void test_members(void **state)
{
    (void)state;
    struct arena a;
    struct s3_address x;
    arena_init(&a, 1024);
    assert_int_equal(
        read_word("s3://b-1/k?region=eu-west-1&endpoint=http%3A%2F%2Fh%3A1&profile=p"
                  "&style=virtual",
                  &a, &x),
        RC_OK);
    assert_string_equal(x.region, "eu-west-1");
    assert_string_equal(x.endpoint, "http://h:1");
    assert_string_equal(x.profile, "p");
    assert_int_equal(x.style, S3_STYLE_VIRTUAL);
    assert_int_equal(read_word("s3://b-1/k?style=path", &a, &x), RC_OK);
    assert_int_equal(x.style, S3_STYLE_PATH);
    assert_null(x.region);
    arena_release(&a);
}

static void test_what_is_no_address_is_told(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"s3:bucket/a",
                                        "s3://",
                                        "s3:///key",
                                        "s3://ab/k",
                                        "s3://arn:aws:s3:eu-west-1:1:accesspoint/x",
                                        "s3://-bucket/k",
                                        "s3://name--use1-az4--x-s3/k",
                                        "s3://user:pass@host/k",
                                        "s3://bucket/k?regoin=x",
                                        "s3://bucket/k?style=odd",
                                        "s3://bucket/k?=x"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        struct arena a;
        struct s3_address x;
        arena_init(&a, 1024);
        assert_int_equal(read_word(WORDS[i], &a, &x), RC_USAGE);
        arena_release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_what_is_no_address_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
