/* SPDX-License-Identifier: MIT */
/* Where a pass of a backfill stands when its journal is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/journals.h"

enum { COUNTS = JOURNALS_ROWS * FATES };

static void outcome(struct journal *j, uint64_t id, enum outcome what)
{
    assert_int_not_equal(journal_outcome(j, id, what), 0);
}

static void settled(struct journal *j, uint32_t generation, uint32_t worker, uint64_t id,
                    enum outcome what)
{
    assert_int_not_equal(journal_settled(j, generation, worker, id, what), 0);
}

static void test_standing_is_the_start_when_there_is_no_log(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    journals_expect_resume_point(t, "items 0\n");
    journals_expect_history(t, "");
}

static void test_intents_are_covered_when_their_page_is_marked(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    uint64_t b = journals_intent(j, 1, "b", NULL, "1");
    outcome(j, a, OUTCOME_CHANGED);
    outcome(j, b, OUTCOME_CHANGED);
    journals_mark(j, 0, false, "k1", 5, NULL);
    uint64_t c = journals_intent(j, 0, "c", NULL, "1");
    (void)journals_intent(j, 0, "d", "0", "1");
    uint64_t e = journals_intent(j, 0, "e", NULL, "1");
    outcome(j, c, OUTCOME_CHANGED);
    outcome(j, e, OUTCOME_VOID);
    journals_mark(j, 2, true, NULL, 7, NULL);
    journals_flush(j);
    journals_expect_resume_point(t, "0 k1\n2 done\nitems 12\n1.1.0.6 c -->1\n1.1.0.7 d 0->1?\n"
                                    "1.1.0.2 b -->1\n");
    journals_close(j);
}

static void test_standing_goes_on_when_processes_follow_one_another(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0), *k = journals_open(t, 1);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    uint64_t b = journals_intent(j, 0, "b", NULL, "1");
    uint64_t c = journals_intent(k, 1, "c", NULL, "1");
    outcome(k, c, OUTCOME_CHANGED);
    journals_close(j);
    journals_close(k);
    journals_expect_resume_point(t,
                                 "items 0\n1.1.0.1 a -->1?\n1.1.0.2 b -->1?\n1.1.1.1 c -->1\n");

    journals_begin(t, PASS_FILL); /* the second process, with its workers the other way round */
    j = journals_open(t, 0);
    k = journals_open(t, 1);
    settled(k, 1, 0, a, OUTCOME_CHANGED);
    settled(k, 1, 0, b, OUTCOME_VOID);
    journals_flush(k);
    journals_expect_resume_point(t, "items 0\n1.1.0.1 a -->1\n1.1.1.1 c -->1\n");
    journals_mark(k, 0, false, "k1", 3, NULL);
    (void)journals_intent(k, 0, "d", NULL, "1");
    settled(j, 1, 1, c, OUTCOME_CHANGED); /* met again */
    journals_mark(j, 1, false, "k2", 4, NULL);
    journals_close(j);
    journals_close(k);
    journals_expect_resume_point(t, "0 k1\n1 k2\nitems 7\n1.2.1.4 d -->1?\n");

    journals_begin(t, PASS_FILL); /* the third meets it again: written anew */
    j = journals_open(t, 0);
    uint64_t d = journals_intent(j, 0, "d", "0", "1");
    settled(j, 2, 1, 4, OUTCOME_VOID);
    outcome(j, d, OUTCOME_CHANGED);
    journals_mark(j, 0, true, NULL, 1, NULL);
    journals_mark(j, 1, true, NULL, 0, NULL);
    journals_close(j);
    journals_expect_resume_point(t, "0 done\n1 done\nitems 8\n");
    journals_expect_history(t, "1.3.0.1 d 0->1\n1.1.1.1 c -->1\n1.1.0.1 a -->1\n");
}

static void test_intents_stay_when_a_mark_is_of_a_smaller_page(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    uint64_t b = journals_intent(j, 0, "b", NULL, "1");
    uint64_t c = journals_intent(j, 0, "c", NULL, "1");
    outcome(j, a, OUTCOME_CHANGED);
    outcome(j, b, OUTCOME_CHANGED);
    outcome(j, c, OUTCOME_CHANGED);
    journals_close(j);

    journals_begin(t, PASS_FILL); /* reads smaller pages: a and b, of which b is not marked */
    j = journals_open(t, 0);
    settled(j, 1, 0, a, OUTCOME_CHANGED);
    journals_mark(j, 0, false, "k1", 1, NULL);
    settled(j, 1, 0, b, OUTCOME_CHANGED);
    journals_close(j);
    journals_expect_resume_point(t, "0 k1\nitems 1\n1.1.0.2 b -->1\n1.1.0.3 c -->1\n");

    journals_begin(t, PASS_FILL); /* c was deleted meanwhile */
    j = journals_open(t, 0);
    settled(j, 1, 0, b, OUTCOME_CHANGED);
    journals_mark(j, 0, false, "k2", 1, NULL);
    journals_flush(j);
    journals_expect_resume_point(t, "0 k2\nitems 2\n1.1.0.3 c -->1\n");
    journals_mark(j, 0, true, NULL, 0, NULL);
    journals_close(j);
    journals_expect_resume_point(t, "0 done\nitems 2\n");
    journals_expect_history(t, "1.1.0.3 c -->1\n1.1.0.2 b -->1\n1.1.0.1 a -->1\n");
}

static void test_marks_are_void_when_the_pass_was_abandoned(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    uint64_t a = journals_intent(j, 0, "a", NULL, "1");
    outcome(j, a, OUTCOME_CHANGED);
    journals_mark(j, 0, true, NULL, 1, NULL);
    journals_close(j);
    assert_int_equal(journals_try(t, PASS_FILL, "m", true), RC_OK);
    journals_expect_resume_point(t, "items 0\n");
    journals_expect_history(t, "1.1.0.1 a -->1\n");
}

static void test_resume_key_comes_back_whatever_its_bytes(void **state)
{
    struct journals *t = *state;
    static const struct str KEYS[] = {{"{\"PK\":{\"S\":\"\\\"\xC3\xA9\"}}", 18},
                                      {"\0\xFF\n\"", 4},
                                      {"\xED\xA0\x80", 3},
                                      {NULL, 0}};
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        journals_begin(t, PASS_FILL);
        struct journal *j = journals_open(t, 0);
        uint64_t counts[COUNTS];
        for (size_t k = 0; k < COUNTS; k++)
            counts[k] = k << 40;
        struct journal_mark m = {3, false, KEYS[i], counts, JOURNALS_ROWS, {0}};
        assert_int_not_equal(journal_mark(j, &m), 0);
        journals_close(j);
        struct resume_point st;
        assert_int_equal(
            resume_point_read(&st, &t->state, state_pass(&t->state), JOURNALS_ROWS, &t->err),
            RC_OK);
        assert_true(str_eq(st.segments[3].resume, KEYS[i]));
        for (size_t k = 0; k < COUNTS; k++)
            assert_int_equal(st.counts[k], counts[k] * (i + 1));
        resume_point_release(&st);
    }
}

static void test_journal_is_refused_when_it_is_of_another_model(void **state)
{
    struct journals *t = *state;
    struct resume_point st;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    uint64_t counts[JOURNALS_ROWS * FATES] = {[(JOURNALS_ROWS - 1) * FATES] = 1};
    struct journal_mark m = {0, false, STR("k"), counts, JOURNALS_ROWS, {0}};
    assert_int_not_equal(journal_mark(j, &m), 0);
    journals_flush(j);
    struct pass_info pass = *state_pass(&t->state);
    assert_int_equal(resume_point_read(&st, &t->state, &pass, JOURNALS_ROWS, &t->err), RC_OK);
    resume_point_release(&st);
    assert_int_equal(resume_point_read(&st, &t->state, &pass, JOURNALS_ROWS - 1, &t->err),
                     RC_SINK);
    (void)journals_intent(j, JOURNALS_SEGMENTS - 1, "a", NULL, "1");
    journals_close(j);
    pass.segments = JOURNALS_SEGMENTS - 1;
    assert_int_equal(resume_point_read(&st, &t->state, &pass, JOURNALS_ROWS, &t->err), RC_SINK);
    assert_non_null(strstr(t->err.msg, "0001-0001-000.log"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(f) cmocka_unit_test_setup_teardown(f, journals_set_up, journals_tear_down)
        CASE(test_standing_is_the_start_when_there_is_no_log),
        CASE(test_intents_are_covered_when_their_page_is_marked),
        CASE(test_standing_goes_on_when_processes_follow_one_another),
        CASE(test_intents_stay_when_a_mark_is_of_a_smaller_page),
        CASE(test_marks_are_void_when_the_pass_was_abandoned),
        CASE(test_resume_key_comes_back_whatever_its_bytes),
        CASE(test_journal_is_refused_when_it_is_of_another_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
