/* SPDX-License-Identifier: MIT */
/* Sums of row hashes, the search for keys, and rows cut into cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/compare/tally.h"
#include "pipeline/row/row_line.h"
#include "tests/harness/jsonl_fixture.h"

enum { ROWS = 20000 };

struct side {
    struct tally tally;
    unsigned skip, change, twice; /* row numbers; ROWS: none */
};

/* Gives every row of a side, forwards or backwards, to the tally or to the search. */
static void feed(struct side *s, struct tally_search *search, enum tally_side which, bool back)
{
    struct err err = {0};
    for (unsigned n = 0; n < ROWS; n++) {
        unsigned i = back ? ROWS - 1 - n : n;
        char key[32], line[64];
        if (i == s->skip)
            continue;
        (void)snprintf(key, sizeof key, "k%u", i);
        (void)snprintf(line, sizeof line, "{\"id\":\"k%u\",\"v\":%u}", i,
                       i == s->change ? 0 : i);
        for (unsigned copies = i == s->twice ? 2 : 1; copies; copies--) {
            if (search) {
                assert_int_equal(
                    tally_search_add(search, which, str_of(key), str_of(line), &err), RC_OK);
            } else {
                tally_add(&s->tally, str_of(key), str_of(line));
            }
        }
    }
}

static struct side *new_side(unsigned skip, unsigned change, unsigned twice, bool back)
{
    struct side *s = calloc(1, sizeof *s);
    assert_non_null(s);
    tally_init(&s->tally);
    *s = (struct side){.skip = skip, .change = change, .twice = twice};
    feed(s, NULL, TALLY_A, back);
    return s;
}

static void test_sums_agree_when_rows_come_in_another_order(void **state)
{
    (void)state;
    struct side *a = new_side(ROWS, ROWS, ROWS, false), *b = new_side(ROWS, ROWS, ROWS, true);
    assert_int_equal(tally_differing(&a->tally, &b->tally), 0);
    assert_int_equal(a->tally.rows, ROWS);
    free(a);
    free(b);
}

struct found {
    struct buf text;
    size_t limit;
};

static bool note(void *ctx, const struct tally_found *found)
{
    static const char *const WHAT[] = {"only a", "only b", "differs"};
    struct found *f = ctx;
    buf_addf(&f->text, "%.*s %s\n", STR_FMT(found->key), WHAT[found->what]);
    assert_int_equal(found->sums[TALLY_A].rows == 0, found->what == TALLY_ONLY_B);
    assert_int_equal(found->sums[TALLY_B].rows == 0, found->what == TALLY_ONLY_A);
    assert_false(tally_sum_same(&found->sums[TALLY_A], &found->sums[TALLY_B]));
    return --f->limit > 0;
}

static void test_keys_are_named_when_rows_are_missing_changed_or_doubled(void **state)
{
    (void)state;
    struct side *a = new_side(ROWS, ROWS, 77, false), *b = new_side(11, 22, ROWS, true);
    struct side *c = new_side(33, ROWS, ROWS, false);
    assert_int_equal(tally_differing(&a->tally, &b->tally), 3);
    struct tally_search *search = tally_search_new(&a->tally, &b->tally, 1000000);
    feed(b, search, TALLY_B, false);
    feed(a, search, TALLY_A, false);
    struct found f = {.limit = 100};
    buf_init(&f.text, BUF_NO_LIMIT);
    tally_search_each(search, note, &f);
    assert_string_equal(buf_cstr(&f.text), "k11 only a\nk22 differs\nk77 differs\n");
    assert_int_equal(tally_search_skipped(search), 0);
    tally_search_free(search);

    /* one bucket at a time: the first is hunted, the others are left */
    search = tally_search_new(&c->tally, &b->tally, 1);
    assert_int_equal(tally_search_skipped(search), tally_differing(&c->tally, &b->tally) - 1);
    tally_search_free(search);
    buf_release(&f.text);
    free(a);
    free(b);
    free(c);
}

static void test_row_is_cut_into_its_cells_when_members_are_missing(void **state)
{
    (void)state;
    struct row_line r;
    struct err err;
    struct buf b;
    const struct table *t = &fix_schema.tables[FIX_CONFLICT];
    assert_int_equal(row_line_init(&r, t, &err), RC_OK);
    buf_init(&b, BUF_NO_LIMIT);
    static const char LINE[] =
        "{\"owner\":\"a\\\"},{\",\"kept\":{\"x\":[1,\"}\"],\"y\":{}},\"count\":12}";
    assert_true(row_line_split(
        &r, STR("{\"owner\":\"a\\\"},{\",\"kept\":{\"x\":[1,\"}\"],\"y\":{}},\"count\":12}")));
    assert_true(str_is(r.cells[0], "\"a\\\"},{\""));
    assert_null(r.cells[1].p);
    assert_true(str_is(r.cells[2], "{\"x\":[1,\"}\"],\"y\":{}}"));
    assert_true(str_is(r.cells[4], "12"));
    row_line_join(&r, r.cells, &b);
    assert_string_equal(buf_cstr(&b), LINE);
    assert_true(row_line_split(&r, STR("{}")));
    assert_null(r.cells[0].p);
    static const char *const BAD[] = {"",
                                      "{",
                                      "[]",
                                      "{\"owner\":1",
                                      "{\"nobody\":1}",
                                      "{\"owner\":\"x}",
                                      "{\"count\":1,\"owner\":2}",
                                      "{\"owner\":1}x"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_false(row_line_split(&r, str_of(BAD[i])));
    row_line_release(&r);
    buf_release(&b);
}

static void test_key_is_the_cells_when_the_table_has_one(void **state)
{
    (void)state;
    struct row_line r;
    struct err err;
    struct buf key, shown;
    assert_int_equal(row_line_init(&r, &fix_schema.tables[FIX_CHILD], &err), RC_OK);
    buf_init(&key, BUF_NO_LIMIT);
    buf_init(&shown, BUF_NO_LIMIT);
    assert_true(row_line_split(&r, STR("{\"id\":\"a\",\"ordinal\":3,\"value\":\"v\"}")));
    assert_true(row_line_key(&r, &key));
    tally_key_text(&shown, buf_view(&key));
    assert_string_equal(buf_cstr(&shown), "[\"a\",3]");
    assert_true(row_line_split(&r, STR("{\"id\":\"a\"}")));
    assert_false(row_line_key(&r, &key));
    row_line_release(&r);
    buf_release(&key);
    buf_release(&shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_agree_when_rows_come_in_another_order),
        cmocka_unit_test(test_keys_are_named_when_rows_are_missing_changed_or_doubled),
        cmocka_unit_test(test_row_is_cut_into_its_cells_when_members_are_missing),
        cmocka_unit_test(test_key_is_the_cells_when_the_table_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
