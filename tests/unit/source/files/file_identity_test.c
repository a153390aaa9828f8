/* SPDX-License-Identifier: MIT */
/* What differs between two identities of a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/source/files/file_identity.h"

#define HEAD "files 1 slice 5\n"
#define A    "\"/in/a\" lines size 10 mtime 1700000000000000000\n"
#define B    "\"/in/b\" lines size 20 mtime 1700000000000000000\n"

static void test_the_first_difference_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *was, *is, *want;
    } CASES[] = {
        {HEAD A B, HEAD A B, ""},
        {HEAD A B, HEAD A "\"/in/b\" lines size 21 mtime 1700000000000000000\n",
         "\"/in/b\" had 20 bytes, it has 21"},
        {HEAD A, HEAD "\"/in/a\" lines size 10 mtime 1700000001000000000\n",
         "\"/in/a\" was written at 2023-11-14T22:13:20Z and again at 2023-11-14T22:13:21Z"},
        {HEAD A, HEAD "\"/in/a\" document size 10 mtime 1700000000000000000\n",
         "\"/in/a\" was \"lines size 10 mtime 1700000000000000000\", it is \"document size 10 "
         "mtime 1700000000000000000\""},
        {HEAD B, HEAD A B, "\"/in/a\" was not there"},
        {HEAD A, HEAD A B, "\"/in/b\" was not there"},
        {HEAD A B, HEAD B, "\"/in/a\" is gone"},
        {HEAD A B, HEAD A, "\"/in/b\" is gone"},
        {HEAD A, "files 1 slice 6\n" A,
         "it was \"files 1 slice 5\", it is \"files 1 slice 6\""},
        {"table x", "table y\nmore", "it was \"table x\", it is \"table y\""},
        {HEAD, "", "it was \"files 1 slice 5\", it is \"\""},
    };
    struct buf out;
    buf_init(&out, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        buf_clear(&out);
        file_identity_difference(&out, str_of(CASES[i].was), str_of(CASES[i].is));
        assert_string_equal(buf_cstr(&out), CASES[i].want);
    }
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_difference_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
