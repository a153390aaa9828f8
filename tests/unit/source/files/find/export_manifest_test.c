/* SPDX-License-Identifier: MIT */
/* Manifests of exports: what is read, what is refused, and with which words. */
#include "pipeline/source/files/find/export_manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MD5 "rzAeIrtALbOlNdK5Hh8tgA=="
#define FILE_LINE(count, name)                                                                 \
    "{\"itemCount\":" count ",\"md5Checksum\":\"" MD5                                          \
    "\",\"etag\":\"x-1\",\"dataFileS3Key\":\"" name "\"}\n"

static const char SUMMARY[] =
    "{\"version\":\"2020-06-30\",\"exportArn\":\"arn:e\",\"tableArn\":\"arn:t\",\"tableId\":"
    "\"id\","
    "\"exportTime\":\"2024-05-14T11:14:20.608Z\",\"s3Prefix\":null,\"itemCount\":3,"
    "\"outputFormat\":\"DYNAMODB_JSON\"}\n";

static void test_summary_is_read(void **state)
{
    (void)state;
    struct arena a;
    struct export_manifest m;
    struct err err = {0};
    arena_init(&a, 0);
    assert_int_equal(export_manifest_summary(str_of(SUMMARY), "s", &a, &m, &err), RC_OK);
    assert_true(str_is(m.export_arn, "arn:e"));
    assert_true(str_is(m.table_arn, "arn:t"));
    assert_true(str_is(m.table_id, "id"));
    assert_true(str_is(m.time, "2024-05-14T11:14:20.608Z"));
    assert_int_equal(m.items, 3);
    arena_release(&a);
}

static void summary_fails(const char *text, enum rc want, const char *message)
{
    struct arena a;
    struct export_manifest m;
    struct err err = {0};
    arena_init(&a, 0);
    assert_int_equal(export_manifest_summary(str_of(text), "dir/s.json", &a, &m, &err), want);
    assert_non_null(strstr(err.msg, message));
    assert_non_null(strstr(err.msg, "dir/s.json"));
    arena_release(&a);
}

static void test_summaries_that_are_refused(void **state)
{
    (void)state;
    summary_fails("", RC_SOURCE, "cut short");
    summary_fails("{\"itemCount\":3", RC_SOURCE, "cut short");
    summary_fails("[]", RC_SOURCE, "not a JSON object");
    summary_fails("{\"itemCount\":-1}", RC_SOURCE, "itemCount");
    summary_fails("{\"itemCount\":1.5}", RC_SOURCE, "itemCount");
    summary_fails("{\"itemCount\":1,\"outputFormat\":\"ION\"}", RC_USAGE, "ION");
    summary_fails("{\"itemCount\":1,\"exportType\":\"INCREMENTAL_EXPORT\"}", RC_USAGE,
                  "incremental");
}

static enum rc read_files(const char *text, uint64_t items, struct arena *a,
                          struct export_manifest *m, struct err *err)
{
    *m = (struct export_manifest){.items = items};
    return export_manifest_files(str_of(text), "dir/f.json", a, m, err);
}

static void test_files_are_read_in_order(void **state)
{
    (void)state;
    static const unsigned char SUM[16] = {0xaf, 0x30, 0x1e, 0x22, 0xbb, 0x40, 0x2d, 0xb3,
                                          0xa5, 0x35, 0xd2, 0xb9, 0x1e, 0x1f, 0x2d, 0x80};
    struct arena a;
    struct export_manifest m;
    struct err err = {0};
    arena_init(&a, 0);
    const char *text =
        FILE_LINE("2", "p/AWSDynamoDB/1/data/b.json.gz") "\n" FILE_LINE("1", "a");
    assert_int_equal(read_files(text, 3, &a, &m, &err), RC_OK);
    assert_int_equal(m.nfiles, 2);
    assert_true(str_is(m.files[0].key, "p/AWSDynamoDB/1/data/b.json.gz"));
    assert_true(str_is(m.files[0].name, "b.json.gz"));
    assert_int_equal(m.files[0].items, 2);
    assert_memory_equal(m.files[0].md5, SUM, 16);
    assert_true(str_is(m.files[1].name, "a"));
    assert_int_equal(read_files("", 0, &a, &m, &err), RC_OK);
    assert_int_equal(m.nfiles, 0);
    arena_release(&a);
}

static void files_fail(const char *text, const char *message)
{
    struct arena a;
    struct export_manifest m;
    struct err err = {0};
    arena_init(&a, 0);
    assert_int_equal(read_files(text, 3, &a, &m, &err), RC_SOURCE);
    if (!strstr(err.msg, message))
        print_message("%s\n", err.msg);
    assert_non_null(strstr(err.msg, message));
    assert_non_null(strstr(err.msg, "dir/f.json"));
    arena_release(&a);
}

static void test_file_lists_that_are_refused(void **state)
{
    (void)state;
    files_fail(FILE_LINE("1", "a") FILE_LINE("1", "b"), "2 items, the summary says 3");
    files_fail(FILE_LINE("1", "x/a") FILE_LINE("2", "y/a"), "twice");
    files_fail(FILE_LINE("3", "a") "{\"itemCount\":0,", "line 2: not JSON");
    files_fail(FILE_LINE("3", "data/"), "dataFileS3Key");
    files_fail(FILE_LINE("3", "data/.."), "dataFileS3Key");
    files_fail(FILE_LINE("3", "data/a\\u0000b"), "dataFileS3Key");
    files_fail("{\"itemCount\":3,\"md5Checksum\":\"abc\",\"dataFileS3Key\":\"a\"}",
               "md5Checksum");
    files_fail("{\"itemCount\":3,\"md5Checksum\":\"AAAAAAAAAAAAAAAAAAAAAAA=\","
               "\"dataFileS3Key\":\"a\"}",
               "md5Checksum");
    files_fail("3", "itemCount");
}

static void test_md5_of_a_text(void **state)
{
    (void)state;
    assert_true(export_manifest_md5_matches(STR("1B2M2Y8AsgTpgAmY7PhCfg=="), STR("")));
    assert_true(export_manifest_md5_matches(STR("1B2M2Y8AsgTpgAmY7PhCfg==\n"), STR("")));
    assert_false(export_manifest_md5_matches(STR("1B2M2Y8AsgTpgAmY7PhCfg=="), STR("x")));
    assert_false(export_manifest_md5_matches(STR(""), STR("")));
    assert_false(export_manifest_md5_matches(STR("!!!!!!!!!!!!!!!!!!!!!!=="), STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_is_read),
        cmocka_unit_test(test_summaries_that_are_refused),
        cmocka_unit_test(test_files_are_read_in_order),
        cmocka_unit_test(test_file_lists_that_are_refused),
        cmocka_unit_test(test_md5_of_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
