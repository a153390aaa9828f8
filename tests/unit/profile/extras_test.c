/* SPDX-License-Identifier: MIT */
/* However a run is cut into parts, their sum is the same, with more names than there is room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/profile/extras.h"

static struct column columns[] = {{.name = {"extra", 5}, .type = COL_JSONB, .extra = true}};
static struct table tables[] = {
    {.name = {"a", 1}, .columns = columns, .ncolumns = 1},
    {.name = {"kid", 3}, .kind = TABLE_CHILD, .comment = {"A.kids", 6}},
};
static struct str entities[] = {{"A", 1}, {"B", 1}};
static const struct schema SCHEMA = {
    .tables = tables, .ntables = 2, .entities = entities, .nentities = 2};

static void begin(struct extras *e)
{
    assert_int_equal(extras_init(e, &SCHEMA, true), RC_OK);
}

/* An attribute called n<number>. */
static void count(struct extras *e, unsigned number, enum val_kind kind, uint32_t segment,
                  uint64_t item)
{
    char name[32], text[32];
    (void)snprintf(name, sizeof name, "n%u", number);
    (void)snprintf(text, sizeof text, "%u-%llu", segment, (unsigned long long)item);
    struct member m = {str_of(name), {.kind = kind, .u.s = str_of(text)}};
    struct row row = {.extra = &m, .nextra = 1};
    assert_int_equal(extras_count(e, number % 2, &row, (struct extra_place){segment, item}),
                     RC_OK);
}

static uint64_t total(const struct extras *e)
{
    uint64_t n = 0;
    for (uint32_t p = 0; p < e->n; p++) {
        n += e->places[p].others;
        for (uint32_t i = 0; i < e->places[p].n; i++) {
            for (unsigned k = 0; k < PROFILE_KINDS; k++)
                n += e->places[p].v[i]->counts[k];
        }
    }
    return n;
}

static void assert_same(const struct extras *a, const struct extras *b)
{
    for (uint32_t p = 0; p < a->n; p++) {
        assert_int_equal(a->places[p].n, b->places[p].n);
        assert_int_equal(a->places[p].others, b->places[p].others);
        for (uint32_t i = 0; i < a->places[p].n; i++) {
            const struct extra *x = a->places[p].v[i], *y = b->places[p].v[i];
            assert_true(str_eq(x->name, y->name));
            assert_memory_equal(x->counts, y->counts, sizeof x->counts);
            assert_true(str_eq(x->example, y->example));
        }
    }
}

/* Numbers that look as if they were drawn. */
static unsigned draw(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

static void test_parts_sum_up_to_the_whole(void **state)
{
    (void)state;
    enum { VALUES = 20000, NAMES = 3000, PARTS = 3 };
    struct extras whole, sum, part[PARTS], flown;
    unsigned seed = 1;
    begin(&whole);
    begin(&sum);
    begin(&flown);
    for (int i = 0; i < PARTS; i++)
        begin(&part[i]);
    for (unsigned i = 0; i < VALUES; i++) {
        unsigned name = draw(&seed) % NAMES, p = draw(&seed) % PARTS;
        enum val_kind kind = draw(&seed) % 3 ? VAL_S : VAL_B;
        count(&whole, name, kind, p, i);
        count(&part[p], name, kind, p, i);
        if (draw(&seed) % 700 == 0) { /* a commit */
            extras_move(&flown, &part[p]);
            assert_int_equal(extras_merge(&sum, &flown), RC_OK);
            extras_clear(&flown);
        }
    }
    for (int i = 0; i < PARTS; i++) {
        assert_int_equal(extras_merge(&sum, &part[i]), RC_OK);
        extras_release(&part[i]);
    }
    assert_int_equal(whole.places[0].n, EXTRAS_MAX);
    assert_int_equal(total(&whole), VALUES);
    assert_same(&whole, &sum);
    extras_release(&flown);
    extras_release(&sum);
    extras_release(&whole);
}

static void test_the_first_value_of_the_source_is_the_example(void **state)
{
    (void)state;
    struct extras e;
    begin(&e);
    count(&e, 2, VAL_S, 3, 7);
    count(&e, 2, VAL_S, 2, 90);
    count(&e, 2, VAL_S, 2, 8);
    count(&e, 2, VAL_S, 5, 1);
    assert_int_equal(e.places[0].n, 1);
    assert_true(str_is(e.places[0].v[0]->example, "{\"S\":\"2-8\"}"));
    assert_int_equal(e.places[0].v[0]->counts[VAL_S], 4);
    extras_release(&e);
}

static void test_no_example_is_kept_where_none_is_wanted(void **state)
{
    (void)state;
    struct extras e;
    assert_int_equal(extras_init(&e, &SCHEMA, false), RC_OK);
    count(&e, 2, VAL_S, 3, 7);
    assert_int_equal(e.places[0].v[0]->example.n, 0);
    extras_release(&e);
}

static void test_long_texts_are_cut_at_a_character(void **state)
{
    (void)state;
    struct extras e;
    char name[600];
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = i % 2 ? '\xa9' : '\xc3';
    struct member m = {str_make(name, 600), {.kind = VAL_S, .u.s = str_make(name, 600)}};
    struct row row = {.extra = &m, .nextra = 1};
    begin(&e);
    assert_int_equal(extras_count(&e, 0, &row, (struct extra_place){0, 0}), RC_OK);
    assert_int_equal(e.places[0].v[0]->name.n, EXTRAS_NAME - 1);
    assert_true(e.places[0].v[0]->example.n <= EXTRAS_EXAMPLE);
    extras_release(&e);
}

static void test_places_have_names(void **state)
{
    (void)state;
    assert_int_equal(extras_place(&SCHEMA, 1, 0), 1);
    assert_true(str_is(extras_place_name(&SCHEMA, 1), "B"));
    assert_true(str_is(extras_place_name(&SCHEMA, extras_place(&SCHEMA, 1, 1)), "A.kids"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_sum_up_to_the_whole),
        cmocka_unit_test(test_the_first_value_of_the_source_is_the_example),
        cmocka_unit_test(test_no_example_is_kept_where_none_is_wanted),
        cmocka_unit_test(test_long_texts_are_cut_at_a_character),
        cmocka_unit_test(test_places_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
