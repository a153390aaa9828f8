/* SPDX-License-Identifier: MIT */
/* Reasons are counted by kind and name, bounded, with the first example. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/row/reasons.h"

static void add(struct reasons *r, enum reject_kind kind, struct str name, uint64_t count)
{
    struct err err = {0};
    struct reason one = {.kind = kind, .name = name, .count = count};
    assert_int_equal(reasons_add(r, &one, &err), RC_OK);
}

static void test_kinds_and_names_are_counted_apart(void **state)
{
    (void)state;
    struct reasons r = {0};
    add(&r, REJECT_UNROUTED, STR("cast"), 1);
    add(&r, REJECT_ITEM, STR("cast"), 2);
    add(&r, REJECT_ITEM, STR("bad-json"), 5);
    add(&r, REJECT_ITEM, STR("cast"), 3);
    add(&r, REJECT_ITEM, STR("ambiguous"), 5);
    reasons_sort(&r);
    static const struct {
        enum reject_kind kind;
        const char *name;
        uint64_t count;
    } WANT[] = {{REJECT_ITEM, "ambiguous", 5},
                {REJECT_ITEM, "bad-json", 5},
                {REJECT_ITEM, "cast", 5},
                {REJECT_UNROUTED, "cast", 1}};
    assert_int_equal(r.n, 4);
    for (size_t i = 0; i < r.n; i++) {
        assert_int_equal(r.v[i].kind, WANT[i].kind);
        assert_true(str_is(r.v[i].name, WANT[i].name));
        assert_int_equal(r.v[i].count, WANT[i].count);
    }
    reasons_release(&r);
    assert_int_equal(r.n, 0);
}

static void test_types_without_end_are_bounded_and_none_is_lost(void **state)
{
    (void)state;
    struct reasons r = {0};
    char name[16];
    for (int i = 0; i < 3 * REASONS_MAX; i++) {
        (void)snprintf(name, sizeof name, "T%d", i);
        add(&r, REJECT_UNROUTED, str_of(name), 1);
    }
    add(&r, REJECT_ITEM, STR("cast"), 1); /* the other kind has room of its own */
    uint64_t sum = 0;
    for (size_t i = 0; i < r.n; i++)
        sum += r.v[i].count;
    assert_int_equal(r.n, REASONS_MAX + 1);
    assert_int_equal(sum, 3 * REASONS_MAX + 1);
    reasons_sort(&r);
    assert_true(str_is(r.v[0].name, "cast"));
    assert_true(str_is(r.v[1].name, "(others)"));
    reasons_release(&r);
}

static void test_long_names_are_cut_between_characters(void **state)
{
    (void)state;
    struct reasons r = {0};
    char name[300];
    memset(name, 'x', sizeof name);
    name[REASONS_NAME_MAX - 1] = '\xC3'; /* a character of two bytes across the end */
    name[REASONS_NAME_MAX] = '\xA9';
    add(&r, REJECT_UNROUTED, str_make(name, sizeof name), 1);
    assert_int_equal(r.v[0].name.n, REASONS_NAME_MAX - 1);
    reasons_release(&r);
}

static void test_example_is_the_first_by_place(void **state)
{
    (void)state;
    struct reasons r = {0};
    struct err err = {0};
    struct reject at[] = {
        {.reason = "cast", .example = STR("at 7"), .position = 7},
        {.reason = "cast", .example = STR("at 3"), .position = 3},
        {.reason = "cast", .example = STR("elsewhere"), .position = 1},
        {.kind = REJECT_UNROUTED, .entity = STR("Alien"), .reason = "unrouted"},
    };
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(reasons_count(&r, &at[i], i == 2 ? 9 : 2, &err), RC_OK);
    assert_int_equal(r.n, 2);
    assert_int_equal(r.v[0].count, 3);
    assert_true(str_is(r.v[0].example, "at 3"));
    assert_true(str_is(r.v[1].name, "Alien"));
    assert_int_equal(r.v[1].example.n, 0);
    reasons_release(&r);
}

static void test_columns_are_counted_apart_and_bounded(void **state)
{
    (void)state;
    struct reasons r = {0};
    struct err err = {0};
    char name[16];
    for (int i = 0; i < 2 * REASONS_MAX; i++) {
        (void)snprintf(name, sizeof name, "c%d", i);
        struct reject one = {.reason = "cast", .column = str_of(name), .example = str_of(name)};
        assert_int_equal(reasons_count(&r, &one, 0, &err), RC_OK);
    }
    struct reject late = {.reason = "not-null", .column = STR("x")};
    assert_int_equal(reasons_count(&r, &late, 0, &err), RC_OK);
    assert_int_equal(r.n, REASONS_MAX + 1); /* the others of both reasons */
    assert_int_equal(reasons_named(&r, 0), 2 * REASONS_MAX);
    assert_true(reasons_is_first(&r, 0));
    assert_false(reasons_is_first(&r, 1));
    reasons_sort(&r);
    assert_true(str_is(r.v[0].column, "(others)") && str_is(r.v[0].name, "cast"));
    reasons_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_and_names_are_counted_apart),
        cmocka_unit_test(test_types_without_end_are_bounded_and_none_is_lost),
        cmocka_unit_test(test_long_names_are_cut_between_characters),
        cmocka_unit_test(test_example_is_the_first_by_place),
        cmocka_unit_test(test_columns_are_counted_apart_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
