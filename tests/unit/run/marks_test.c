/* SPDX-License-Identifier: MIT */
/* What a commit carries of each started segment, and what is left after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/run/marks.h"

static void touch(struct marks *m, uint32_t segment, const char *resume, uint64_t items)
{
    struct seg_mark *s = marks_find(m, segment);
    assert_non_null(s);
    s->touched = true;
    buf_clear(&s->resume);
    buf_puts(&s->resume, resume);
    s->counters[0] += items;
}

static void test_only_touched_segments_are_committed(void **state)
{
    (void)state;
    struct marks m;
    const struct mark *v = NULL;
    marks_init(&m, 2);
    assert_int_equal(marks_view(&m, &v), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(marks_add(&m, 10 + i, i + 1), RC_OK);
    assert_null(marks_find(&m, 9));
    assert_int_equal(marks_view(&m, &v), 0);
    touch(&m, 12, "far", 5);
    touch(&m, 12, "farther", 2);
    assert_int_equal(marks_view(&m, &v), 1);
    assert_int_equal(v[0].segment, 12);
    assert_int_equal(v[0].epoch, 3);
    assert_int_equal(v[0].counters[0], 7);
    assert_false(v[0].done);
    assert_true(str_is(v[0].resume, "farther"));
    marks_release(&m);
}

static void test_counters_start_again_after_a_commit(void **state)
{
    (void)state;
    struct marks m;
    const struct mark *v = NULL;
    marks_init(&m, 1);
    assert_int_equal(marks_add(&m, 1, 1), RC_OK);
    touch(&m, 1, "a", 3);
    assert_int_equal(marks_committed(&m), 0);
    assert_int_equal(marks_view(&m, &v), 0);
    touch(&m, 1, "b", 4);
    assert_int_equal(marks_view(&m, &v), 1);
    assert_int_equal(v[0].counters[0], 4);
    marks_release(&m);
}

static void test_finished_segments_are_forgotten(void **state)
{
    (void)state;
    enum { MANY = 40 };
    struct marks m;
    const struct mark *v = NULL;
    marks_init(&m, 1);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(marks_add(&m, i, 1), RC_OK);
        touch(&m, i, "x", i);
        marks_find(&m, i)->done = i % 2 == 0;
    }
    assert_int_equal(marks_view(&m, &v), MANY);
    assert_int_equal(v[MANY - 1].counters[0], MANY - 1);
    assert_int_equal(marks_committed(&m), MANY / 2);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(marks_find(&m, i) == NULL, i % 2 == 0);
    assert_int_equal(marks_view(&m, &v), 0);
    marks_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_touched_segments_are_committed),
        cmocka_unit_test(test_counters_start_again_after_a_commit),
        cmocka_unit_test(test_finished_segments_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
