/* SPDX-License-Identifier: MIT */
/* Problems are told in the order of the text, whatever the order of finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/problems.h"

static void test_problems_print_by_place(void **state)
{
    (void)state;
    struct problems p;
    struct buf out;
    problems_init(&p);
    buf_init(&out, BUF_NO_LIMIT);
    problems_add(&p, (struct place){3, 2}, "third");
    problems_add(&p, (struct place){1, 9}, "second %s", "one");
    problems_add(&p, (struct place){1, 1}, "first\nhint: %d", 7);
    problems_add(&p, (struct place){3, 2}, "fourth, found later");
    problems_add(&p, (struct place){0, 0}, "nowhere");
    problems_print(&p, "m.json", &out);
    assert_int_equal(p.count, 5);
    assert_string_equal(buf_cstr(&out), "m.json: nowhere\n"
                                        "m.json:1:1: first\nhint: 7\n"
                                        "m.json:1:9: second one\n"
                                        "m.json:3:2: third\n"
                                        "m.json:3:2: fourth, found later\n");
    buf_release(&out);
    problems_release(&p);
    assert_int_equal(p.count, 0);
}

static void test_problems_print_nothing_when_empty(void **state)
{
    (void)state;
    struct problems p;
    struct buf out;
    problems_init(&p);
    buf_init(&out, BUF_NO_LIMIT);
    problems_print(&p, "m.json", &out);
    assert_int_equal(out.len, 0);
    buf_release(&out);
    problems_release(&p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_print_by_place),
        cmocka_unit_test(test_problems_print_nothing_when_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
