/* SPDX-License-Identifier: MIT */
/* The first example stays, also when several threads come with theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include <cmocka.h>

#include "pipeline/row/note_examples.h"

static void test_first_stays(void **state)
{
    (void)state;
    struct note_examples *x = note_examples_new(2);
    assert_non_null(x);
    assert_true(note_examples_wanted(x, 1));
    assert_false(note_examples_wanted(x, 2));
    note_examples_add(x, 1, STR("one"));
    note_examples_add(x, 1, STR("two"));
    note_examples_add(x, 2, STR("beyond"));
    assert_false(note_examples_wanted(x, 1));
    assert_true(str_is(note_examples_get(x, 1), "one"));
    assert_int_equal(note_examples_get(x, 0).n, 0);
    assert_int_equal(note_examples_get(x, 2).n, 0);
    assert_int_equal(note_examples_get(NULL, 0).n, 0);
    note_examples_free(x);
}

static void *add_all(void *ctx)
{
    for (uint32_t i = 0; i < 100; i++)
        note_examples_add(ctx, i, STR("same"));
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[4];
    struct note_examples *x = note_examples_new(100);
    assert_non_null(x);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_all, x), 0);
    for (int i = 0; i < 4; i++)
        (void)pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < 100; i++)
        assert_true(str_is(note_examples_get(x, i), "same"));
    note_examples_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_stays),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
