/* SPDX-License-Identifier: MIT */
/* Arenas: alignment, large pieces, clearing, copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/arena.h"

static void test_pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    struct arena a;
    unsigned char *pieces[300];
    arena_init(&a, 64);
    for (size_t i = 0; i < 300; i++) {
        pieces[i] = arena_alloc(&a, i);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 8, 0);
        memset(pieces[i], (int)(i & 255), i);
    }
    for (size_t i = 0; i < 300; i++) {
        for (size_t k = 0; k < i; k++)
            assert_int_equal(pieces[i][k], i & 255);
    }
    arena_release(&a);
    assert_int_equal(a.taken, 0);
}

static void test_clear_keeps_one_block_for_the_next_batch(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64);
    arena_clear(&a);
    for (int i = 0; i < 100; i++)
        assert_non_null(arena_alloc(&a, 50));
    assert_non_null(arena_alloc(&a, 100000));
    arena_clear(&a);
    size_t taken = a.taken;
    assert_true(taken >= 100000);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++)
            assert_non_null(arena_alloc(&a, 96));
        assert_int_equal(a.taken, taken);
        arena_clear(&a);
    }
    arena_release(&a);
}

static void test_array_is_zeroed_and_refuses_overflow(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    memset(arena_alloc(&a, 800), 'x', 800);
    arena_clear(&a);
    uint64_t *v = arena_array(&a, 100, sizeof *v);
    assert_non_null(v);
    for (int i = 0; i < 100; i++)
        assert_true(v[i] == 0);
    assert_null(arena_array(&a, SIZE_MAX / 4, 8));
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_alloc(&a, SIZE_MAX - 100));
    assert_non_null(ARENA_NEW(&a, struct str));
    arena_release(&a);
}

static void test_push_moves_what_is_there_when_full(void **state)
{
    (void)state;
    struct arena a;
    size_t cap = 0;
    size_t *v = NULL;
    arena_init(&a, 0);
    for (size_t i = 0; i < 100; i++) {
        bool full = i == cap;
        size_t *room = arena_push(&a, v, i, &cap, 3, sizeof *v);
        assert_int_equal(room == v, !full);
        v = room;
        if (v)
            v[i] = i;
    }
    for (size_t i = 0; v && i < 100; i++)
        assert_int_equal(v[i], i);
    assert_non_null(v);
    assert_int_equal(cap, 192);
    cap = SIZE_MAX / 8;
    assert_null(arena_push(&a, v, cap, &cap, 3, sizeof *v * 4));
    assert_int_equal(cap, SIZE_MAX / 8);
    arena_release(&a);
}

static void test_copies_end_in_nul(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 16);
    struct str copy = arena_dup(&a, STR("a\0b"));
    assert_true(str_eq(copy, STR("a\0b")));
    assert_int_equal(copy.p[3], '\0');
    assert_string_equal(arena_cstr(&a, (struct str){NULL, 0}), "");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_aligned_and_apart),
        cmocka_unit_test(test_clear_keeps_one_block_for_the_next_batch),
        cmocka_unit_test(test_array_is_zeroed_and_refuses_overflow),
        cmocka_unit_test(test_push_moves_what_is_there_when_full),
        cmocka_unit_test(test_copies_end_in_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
