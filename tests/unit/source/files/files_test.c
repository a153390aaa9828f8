/* SPDX-License-Identifier: MIT */
/*
 * Files and folders as an operator names them: what is read, what is refused, and what becomes
 * of documents that are broken and files that change.
 */
#include "pipeline/source/files/files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/harness/drain.h"
#include "tests/harness/open_files.h"
#include "tests/harness/scratch.h"

static void test_documents_of_all_kinds(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    static const char *const TEXTS[] = {
        ITEM("a") "\n" ITEM("b") "\n",
        "\xef\xbb\xbf" ITEM("a") "\n" ITEM("b"),
        "[" ITEM("a") "," ITEM("b") "]",
        "{\"Items\":[" ITEM("a") "],\"Count\":1}\n{\"Items\":[" ITEM("b") "],\"Count\":1}\n",
        "{\"Responses\":{\"t\":[" ITEM("a") "," ITEM("b") "]}}",
        "{\"ModelName\":\"m\",\"DataModel\":[{\"TableData\":[" ITEM(
            "a") "]},{\"TableData\":[" ITEM("b") "]}]}",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        const char *const want[] = {ITEM("a"), ITEM("b"), NULL};
        reads_as(scratch_write(&dir, "f", str_of(TEXTS[i])), want);
        reads_as(scratch_gzip(&dir, "f", str_of(TEXTS[i])), want);
        reads_as(scratch_zstd(&dir, "f", str_of(TEXTS[i])), want);
    }
    reads_as(scratch_write(&dir, "f", STR("{\n \"PK\": {\n  \"S\": \"a\"\n }\n}\n")),
             (const char *const[]){"{\n \"PK\": {\n  \"S\": \"a\"\n }\n}", NULL});
    reads_as(scratch_write(&dir, "f", STR("")), (const char *const[]){NULL});
    reads_as(scratch_gzip(&dir, "f", STR("\n")), (const char *const[]){NULL});
    scratch_release(&dir);
}

static void test_broken_documents_end_in_a_fault(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    reads_as(scratch_write(&dir, "f", STR("[" ITEM("a") ",{\"PK\":{\"S\"")),
             (const char *const[]){ITEM("a"), "!truncated-document 10 {\"PK\":{\"S\"", NULL});
    reads_as(scratch_write(&dir, "f", STR("{\"Items\":[" ITEM("a") "]")),
             (const char *const[]){ITEM("a"), "!truncated-document 0 ", NULL});
    reads_as(scratch_write(&dir, "f", STR("[" ITEM("a") " " ITEM("b") "]")),
             (const char *const[]){ITEM("a"), "!malformed-document 18  " ITEM("b") "]", NULL});
    scratch_release(&dir);
}

static void test_folder_reads_data_files_only(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    fails_to_open(dir.dir, RC_USAGE, "holds no data files");
    (void)scratch_gzip(&dir, "none/notes.txt.gz", STR("not data"));
    fails_to_open(scratch_path(&dir, "none"), RC_USAGE, "holds no data files");
    (void)scratch_write(&dir, "in/b.jsonl", STR(ITEM("1")));
    (void)scratch_gzip(&dir, "in/sub/a.json.gz", STR(ITEM("2") "\n"));
    (void)scratch_zstd(&dir, "in/c.ndjson.zst", STR("[" ITEM("3") "]"));
    (void)scratch_write(&dir, "in/README.txt", STR("not data"));
    (void)scratch_write(&dir, "in/.hidden.json", STR("not data"));
    reads_as(scratch_path(&dir, "in"),
             (const char *const[]){ITEM("1"), ITEM("2"), ITEM("3"), NULL});
    reads_as(scratch_path(&dir, "in/"),
             (const char *const[]){ITEM("1"), ITEM("2"), ITEM("3"), NULL});
    (void)scratch_write(&dir, "in/D.JSON", STR(ITEM("4")));
    (void)scratch_gzip(&dir, "in/0f3a.gz", STR("{\"Item\":" ITEM("5") "}\n"));
    (void)scratch_gzip(&dir, "in/sub/notes.txt.gz", STR("not data"));
    reads_as(scratch_path(&dir, "in"),
             (const char *const[]){ITEM("1"), ITEM("2"), ITEM("3"), ITEM("4"),
                                   "{\"Item\":" ITEM("5") "}", NULL});
    struct source *s = NULL;
    struct err err;
    assert_int_equal(open_path(scratch_path(&dir, "in"), &s, &err), RC_OK);
    assert_true(str_starts(s->notice, STR("2 files are not read, such as \"")));
    assert_non_null(strstr(s->notice.p, "/notes.txt.gz\""));
    s->ops->free(s);
    (void)scratch_write(&dir, "in/d.json", STR("hello"));
    fails_to_open(scratch_path(&dir, "in"), RC_USAGE, "in/d.json\" is not DynamoDB JSON");
    scratch_release(&dir);
}

static void test_paths_that_cannot_be_read(void **state)
{
    (void)state;
    struct source *s = NULL;
    struct err err = {0};
    fails_to_open("/nonexistent/x.json", RC_USAGE, "cannot open \"/nonexistent/x.json\"");
    assert_int_equal(open_paths(NULL, 0, &s, &err), RC_USAGE);
}

static void test_identity_knows_size_and_time(void **state)
{
    (void)state;
    struct scratch dir;
    struct source *s = NULL;
    struct err err;
    scratch_init(&dir);
    const char *path = scratch_write(&dir, "f", STR(ITEM("a") "\n"));
    struct timespec times[2] = {{1000, 5}, {1000, 7}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(open_path(path, &s, &err), RC_OK);
    char *text = strndup(s->identity.p, s->identity.n);
    assert_non_null(text);
    assert_non_null(strstr(text, "/f\" lines size 17 mtime 1000000000007\n"));
    assert_true(s->resumable);
    assert_int_equal(s->bytes, 17);
    assert_int_equal(s->segments, 1);
    assert_non_null(s->description.p);
    free(text);
    s->ops->free(s);
    scratch_release(&dir);
}

static void test_file_that_changes_is_told(void **state)
{
    (void)state;
    struct scratch dir;
    struct source *s = NULL;
    struct err err;
    scratch_init(&dir);
    for (int packed = 0; packed < 2; packed++) {
        struct drain d;
        drain_init(&d);
        const char *path =
            (packed ? scratch_gzip : scratch_write)(&dir, "f", STR(ITEM("a") "\n"));
        assert_int_equal(open_path(path, &s, &err), RC_OK);
        (void)scratch_write(&dir, "f", STR(ITEM("a") "\n" ITEM("b") "\n"));
        assert_int_equal(drain_run(&d, s, UINT64_MAX, &err), RC_SOURCE);
        assert_non_null(strstr(err.msg, "changed while it was read"));
        s->ops->free(s);
        drain_release(&d);
    }
    scratch_release(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents_of_all_kinds),
        cmocka_unit_test(test_broken_documents_end_in_a_fault),
        cmocka_unit_test(test_folder_reads_data_files_only),
        cmocka_unit_test(test_paths_that_cannot_be_read),
        cmocka_unit_test(test_identity_knows_size_and_time),
        cmocka_unit_test(test_file_that_changes_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
