/* SPDX-License-Identifier: MIT */
/* The heap's idioms: zeroed objects, arrays that double, and what stays when they cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/memory.h"

static void test_an_object_is_zeroed(void **state)
{
    (void)state;
    static const char ZERO[64] = {0};
    struct err err = {0};
    char *p = memory_new(sizeof ZERO, &err);
    assert_non_null(p);
    assert_memory_equal(p, ZERO, sizeof ZERO);
    free(p);
}

static void test_an_array_doubles_and_keeps_its_elements(void **state)
{
    (void)state;
    uint16_t *v = NULL;
    size_t cap = 0;
    for (uint16_t i = 0; i < 50; i++) {
        uint16_t *room = memory_push(v, i, &cap, 3, sizeof *v);
        assert_non_null(room);
        v = room;
        v[i] = i;
    }
    assert_int_equal(cap, 96);
    for (uint16_t i = 0; i < 50; i++)
        assert_int_equal(v[i], i);
    size_t huge = SIZE_MAX / 4;
    assert_null(memory_push(v, huge, &huge, 3, 16));
    assert_int_equal(huge, SIZE_MAX / 4);
    assert_int_equal(v[49], 49);
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_object_is_zeroed),
        cmocka_unit_test(test_an_array_doubles_and_keeps_its_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
