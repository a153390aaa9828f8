/* SPDX-License-Identifier: MIT */
/* What is to be put back, newest first, when the journal of a backfill is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/journals.h"
#include "tests/harness/jsonl_fixture.h"

static void outcome(struct journal *j, uint64_t id, enum outcome what)
{
    assert_int_not_equal(journal_outcome(j, id, what), 0);
}

static void settled(struct journal *j, uint32_t generation, uint32_t worker, uint64_t id,
                    enum outcome what)
{
    assert_int_not_equal(journal_settled(j, generation, worker, id, what), 0);
}

/* Two passes, the first of two processes with two workers. */
static void write_history(struct journals *t)
{
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0), *k = journals_open(t, 1);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    uint64_t b = journals_intent(k, 1, "b", "0", "1");
    outcome(j, a, OUTCOME_CHANGED);
    journals_flush(j);
    uint64_t c = journals_intent(j, 0, "c", NULL, "1");
    uint64_t d = journals_intent(j, 0, "d", NULL, "1");
    outcome(j, d, OUTCOME_VOID);
    outcome(k, b, OUTCOME_CHANGED);
    journals_close(j);
    journals_close(k);
    journals_begin(t, PASS_FILL);
    j = journals_open(t, 0);
    settled(j, 1, 0, c, OUTCOME_VOID);
    uint64_t e = journals_intent(j, 0, "e", NULL, "1");
    uint64_t f = journals_intent(j, 0, "f", NULL, "1");
    outcome(j, f, OUTCOME_CHANGED);
    outcome(j, e, OUTCOME_CHANGED);
    journals_close(j);
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    assert_int_equal(journals_try(t, PASS_FILL, "other", false), RC_OK);
    j = journals_open(t, 0);
    uint64_t g = journals_intent(j, 0, "a", "1", NULL);
    (void)journals_intent(j, 0, "h", "1", "2");
    outcome(j, g, OUTCOME_CHANGED);
    journals_close(j);
}

static const char HISTORY[] = "2.1.0.2 h 1->2?\n2.1.0.1 a 1->-\n1.2.0.3 f -->1\n"
                              "1.2.0.2 e -->1\n1.1.1.1 b 0->1\n1.1.0.1 a -->1\n";

static void test_history_is_newest_first_when_there_are_several_passes(void **state)
{
    struct journals *t = *state;
    struct history *h = NULL;
    write_history(t);
    journals_expect_history(t, HISTORY);
    assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
    assert_int_equal(history_count(h), 6);
    history_close(h);
}

static void test_history_is_the_same_when_an_undo_is_under_way(void **state)
{
    struct journals *t = *state;
    write_history(t);
    journals_begin(t, PASS_UNDO);
    struct journal *j = journals_open(t, 0);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    outcome(j, a, OUTCOME_CHANGED);
    journals_close(j);
    journals_expect_history(t, HISTORY);
    journals_begin(t, PASS_UNDO);
    journals_expect_history(t, HISTORY);
    journals_expect_resume_point(t, "items 0\n3.1.0.1 a -->1\n");
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    journals_expect_history(t, "");
    journals_begin(t, PASS_FILL);
    j = journals_open(t, 0);
    (void)journals_intent(j, 0, "new", NULL, "1");
    journals_close(j);
    journals_expect_history(t, "4.1.0.1 new -->1?\n");
}

static void test_history_goes_on_behind_the_place_when_sought(void **state)
{
    struct journals *t = *state;
    struct intent it;
    const char *got, *rest = HISTORY;
    write_history(t);
    for (int taken = 0; taken <= 6; taken++) {
        struct history *h = NULL;
        struct buf place;
        buf_init(&place, BUF_NO_LIMIT);
        assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
        for (int i = 0; i < taken; i++)
            assert_int_equal(history_next(h, &it, &t->err), RC_OK);
        assert_int_equal(history_place(h, &place, &t->err), RC_OK);
        history_close(h);
        assert_int_equal(journals_history(t, buf_cstr(&place), &got), RC_END);
        assert_string_equal(got, rest);
        rest = strchr(rest, '\n') ? strchr(rest, '\n') + 1 : rest;
        buf_release(&place);
    }
}

static void test_furthest_place_counts_when_several_are_sought(void **state)
{
    struct journals *t = *state;
    static const char *const ORDERS[][2] = {{"2.1", "1.2"}, {"1.2", "2.1"}};
    write_history(t);
    for (int i = 0; i < 2; i++) {
        struct history *h = NULL;
        struct intent it;
        struct buf place;
        buf_init(&place, BUF_NO_LIMIT);
        assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
        for (int k = 0; k < 2; k++) {
            bool far = strcmp(ORDERS[i][k], "1.2") == 0;
            assert_int_equal(history_seek(h, far ? STR("1-2-0-3") : STR("2-1-0-1"), &t->err),
                             RC_OK);
        }
        assert_int_equal(history_seek(h, STR(""), &t->err), RC_OK);
        assert_int_equal(history_place(h, &place, &t->err), RC_OK);
        assert_string_equal(buf_cstr(&place), "1-2-0-3");
        assert_int_equal(history_next(h, &it, &t->err), RC_OK);
        assert_true(it.pass == 1 && it.generation == 2 && it.id == 2);
        assert_int_equal(history_seek(h, STR("1-2"), &t->err), RC_SINK);
        assert_int_equal(history_seek(h, STR("x"), &t->err), RC_SINK);
        history_close(h);
        buf_release(&place);
    }
}

static void test_listed_items_are_in_one_file_when_asked_for(void **state)
{
    struct journals *t = *state;
    char path[FS_PATH];
    uint64_t n = 0;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0), *k = journals_open(t, 1);
    journals_mark(j, 0, false, "k", 0, "{\"key\":{\"N\":\"1.0\"},\"n\":1.50}\n{\"b\":2}\n");
    journals_mark(k, 1, false, "k", 0, "{\"c\":\"\xC3\xA9\"}\n");
    journals_mark(j, 0, true, NULL, 0, NULL);
    journals_close(j);
    journals_close(k);
    journals_begin(t, PASS_FILL);
    j = journals_open(t, 0);
    journals_mark(j, 1, true, NULL, 0, "{\"d\":4}\n");
    journals_close(j);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(history_list(&t->state, state_pass(&t->state), &n, &t->err), RC_OK);
        assert_int_equal(n, 4);
        fs_path(path, "%s/listed.jsonl", t->dir);
        char *text = fix_read(path);
        assert_string_equal(
            text, "{\"key\":{\"N\":\"1.0\"},\"n\":1.50}\n{\"b\":2}\n{\"c\":\"\xC3\xA9\"}\n"
                  "{\"d\":4}\n");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(f) cmocka_unit_test_setup_teardown(f, journals_set_up, journals_tear_down)
        CASE(test_history_is_newest_first_when_there_are_several_passes),
        CASE(test_history_is_the_same_when_an_undo_is_under_way),
        CASE(test_history_goes_on_behind_the_place_when_sought),
        CASE(test_furthest_place_counts_when_several_are_sought),
        CASE(test_listed_items_are_in_one_file_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
