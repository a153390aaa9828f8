/* SPDX-License-Identifier: MIT */
/* Journals that are torn, damaged, long, or changed while they are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "sinks/dynamodb/journal/log_backward.h"
#include "tests/harness/journals.h"

static void outcome(struct journal *j, uint64_t id, enum outcome what)
{
    assert_int_not_equal(journal_outcome(j, id, what), 0);
}

static void put(const char *path, struct str bytes)
{
    struct err err;
    assert_int_equal(fs_replace(path, bytes, &err), RC_OK);
}

/* A log that begins with an intent for "a". */
static struct journal *begin_log(struct journals *t, char path[FS_PATH], struct buf *whole)
{
    buf_init(whole, BUF_NO_LIMIT);
    journals_begin(t, PASS_FILL);
    fs_path(path, "%s", journals_log(t, 1, 1, 0));
    struct journal *j = journals_open(t, 0);
    (void)journals_intent(j, 0, "a", NULL, "1");
    return j;
}

static void test_torn_end_never_happened_when_cut_anywhere(void **state)
{
    static const char *const WANT[] = {"", "1.1.0.2 b -->1?\n1.1.0.1 a -->1?\n",
                                       "1.1.0.3 c -->1?\n1.1.0.1 a -->1?\n",
                                       "1.1.0.3 c -->1\n1.1.0.1 a -->1?\n"};
    static const char *const STANDS[] = {
        "items 0\n", "items 0\n1.1.0.1 a -->1?\n1.1.0.2 b -->1?\n",
        "items 0\n1.1.0.1 a -->1?\n1.1.0.3 c -->1?\n", "0 k1\nitems 1\n1.1.0.1 a -->1?\n"};
    struct journals *t = *state;
    struct buf whole;
    char path[FS_PATH];
    struct journal *j = begin_log(t, path, &whole);
    uint64_t b = journals_intent(j, 0, "b", NULL, "1");
    journals_flush(j);
    uint64_t c = journals_intent(j, 0, "c", NULL, "1");
    outcome(j, b, OUTCOME_VOID);
    journals_flush(j);
    outcome(j, c, OUTCOME_CHANGED);
    journals_mark(j, 0, false, "k1", 1, NULL);
    journals_close(j);
    assert_int_equal(fs_read(path, &whole, &t->err), RC_OK);
    for (size_t cut = 0; cut <= whole.len; cut++) {
        size_t records = 0;
        for (size_t i = 0; i < cut; i++)
            records += whole.p[i] == '\n';
        put(path, str_make(whole.p, cut));
        journals_expect_history(t, WANT[records]);
        journals_expect_resume_point(t, STANDS[records]);
    }
    buf_release(&whole);
}

static void test_damage_is_told_when_it_is_not_at_the_end(void **state)
{
    struct journals *t = *state;
    struct buf whole;
    char path[FS_PATH];
    const char *got;
    uint64_t n;
    buf_init(&whole, BUF_NO_LIMIT);
    journals_begin(t, PASS_FILL);
    fs_path(path, "%s", journals_log(t, 1, 1, 0));
    struct journal *j = journals_open(t, 0);
    for (int i = 0; i < 3; i++) {
        (void)journals_intent(j, 0, "a", NULL, "1");
        journals_flush(j);
    }
    journals_close(j);
    assert_int_equal(fs_read(path, &whole, &t->err), RC_OK);
    size_t last = whole.len / 3 * 2;
    for (size_t i = 0; i < whole.len; i++) {
        if (whole.p[i] == '\n')
            continue;
        whole.p[i] ^= 1;
        put(path, buf_view(&whole));
        bool told = i < last;
        assert_int_equal(journals_history(t, NULL, &got), told ? RC_SINK : RC_END);
        assert_true(!told || strstr(t->err.msg, path));
        assert_int_equal(journals_resume_point(t, &got), told ? RC_SINK : RC_OK);
        assert_int_equal(history_list(&t->state, state_pass(&t->state), &n, &t->err),
                         told ? RC_SINK : RC_OK);
        whole.p[i] ^= 1;
    }
    buf_release(&whole);
}

enum { MANY = 24000, GROUP = 100 };

static void test_long_log_is_read_backward_in_little_memory(void **state)
{
    struct journals *t = *state;
    struct history *h = NULL;
    struct intent it;
    struct stat st;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    uint64_t last = 0;
    for (int i = 0; i < MANY; i++) {
        uint64_t id = journals_intent(j, 0, "some key of ordinary length", "0", "1");
        if (last)
            outcome(j, last, i % 3 ? OUTCOME_CHANGED : OUTCOME_VOID);
        last = id;
        if (i % GROUP == 0)
            journals_flush(j);
    }
    journals_close(j);
    assert_int_equal(stat(journals_log(t, 1, 1, 0), &st), 0);
    assert_true(st.st_size > 3 << 20);

    assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
    uint64_t n = 0, before = UINT64_MAX;
    enum rc rc;
    while (!(rc = history_next(h, &it, &t->err))) {
        assert_true(it.id < before);
        assert_int_equal(it.open, n == 0);
        before = it.id;
        n++;
    }
    assert_int_equal(rc, RC_END);
    assert_int_equal(n, history_count(h));
    assert_int_equal(n, MANY - (MANY - 1) / 3);
    history_close(h);

    struct log_backward tail;
    struct str json;
    size_t records = 0;
    log_backward_init(&tail);
    assert_int_equal(
        log_backward_open(&tail, journals_log(t, 1, 1, 0), (uint64_t)st.st_size, &t->err),
        RC_OK);
    while (!(rc = log_backward_prev(&tail, &json, &t->err)))
        records++;
    assert_int_equal(rc, RC_END);
    assert_int_equal(records, MANY / GROUP + 1);
    assert_true(tail.block.cap < 2 << 20);
    log_backward_close(&tail);
}

static void test_record_is_read_backward_when_longer_than_a_block(void **state)
{
    struct journals *t = *state;
    const char *got;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    char *big = malloc((3 << 20) + 1);
    assert_non_null(big);
    memset(big, 'x', 3 << 20);
    big[3 << 20] = '\0';
    (void)journals_intent(j, 0, "a", NULL, "1");
    journals_flush(j);
    (void)journals_intent(j, 0, "b", big, "1");
    journals_flush(j);
    (void)journals_intent(j, 0, "c", "1", big);
    journals_flush(j);
    (void)journals_intent(j, 0, "d", NULL, "1");
    journals_close(j);
    assert_int_equal(journals_history(t, NULL, &got), RC_END);
    assert_int_equal(strncmp(got, "1.1.0.4 d -->1?\n1.1.0.3 c 1->xxx", 32), 0);
    assert_non_null(strstr(got, "x?\n1.1.0.2 b xxx"));
    assert_string_equal(strstr(got, "x->1?"), "x->1?\n1.1.0.1 a -->1?\n");
    free(big);
}

static void test_log_is_refused_when_it_changes_between_the_readings(void **state)
{
    struct journals *t = *state;
    struct history *h = NULL;
    struct intent it;
    struct buf whole;
    char path[FS_PATH];
    struct journal *j = begin_log(t, path, &whole);
    journals_flush(j);
    (void)journals_intent(j, 0, "b", NULL, "1");
    journals_close(j);
    assert_int_equal(fs_read(path, &whole, &t->err), RC_OK);
    for (int i = 0; i < 2; i++) {
        put(path, buf_view(&whole));
        assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
        char *a = strstr(buf_cstr(&whole), i ? "\"a\"" : "\"b\"");
        a[1] ^= 1;
        put(path, buf_view(&whole));
        a[1] ^= 1;
        enum rc rc = history_next(h, &it, &t->err);
        assert_int_equal(rc, i ? RC_OK : RC_SINK);
        assert_int_equal(history_next(h, &it, &t->err), i ? RC_SINK : RC_OK);
        history_close(h);
        put(path, str_make(whole.p, whole.len));
        assert_int_equal(history_open(&t->state, &h, &t->err), RC_OK);
        put(path, str_make(whole.p, whole.len - 1));
        assert_int_equal(history_next(h, &it, &t->err), RC_SINK);
        history_close(h);
    }
    buf_release(&whole);
}

static void test_strangers_are_passed_over_when_they_lie_among_the_logs(void **state)
{
    struct journals *t = *state;
    static const char *const NAMES[] = {"0001-0001-0.log",
                                        "1-1-1.log",
                                        "0001-0001-000.log.gz",
                                        "0001-0001-000.log~",
                                        "x.log",
                                        "0001-0001.log",
                                        "0009-0001-000.log",
                                        "0000-0001-000.log",
                                        "0001-0001-000-00.log",
                                        ".log",
                                        "99999999999-0001-000.log"};
    char path[FS_PATH];
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    (void)journals_intent(j, 0, "a", NULL, "1");
    journals_close(j);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        fs_path(path, "%s/log/%s", t->dir, NAMES[i]);
        put(path, STR("not\na\nlog\n"));
    }
    journals_expect_history(t, "1.1.0.1 a -->1?\n");
    journals_expect_resume_point(t, "items 0\n1.1.0.1 a -->1?\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(f) cmocka_unit_test_setup_teardown(f, journals_set_up, journals_tear_down)
        CASE(test_torn_end_never_happened_when_cut_anywhere),
        CASE(test_damage_is_told_when_it_is_not_at_the_end),
        CASE(test_long_log_is_read_backward_in_little_memory),
        CASE(test_record_is_read_backward_when_longer_than_a_block),
        CASE(test_log_is_refused_when_it_changes_between_the_readings),
        CASE(test_strangers_are_passed_over_when_they_lie_among_the_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
