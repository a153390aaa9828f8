/* SPDX-License-Identifier: MIT */
/* Every kind that a cast takes has a counter of its own, and no two cells share one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/cast/cast.h"
#include "pipeline/profile/layout.h"

/* A value of each kind whose text, if it is one, spells something of the type. */
static struct val sample(enum val_kind kind, enum col_type type)
{
    static struct val element;
    static const char *const SPELT[COL_TYPES] = {
        [COL_TEXT] = "x",
        [COL_INTEGER] = "1",
        [COL_BIGINT] = "1",
        [COL_NUMERIC] = "1",
        [COL_DOUBLE] = "1",
        [COL_BOOLEAN] = "true",
        [COL_BYTEA] = "x",
        [COL_DATE] = "2024-01-31",
        [COL_TIMESTAMPTZ] = "2024-01-31T00:00:00Z",
        [COL_UUID] = "123e4567-e89b-12d3-a456-426614174000",
        [COL_JSONB] = "x",
        [COL_TEXT_ARRAY] = "x",
        [COL_NUMERIC_ARRAY] = "1",
        [COL_BYTEA_ARRAY] = "x",
    };
    struct val v = {.kind = kind, .u.s = str_of(SPELT[type])};
    if (kind == VAL_N)
        v.u.s = STR("1");
    if (kind == VAL_BOOL)
        v.u.boolean = true;
    if (kind == VAL_M)
        v.u.members = NULL;
    if (kind == VAL_L || kind >= VAL_SS) {
        v.u.list = &element;
        v.n = 0;
    }
    return v;
}

static void test_what_a_cast_takes_is_counted_apart(void **state)
{
    (void)state;
    for (enum col_type type = COL_TEXT; type < COL_TYPES; type++) {
        for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
            struct arena a;
            struct datum d;
            struct fault why;
            unsigned used = 0;
            struct cast cast = {.type = type, .lossy = LOSSY_FLOAT | LOSSY_JSON | LOSSY_NUL};
            struct val v = sample((enum val_kind)k, type);
            arena_init(&a, 1024);
            bool took = !cast_value(&cast, &v, &a, &d, &used, &why);
            cast.unit = UNIT_S;
            if (!took && type == COL_TIMESTAMPTZ)
                took = !cast_value(&cast, &v, &a, &d, &used, &why);
            if (took) {
                assert_true(profile_layout_counts(type, (enum val_kind)k));
                assert_int_equal(d.kind, k);
            }
            arena_release(&a);
        }
    }
}

static struct column columns[] = {
    {.name = {"id", 2}, .type = COL_TEXT},
    {.name = {"n", 1}, .type = COL_BIGINT},
    {.name = {"extra", 5}, .type = COL_JSONB, .extra = true},
};
static struct table tables[] = {
    {.name = {"a", 1}, .columns = columns, .ncolumns = 3},
    {.name = {"b", 1}, .columns = columns, .ncolumns = 2},
};
static struct str entities[] = {{"A", 1}};
static const struct schema SCHEMA = {
    .tables = tables, .ntables = 2, .entities = entities, .nentities = 1};

static void test_cells_share_no_counter(void **state)
{
    (void)state;
    struct profile_layout l;
    uint32_t n = profile_layout_size(&SCHEMA);
    uint32_t first = CNT_FIXED + SCHEMA.ntables;
    unsigned char *used = calloc(first + n, 1);
    assert_int_equal(profile_layout_init(&l, &SCHEMA), RC_OK);
    used[l.looked]++;
    used[l.entities]++;
    for (uint32_t i = 0; i < 2; i++)
        used[l.copies + i]++;
    for (uint32_t c = 0; c < 5; c++) {
        const struct column *of = &columns[c < 3 ? c : c - 3];
        for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
            bool own =
                of->extra ? k == VAL_M : profile_layout_counts(of->type, (enum val_kind)k);
            if (own)
                used[profile_cell_at(&l.cells[c], k)]++;
        }
    }
    for (uint32_t i = 0; i < first + n; i++)
        assert_int_equal(used[i], i >= first);
    free(used);
    profile_layout_release(&l);
}

static void test_rows_and_copies_are_counted(void **state)
{
    (void)state;
    struct profile_layout l;
    uint64_t c[64] = {0};
    struct datum cells[3] = {{.state = DATUM_VALUE, .kind = VAL_S},
                             {.state = DATUM_NULL, .kind = VAL_NULL}};
    struct row rows[2] = {{.table = 0, .extract = UINT32_MAX, .cells = cells},
                          {.table = 1, .extract = 0, .cells = cells}};
    assert_true(CNT_FIXED + 2 + profile_layout_size(&SCHEMA) <= 64);
    assert_int_equal(profile_layout_init(&l, &SCHEMA), RC_OK);
    profile_layout_count(&l, 0, rows, 2, c);
    assert_int_equal(c[CNT_FIXED], 1);
    assert_int_equal(c[CNT_FIXED + 1], 0);
    assert_int_equal(c[l.copies + 1], 1);
    assert_int_equal(c[l.entities], 1);
    assert_int_equal(c[profile_cell_at(&l.cells[0], VAL_S)], 1);
    assert_int_equal(c[profile_cell_at(&l.cells[1], VAL_N)], 0);
    assert_int_equal(c[profile_cell_at(&l.cells[1], VAL_NULL)], 1);
    assert_int_equal(c[profile_cell_at(&l.cells[3], VAL_S)], 1);
    profile_layout_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_cast_takes_is_counted_apart),
        cmocka_unit_test(test_cells_share_no_counter),
        cmocka_unit_test(test_rows_and_copies_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
