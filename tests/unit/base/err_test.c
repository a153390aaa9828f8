/* SPDX-License-Identifier: MIT */
/* Error values: class, context in front, hints behind, texts that do not fit. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/err.h"

static void test_set_gives_class_and_text(void **state)
{
    (void)state;
    struct err err;
    assert_int_equal(err_set(&err, RC_AUTH, "no key for \"%s\"", "x"), RC_AUTH);
    assert_int_equal(err.rc, RC_AUTH);
    assert_string_equal(err.msg, "no key for \"x\"");
    err_clear(&err);
    assert_int_equal(err.rc, RC_OK);
    assert_string_equal(err.msg, "");
}

static void test_context_comes_first_and_hint_last(void **state)
{
    (void)state;
    struct err err;
    (void)err_set(&err, RC_USAGE, "unknown table");
    assert_int_equal(err_hint(&err, "try %d", 2), RC_USAGE);
    assert_int_equal(err_context(&err, "segment %d", 12), RC_USAGE);
    assert_string_equal(err.msg, "segment 12: unknown table\nhint: try 2");
}

static void test_errno_appends_its_text(void **state)
{
    (void)state;
    struct err err;
    assert_int_equal(err_errno(&err, RC_TRANSIENT, ENOENT, "open \"%s\"", "f"), RC_TRANSIENT);
    assert_string_equal(err.msg, "open \"f\": No such file or directory");
}

static void test_text_is_cut_when_it_does_not_fit(void **state)
{
    (void)state;
    struct err err;
    char long_text[sizeof err.msg * 2];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    (void)err_set(&err, RC_DATA, "%s", long_text);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    (void)err_context(&err, "in front");
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_memory_equal(err.msg, "in front: xxx", 13);
    (void)err_hint(&err, "lost");
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
}

static void test_nomem_says_so(void **state)
{
    (void)state;
    struct err err;
    assert_int_equal(err_nomem(&err), RC_NOMEM);
    assert_string_equal(err.msg, "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_gives_class_and_text),
        cmocka_unit_test(test_context_comes_first_and_hint_last),
        cmocka_unit_test(test_errno_appends_its_text),
        cmocka_unit_test(test_text_is_cut_when_it_does_not_fit),
        cmocka_unit_test(test_nomem_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
