/* SPDX-License-Identifier: MIT */
/* Where --summary goes: files, folders, pipes, and places that are not there. */
#include "cmd/print/summary_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_writing_replaces_in_one_step(void **state)
{
    (void)state;
    char path[] = "/tmp/renorm-summary-XXXXXX";
    char got[16] = "";
    struct err err = {0};
    struct buf text;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    buf_init(&text, 1024);
    buf_puts(&text, "{}\n");
    assert_int_equal(summary_file_write(path, &text, &err), RC_OK);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(got, 1, sizeof got - 1, f), 3);
    (void)fclose(f);
    assert_string_equal(got, "{}\n");
    (void)unlink(path);
    assert_int_equal(summary_file_write("/nonexistent/folder/x", &text, &err), RC_TRANSIENT);
    assert_non_null(strstr(err.msg, "cannot write \"/nonexistent/folder/x\""));
    buf_release(&text);
}

static void test_a_place_that_cannot_be_written_is_known_before(void **state)
{
    (void)state;
    char path[] = "/tmp/renorm-summary-XXXXXX";
    struct err err = {0};
    assert_non_null(mkdtemp(path));
    assert_int_equal(summary_file_check("summary", "/nonexistent/folder/x", &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "hint: "));
    assert_int_equal(summary_file_check("summary", path, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "it is a folder"));
    struct buf name;
    buf_init(&name, 1024);
    buf_addf(&name, "%s/sum.json", path);
    assert_int_equal(summary_file_check("summary", buf_cstr(&name), &err), RC_OK);
    buf_release(&name);
    assert_int_equal(rmdir(path), 0); /* it left nothing behind */
    assert_int_equal(summary_file_check("summary", NULL, &err), RC_OK);
}

static void test_what_is_no_file_is_not_replaced(void **state)
{
    (void)state;
    char dir[] = "/tmp/renorm-summary-XXXXXX";
    char got[8] = "";
    struct err err = {0};
    struct buf text, name;
    assert_non_null(mkdtemp(dir));
    buf_init(&text, 1024);
    buf_init(&name, 1024);
    buf_puts(&text, "{}\n");
    buf_addf(&name, "%s/pipe", dir);
    assert_int_equal(mkfifo(buf_cstr(&name), 0600), 0);
    int fd = open(buf_cstr(&name), O_RDWR | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(summary_file_check("summary", buf_cstr(&name), &err), RC_OK);
    assert_int_equal(summary_file_write(buf_cstr(&name), &text, &err), RC_OK);
    assert_int_equal(read(fd, got, sizeof got), 3);
    assert_string_equal(got, "{}\n");
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(buf_cstr(&name)), 0);
    assert_int_equal(rmdir(dir), 0);
    buf_release(&name);
    buf_release(&text);
}

static void test_failure_spoils_only_what_went_well(void **state)
{
    (void)state;
    static const char NOWHERE[] = "/nonexistent/folder/x";
    struct err err = {0};
    struct buf text;
    buf_init(&text, 1024);
    assert_int_equal(summary_file_end(NULL, &text, RC_OK, &err), RC_OK);
    assert_int_equal(summary_file_end(NOWHERE, &text, RC_OK, &err), RC_TRANSIENT);
    assert_non_null(strstr(err.msg, "cannot write"));
    err_clear(&err);
    (void)err_set(&err, RC_SINK, "the first");
    assert_int_equal(summary_file_end(NOWHERE, &text, RC_SINK, &err), RC_SINK);
    assert_string_equal(err.msg, "the first");
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writing_replaces_in_one_step),
        cmocka_unit_test(test_a_place_that_cannot_be_written_is_known_before),
        cmocka_unit_test(test_what_is_no_file_is_not_replaced),
        cmocka_unit_test(test_failure_spoils_only_what_went_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
