/* SPDX-License-Identifier: MIT */
/* What goes wrong is printed before the test fails. */
#include "tests/harness/open_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/harness/drain.h"

enum rc open_paths(const char *const *paths, size_t n, struct source **s, struct err *err)
{
    struct files_options opts = {.paths = paths, .npaths = n};
    *err = (struct err){0};
    return files_open(&opts, s, err);
}

enum rc open_path(const char *path, struct source **s, struct err *err)
{
    return open_paths(&path, 1, s, err);
}

void fails_to_open(const char *path, enum rc want, const char *message)
{
    struct source *s = NULL;
    struct err err;
    assert_int_equal(open_path(path, &s, &err), want);
    assert_null(s);
    if (!strstr(err.msg, message))
        print_message("%s\n", err.msg);
    assert_non_null(strstr(err.msg, message));
}

void reads_as(const char *path, const char *const *want)
{
    struct source *s = NULL;
    struct err err;
    struct drain d;
    struct bag bag;
    drain_init(&d);
    bag_init(&bag);
    enum rc rc = open_path(path, &s, &err);
    if (rc)
        print_message("%s\n", err.msg);
    assert_int_equal(rc, RC_OK);
    rc = drain_run(&d, s, UINT64_MAX, &err);
    if (rc)
        print_message("%s\n", err.msg);
    assert_int_equal(rc, RC_OK);
    for (; *want; want++)
        bag_add(&bag, str_of(*want));
    assert_true(bag_same(&d.bag, &bag));
    s->ops->free(s);
    drain_release(&d);
    bag_release(&bag);
}

enum rc read_all(const char *path, struct err *err)
{
    struct source *s = NULL;
    struct drain d;
    drain_init(&d);
    assert_int_equal(open_path(path, &s, err), RC_OK);
    enum rc rc = drain_run(&d, s, UINT64_MAX, err);
    s->ops->free(s);
    drain_release(&d);
    return rc;
}
