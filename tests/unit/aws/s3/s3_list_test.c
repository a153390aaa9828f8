/* SPDX-License-Identifier: MIT */
#include "pipeline/aws/s3/s3_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD                                                                                   \
    "<?xml version=\"1.0\"?><ListBucketResult "                                                \
    "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
#define URL "<EncodingType>url</EncodingType>"
#define ENTRY(key)                                                                             \
    "<Contents><Key>" key "</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"        \
    "<ETag>&quot;abc-2&quot;</ETag><Size>7</Size><Owner><ID>1</ID><Key>no</Key></Owner></"     \
    "Contents>"
#define LAST "<IsTruncated>false</IsTruncated></ListBucketResult>"

struct place {
    struct arena arena;
    struct s3_list list;
};

static void open_place(struct place *p)
{
    arena_init(&p->arena, 1024);
    s3_list_init(&p->list, &p->arena);
}

static void close_place(struct place *p)
{
    s3_list_release(&p->list);
    arena_release(&p->arena);
}

static void test_a_page(void **state)
{
    (void)state;
    struct place p;
    open_place(&p);
    assert_true(s3_list_page(
        &p.list, STR(HEAD "<Name>b</Name><Prefix>x</Prefix>" ENTRY(
                     "a+b%2Bc%0A%C3%BC/%25") "<CommonPrefixes><Prefix>y</Prefix></"
                                             "CommonPrefixes>" ENTRY("z") URL LAST)));
    assert_int_equal(p.list.n, 2);
    assert_true(str_is(p.list.entries[0].key, "a b+c\nü/%"));
    assert_true(str_is(p.list.entries[0].etag, "abc-2"));
    assert_int_equal(p.list.entries[0].size, 7);
    assert_int_equal(p.list.entries[1].mtime_us, INT64_C(1767225600000000));
    assert_false(p.list.more);
    assert_true(s3_list_page(&p.list, STR(HEAD ENTRY("a+b%2B") LAST))); /* as it stands */
    assert_true(str_is(p.list.entries[2].key, "a+b%2B"));
    close_place(&p);
}

static void test_pages_are_asked_for_one_by_one(void **state)
{
    (void)state;
    struct place p;
    struct buf query;
    open_place(&p);
    buf_init(&query, 1 << 10);
    s3_list_query(&p.list, STR("a b/"), &query);
    assert_string_equal(buf_cstr(&query), "encoding-type=url&list-type=2&prefix=a%20b%2F");
    assert_true(s3_list_page(
        &p.list, STR(HEAD ENTRY("a") "<IsTruncated>true</IsTruncated>"
                                     "<NextContinuationToken>t/+=&amp;</NextContinuationToken>"
                                     "</ListBucketResult>")));
    assert_true(p.list.more);
    buf_clear(&query);
    s3_list_query(&p.list, STR(""), &query);
    assert_string_equal(buf_cstr(&query), "continuation-token=t%2F%2B%3D%26&encoding-type=url&"
                                          "list-type=2&prefix=");
    buf_release(&query);
    close_place(&p);
}

static void test_what_is_no_page_adds_nothing(void **state)
{
    (void)state;
    static const char *const BODIES[] = {
        "",
        "{}",
        "<Error><Code>SlowDown</Code></Error>",
        HEAD ENTRY("a"),
        HEAD ENTRY("a") "<IsTruncated>true</IsTruncated></ListBucketResult>",
        HEAD "<Contents><Key>a</Key></Contents>" LAST,
        HEAD "<Contents><Size>1</Size></Contents>" LAST,
        HEAD "<Contents><Key>a</Key><Size>-1</Size></Contents>" LAST,
        HEAD "<Contents><Key>a</Key><Size>99999999999999999999</Size></Contents>" LAST,
        "<!DOCTYPE l [<!ENTITY a \"x\">]><ListBucketResult>" ENTRY("&a;") LAST,
        HEAD ENTRY("a") LAST "<more/>",
    };
    for (size_t i = 0; i < sizeof BODIES / sizeof *BODIES; i++) {
        struct place p;
        open_place(&p);
        assert_false(s3_list_page(&p.list, str_of(BODIES[i])));
        assert_int_equal(p.list.n, 0);
        close_place(&p);
    }
}

static void test_a_page_cut_anywhere_is_none(void **state)
{
    (void)state;
    static const char BODY[] = HEAD ENTRY("a") URL LAST;
    for (size_t n = 0; n < sizeof BODY - 1; n++) {
        struct place p;
        open_place(&p);
        assert_false(s3_list_page(&p.list, str_make(BODY, n)));
        assert_int_equal(p.list.n, 0);
        close_place(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_page),
        cmocka_unit_test(test_pages_are_asked_for_one_by_one),
        cmocka_unit_test(test_what_is_no_page_adds_nothing),
        cmocka_unit_test(test_a_page_cut_anywhere_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
