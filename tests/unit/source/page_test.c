/* SPDX-License-Identifier: MIT */
/* Walking pages of lines and of extents. */
#include "pipeline/source/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void lines_are(const char *text, const char *const *want)
{
    struct page p;
    size_t at = 0;
    struct str raw;
    const char *fault;
    page_init(&p, 1 << 20);
    buf_puts(&p.raw, text);
    p.format = PAGE_LINES;
    for (; *want; want++) {
        assert_true(page_next(&p, &at, &raw, &fault));
        assert_null(fault);
        assert_true(str_is(raw, *want));
        assert_int_equal(page_whole(&p, at, raw), raw.n);
    }
    assert_false(page_next(&p, &at, &raw, &fault));
    page_release(&p);
}

static void test_lines_without_blank_ones(void **state)
{
    (void)state;
    lines_are("", (const char *const[]){NULL});
    lines_are("\n \n\r\n\t\n", (const char *const[]){NULL});
    lines_are("a", (const char *const[]){"a", NULL});
    lines_are("a\nb\n", (const char *const[]){"a", "b", NULL});
    lines_are("\n  a b \r\n\n\tc", (const char *const[]){"a b", "c", NULL});
}

static void test_extents_with_faults(void **state)
{
    (void)state;
    struct page p;
    size_t at = 0;
    struct str raw;
    const char *fault;
    page_init(&p, 1 << 20);
    buf_puts(&p.raw, "[aa,b]");
    p.format = PAGE_EXTENTS;
    assert_int_equal(page_add_extent(&p, 1, 2, NULL), RC_OK);
    assert_int_equal(page_add_extent(&p, 4, 1, "line-too-long"), RC_OK);
    p.extents[1].whole = 99;
    assert_true(page_next(&p, &at, &raw, &fault));
    assert_true(str_is(raw, "aa"));
    assert_null(fault);
    assert_int_equal(page_whole(&p, at, raw), 2);
    assert_true(page_next(&p, &at, &raw, &fault));
    assert_true(str_is(raw, "b"));
    assert_string_equal(fault, "line-too-long");
    assert_int_equal(page_whole(&p, at, raw), 99);
    assert_false(page_next(&p, &at, &raw, &fault));
    page_release(&p);
}

static void test_extents_grow_and_clear_keeps_memory(void **state)
{
    (void)state;
    struct page p;
    page_init(&p, 1 << 20);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(page_add_extent(&p, i, 1, NULL), RC_OK);
    assert_int_equal(p.nextents, 1000);
    buf_puts(&p.raw, "x");
    p.last = true;
    p.segment = 7;
    const struct extent *memory = p.extents;
    const char *bytes = p.raw.p;
    page_clear(&p);
    assert_int_equal(p.nextents, 0);
    assert_int_equal(p.raw.len, 0);
    assert_int_equal(p.segment, 0);
    assert_false(p.last);
    assert_ptr_equal(p.extents, memory);
    assert_ptr_equal(p.raw.p, bytes);
    page_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_without_blank_ones),
        cmocka_unit_test(test_extents_with_faults),
        cmocka_unit_test(test_extents_grow_and_clear_keeps_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
