/* SPDX-License-Identifier: MIT */
/* Exports as folders on disk: found, held against their manifests, refused when they differ. */
#include "pipeline/source/files/find/export_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "tests/harness/drain.h"
#include "tests/harness/open_files.h"
#include "tests/harness/scratch.h"

static void add_listed(struct buf *files, const char *name, struct str packed, unsigned items)
{
    unsigned char md5[EVP_MAX_MD_SIZE], text[32];
    assert_int_equal(EVP_Digest(packed.p, packed.n, md5, NULL, EVP_md5(), NULL), 1);
    assert_int_equal(EVP_EncodeBlock(text, md5, 16), 24);
    buf_addf(files,
             "{\"itemCount\":%u,\"md5Checksum\":\"%s\",\"dataFileS3Key\":\"p/AWSDynamoDB/1/"
             "data/%s\"}\n",
             items, (const char *)text, name);
}

/* An export of two files: three items, and none. */
static void write_export(struct scratch *dir, const char *at, unsigned total)
{
    struct buf files, packed;
    char name[256];
    buf_init(&files, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    scratch_add_gzip(&packed, STR("{\"Item\":" ITEM("a") "}\n{\"Item\":" ITEM(
                                  "b") "}\n{\"Item\":" ITEM("c") "}\n"));
    (void)snprintf(name, sizeof name, "%s/data/one.json.gz", at);
    (void)scratch_write(dir, name, buf_view(&packed));
    add_listed(&files, "one.json.gz", buf_view(&packed), 3);
    buf_clear(&packed);
    scratch_add_gzip(&packed, STR(""));
    (void)snprintf(name, sizeof name, "%s/data/two.json.gz", at);
    (void)scratch_write(dir, name, buf_view(&packed));
    add_listed(&files, "two.json.gz", buf_view(&packed), 0);
    (void)snprintf(name, sizeof name, "%s/manifest-files.json", at);
    (void)scratch_write(dir, name, buf_view(&files));
    buf_clear(&files);
    buf_addf(&files,
             "{\"exportArn\":\"arn:x\",\"itemCount\":%u,\"outputFormat\":\"DYNAMODB_JSON\"}\n",
             total);
    (void)snprintf(name, sizeof name, "%s/manifest-summary.json", at);
    (void)scratch_write(dir, name, buf_view(&files));
    buf_release(&files);
    buf_release(&packed);
}

static const char *const EXPORTED[] = {"{\"Item\":" ITEM("a") "}", "{\"Item\":" ITEM("b") "}",
                                       "{\"Item\":" ITEM("c") "}", NULL};

static void test_export_is_found_from_any_folder_above(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    write_export(&dir, "out/p/AWSDynamoDB/1", 3);
    (void)scratch_write(&dir, "out/p/AWSDynamoDB/1/_started", STR(""));
    reads_as(scratch_path(&dir, "out/p/AWSDynamoDB/1"), EXPORTED);
    reads_as(scratch_path(&dir, "out/p/AWSDynamoDB"), EXPORTED);
    reads_as(scratch_path(&dir, "out/"), EXPORTED);
    (void)scratch_write(&dir, "out/other.json", STR(ITEM("z")));
    fails_to_open(scratch_path(&dir, "out"), RC_USAGE, "other data");
    reads_as(scratch_path(&dir, "out/p"), EXPORTED);
    write_export(&dir, "out/p/AWSDynamoDB/2", 3);
    fails_to_open(scratch_path(&dir, "out/p"), RC_USAGE, "holds 2 exports");
    scratch_release(&dir);
}

static void test_export_identity_is_its_checksums(void **state)
{
    (void)state;
    struct scratch dir;
    struct source *one = NULL, *two = NULL;
    struct err err;
    scratch_init(&dir);
    write_export(&dir, "a/1", 3);
    write_export(&dir, "b/2", 3);
    assert_int_equal(open_path(scratch_path(&dir, "a"), &one, &err), RC_OK);
    assert_int_equal(open_path(scratch_path(&dir, "b"), &two, &err), RC_OK);
    assert_true(str_eq(one->identity, two->identity));
    one->ops->free(one);
    two->ops->free(two);
    scratch_release(&dir);
}

static void test_export_that_lost_or_gained_a_file(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    write_export(&dir, "e", 3);
    assert_int_equal(unlink(scratch_path(&dir, "e/data/one.json.gz")), 0);
    fails_to_open(scratch_path(&dir, "e"), RC_SOURCE, "e/data/one.json.gz\" is listed");
    write_export(&dir, "e", 3);
    (void)scratch_write(&dir, "e/data/three.json.gz", STR(""));
    fails_to_open(scratch_path(&dir, "e"), RC_SOURCE, "e/data/three.json.gz\" is not listed");
    write_export(&dir, "f", 4);
    fails_to_open(scratch_path(&dir, "f"), RC_SOURCE, "3 items, the summary says 4");
    write_export(&dir, "g", 3);
    assert_int_equal(unlink(scratch_path(&dir, "g/manifest-summary.json")), 0);
    fails_to_open(scratch_path(&dir, "g"), RC_USAGE, "without \"manifest-summary.json\"");
    write_export(&dir, "h", 3);
    (void)scratch_write(&dir, "h/manifest-files.md5", STR("1B2M2Y8AsgTpgAmY7PhCfg=="));
    fails_to_open(scratch_path(&dir, "h"), RC_SOURCE, "does not match");
    scratch_release(&dir);
}

static void test_export_with_an_altered_file(void **state)
{
    (void)state;
    struct scratch dir;
    struct err err;
    scratch_init(&dir);
    write_export(&dir, "e", 3);
    (void)scratch_gzip(&dir, "e/data/one.json.gz",
                       STR("{\"Item\":" ITEM("a") "}\n{\"Item\":" ITEM("b") "}\n"));
    assert_int_equal(read_all(scratch_path(&dir, "e"), &err), RC_SOURCE);
    assert_non_null(strstr(err.msg, "e/data/one.json.gz"));
    assert_non_null(strstr(err.msg, "MD5"));
    scratch_release(&dir);
}

static void test_export_with_another_item_count(void **state)
{
    (void)state;
    struct scratch dir;
    struct err err;
    struct buf files, packed;
    scratch_init(&dir);
    write_export(&dir, "e", 2);
    buf_init(&files, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    scratch_add_gzip(&packed, STR("{\"Item\":" ITEM("a") "}\n"));
    (void)scratch_write(&dir, "e/data/one.json.gz", buf_view(&packed));
    add_listed(&files, "one.json.gz", buf_view(&packed), 2);
    (void)scratch_write(&dir, "e/manifest-files.json", buf_view(&files));
    assert_int_equal(unlink(scratch_path(&dir, "e/data/two.json.gz")), 0);
    assert_int_equal(read_all(scratch_path(&dir, "e"), &err), RC_SOURCE);
    assert_non_null(strstr(err.msg, "holds 1 items, the manifest says 2"));
    buf_release(&files);
    buf_release(&packed);
    scratch_release(&dir);
}

/* Real exports, where they are at hand. */
static void test_sample_exports(void **state)
{
    (void)state;
    struct source *s = NULL;
    struct err err;
    struct drain d;
    const char *path = "../shared/data/sample-export/dynamodb-export";
    if (access(path, R_OK) != 0) {
        print_message("SKIPPED: no sample export at %s\n", path);
        skip();
    }
    drain_init(&d);
    assert_int_equal(open_path(path, &s, &err), RC_OK);
    assert_int_equal(drain_run(&d, s, UINT64_MAX, &err), RC_OK);
    assert_int_equal(d.bag.n, 3);
    assert_int_equal(d.bytes_in, 253);
    s->ops->free(s);
    drain_release(&d);
    fails_to_open("../shared/data/sample-export/incremental-made", RC_USAGE, "incremental");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_export_is_found_from_any_folder_above),
        cmocka_unit_test(test_export_identity_is_its_checksums),
        cmocka_unit_test(test_export_that_lost_or_gained_a_file),
        cmocka_unit_test(test_export_with_an_altered_file),
        cmocka_unit_test(test_export_with_another_item_count),
        cmocka_unit_test(test_sample_exports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
