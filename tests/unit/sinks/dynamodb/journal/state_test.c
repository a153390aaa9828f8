/* SPDX-License-Identifier: MIT */
/* The state folder of a backfill: which pass a process works on, and who may work on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sinks/dynamodb/journal/journal.h"
#include "sinks/dynamodb/journal/logs.h"
#include "tests/harness/journals.h"

static void expect_pass(struct journals *t, uint32_t number, uint32_t generations)
{
    const struct pass_info *p = state_pass(&t->state);
    assert_int_equal(t->state.n, number);
    assert_int_equal(p->number, number);
    assert_int_equal(p->generations, generations);
    assert_false(p->finished || p->abandoned || p->undone);
}

static void expect_refused(struct journals *t, enum rc rc, const char *part)
{
    assert_int_equal(rc, RC_USAGE);
    if (!strstr(t->err.msg, part))
        fail_msg("'%s' is not in '%s'", part, t->err.msg);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void test_folder_is_its_owners_alone_when_new(void **state)
{
    struct journals *t = *state;
    char path[FS_PATH], below[FS_PATH];
    mode_t old = umask(0);
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 3);
    journal_close(j);
    (void)umask(old);
    assert_int_equal(mode_of(t->dir), 0700);
    fs_path(path, "%s/log", t->dir);
    assert_int_equal(mode_of(path), 0700);
    assert_int_equal(mode_of(journals_log(t, 1, 1, 3)), 0600);
    fs_path(below, "%s/log/0001-0001-003.log", t->dir);
    assert_int_equal(access(below, F_OK), 0);
    uint64_t n = 1;
    assert_int_equal(history_list(&t->state, state_pass(&t->state), &n, &t->err), RC_OK);
    fs_path(path, "%s/listed.jsonl", t->dir);
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(n, 0);
}

static void test_pass_goes_on_when_it_is_not_finished(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    expect_pass(t, 1, 1);
    struct state_wish wish = {.dir = t->dir,
                              .kind = PASS_FILL,
                              .table = STR("T"),
                              .model = STR("m"),
                              .segments = 99,
                              .now_us = 5};
    state_close(&t->state);
    t->open = false;
    assert_int_equal(state_open(&t->state, &wish, &t->err), RC_OK);
    t->open = true;
    expect_pass(t, 1, 2);
    assert_int_equal(state_pass(&t->state)->segments, JOURNALS_SEGMENTS);
    assert_int_equal(state_pass(&t->state)->now_us, 1700000000000000);
    assert_true(str_is(state_pass(&t->state)->model, "m"));
}

static void test_new_pass_is_begun_when_the_last_is_finished(void **state)
{
    struct journals *t = *state;
    for (uint32_t i = 1; i <= 20; i++) {
        journals_begin(t, PASS_FILL);
        expect_pass(t, i, 1);
        assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    }
    assert_int_equal(journals_try(t, PASS_FILL, "other", false), RC_OK);
    expect_pass(t, 21, 1);
    assert_true(t->state.passes[19].finished && !t->state.passes[19].undone);
}

static void test_unfinished_pass_is_kept_when_the_model_is_another(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    expect_refused(t, journals_try(t, PASS_FILL, "other", false), "by another model");
    assert_non_null(strstr(t->err.msg, "--restart"));
    journals_begin(t, PASS_FILL);
    expect_pass(t, 1, 2);
    assert_int_equal(journals_try(t, PASS_FILL, "other", true), RC_OK);
    expect_pass(t, 2, 1);
    assert_true(t->state.passes[0].abandoned);
    assert_int_equal(journals_try(t, PASS_FILL, "other", true), RC_OK);
    expect_pass(t, 3, 1);
}

static void test_undo_is_refused_when_nothing_was_written(void **state)
{
    struct journals *t = *state;
    expect_refused(t, journals_try(t, PASS_UNDO, "", false), "there is no such folder");
    assert_int_not_equal(access(t->dir, F_OK), 0);
    journals_begin(t, PASS_FILL);
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    journals_begin(t, PASS_UNDO);
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    expect_refused(t, journals_try(t, PASS_UNDO, "", false), "all of it is undone");
}

static void test_undo_takes_over_when_the_fill_is_not_finished(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    assert_int_equal(journals_try(t, PASS_UNDO, "", false), RC_OK);
    expect_pass(t, 2, 1);
    assert_int_equal(state_pass(&t->state)->segments, STATE_UNDO_SEGMENTS);
    assert_int_equal(state_pass(&t->state)->kind, PASS_UNDO);
    assert_true(t->state.passes[0].abandoned && !t->state.passes[0].undone);
    assert_int_equal(journals_try(t, PASS_UNDO, "whatever", false), RC_OK);
    expect_pass(t, 2, 2);
    expect_refused(t, journals_try(t, PASS_FILL, "m", false), "an unfinished undo");
    journals_begin(t, PASS_UNDO);
    expect_pass(t, 2, 3);
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    assert_true(t->state.passes[0].undone && !t->state.passes[1].undone);
    journals_begin(t, PASS_FILL);
    expect_pass(t, 3, 1);
}

static void test_undo_is_abandoned_when_a_fill_restarts(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    assert_int_equal(state_finish(&t->state, &t->err), RC_OK);
    journals_begin(t, PASS_UNDO);
    assert_int_equal(journals_try(t, PASS_FILL, "m", true), RC_OK);
    expect_pass(t, 3, 1);
    assert_true(t->state.passes[1].abandoned && !t->state.passes[0].undone);
}

static void test_state_is_refused_when_it_is_of_another_table(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct state_wish wish = {
        .dir = t->dir, .kind = PASS_FILL, .table = STR("U"), .model = STR("m")};
    state_close(&t->state);
    t->open = false;
    expect_refused(t, state_open(&t->state, &wish, &t->err), "belongs to another table: 'T'");
    journals_begin(t, PASS_FILL);
    expect_pass(t, 1, 2);
}

static void test_state_is_refused_when_another_process_holds_it(void **state)
{
    struct journals *t = *state;
    char mine[64];
    journals_begin(t, PASS_FILL);
    struct state other;
    struct state_wish wish = {
        .dir = t->dir, .kind = PASS_FILL, .table = STR("T"), .model = STR("m")};
    assert_int_equal(state_open(&other, &wish, &t->err), RC_TRANSIENT);
    (void)snprintf(mine, sizeof mine, "is under way (pid %ld)", (long)getpid());
    assert_non_null(strstr(t->err.msg, mine));
    assert_int_equal(state_look(&other, t->dir, &t->err), RC_OK);
    assert_int_equal(other.n, 1);
    assert_int_equal(other.passes[0].generations, 1);
    state_close(&other);
    state_close(&t->state);
    t->open = false;
    assert_int_equal(state_open(&other, &wish, &t->err), RC_OK);
    state_close(&other);
}

static void test_nothing_is_made_when_looking(void **state)
{
    struct journals *t = *state;
    struct state s;
    assert_int_equal(state_look(&s, t->dir, &t->err), RC_NONE);
    assert_int_not_equal(access(t->dir, F_OK), 0);
}

static void put(struct journals *t, const char *name, const char *text)
{
    char path[FS_PATH];
    assert_int_equal(fs_mkdirs(t->dir, &t->err), RC_OK);
    fs_path(path, "%s/%s", t->dir, name);
    assert_int_equal(fs_replace(path, str_of(text), &t->err), RC_OK);
}

static void expect_start(struct journals *t, const char *name, const char *text)
{
    char path[FS_PATH];
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    fs_path(path, "%s/%s", t->dir, name);
    assert_int_equal(fs_read(path, &b, &t->err), RC_OK);
    assert_true(b.len >= strlen(text));
    assert_memory_equal(b.p, text, strlen(text));
    buf_release(&b);
}

static void test_folder_is_refused_when_it_holds_other_things(void **state)
{
    struct journals *t = *state;
    char path[FS_PATH];
    put(t, "notes.txt", "mine");
    expect_refused(t, journals_try(t, PASS_FILL, "m", false), "was not written by renorm");
    fs_path(path, "%s/lock", t->dir);
    assert_int_not_equal(access(path, F_OK), 0);
    fs_path(path, "%s/notes.txt", t->dir);
    assert_int_equal(unlink(path), 0);
    journals_begin(t, PASS_FILL);
    put(t, "notes.txt", "beside a state it does no harm");
    journals_begin(t, PASS_FILL);
}

static void expect_link_refused(struct journals *t, const char *name, const char *target)
{
    char path[FS_PATH];
    const struct state_wish wish = {
        .dir = t->dir, .kind = PASS_FILL, .table = STR("T"), .model = STR("m"), .segments = 1};
    fs_path(path, "%s/%s", t->dir, name);
    assert_int_equal(symlink(target, path), 0);
    expect_refused(t, state_open(&t->state, &wish, &t->err), "was not written by renorm");
    assert_int_equal(unlink(path), 0);
}

static void test_state_is_refused_when_a_link_stands_for_its_own(void **state)
{
    static const char *const NAMES[] = {"lock",           "log",          "state.json",
                                        "state.json.new", "listed.jsonl", "listed.jsonl.new"};
    struct journals *t = *state;
    struct stat st;
    char other[FS_PATH];
    assert_int_equal(mkdir(t->dir, 0700), 0);
    fs_path(other, "%s.other", t->dir);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        expect_link_refused(t, NAMES[i], other);
    assert_int_equal(lstat(other, &st), -1);
}

/* The folder was looked at; only then does somebody put a link in its place. */
static void test_no_log_is_written_or_read_through_a_link_that_comes_later(void **state)
{
    struct journals *t = *state;
    char log[FS_PATH], other[FS_PATH], path[FS_PATH];
    struct journal *j = NULL;
    struct logs logs = {0};
    struct fs_list list = {0};
    journals_begin(t, PASS_FILL);
    fs_path(log, "%s/log", t->dir);
    fs_path(other, "%s.other", t->dir);
    assert_int_equal(rename(log, other), 0);
    assert_int_equal(symlink(other, log), 0);
    assert_int_not_equal(journal_open(&t->state, 0, &j, &t->err), RC_OK);
    assert_int_not_equal(logs_find(&logs, &t->state, 1, &t->err), RC_OK);
    assert_int_equal(fs_list(other, &list, &t->err), RC_OK);
    assert_int_equal(list.n, 0);
    fs_list_release(&list);
    /* a link for the file itself */
    assert_int_equal(unlink(log), 0);
    assert_int_equal(rename(other, log), 0);
    fs_path(path, "%s/log/0001-0001-000.log", t->dir);
    assert_int_equal(symlink(other, path), 0);
    assert_int_not_equal(journal_open(&t->state, 0, &j, &t->err), RC_OK);
    assert_int_not_equal(access(other, F_OK), 0);
}

static void test_state_is_refused_when_its_file_makes_no_sense(void **state)
{
    static const struct {
        const char *text, *part;
    } CASES[] = {
        {"", "was not written by renorm"},
        {"{}", "was not written by renorm"},
        {"{\"renorm_backfill\":3}", "another version of renorm"},
        {"{\"renorm_backfill\":3,\"renorm\":\"9.8\"}", "hint: use renorm 9.8 or a later one"},
        {"{\"renorm_backfill\":2}", "is damaged"},
        {"{\"renorm_backfill\":1}", "is damaged"},
        {"{\"renorm_backfill\":1,\"table\":\"T\",\"passes\":[{}]}", "is damaged"},
        {"{\"renorm_backfill\":1,\"table\":\"T\",\"passes\":[{\"pass\":2,\"kind\":\"fill\","
         "\"generations\":1,\"segments\":1,\"now_us\":0,\"model\":\"m\"}]}",
         "is damaged"},
        {"{\"renorm_backfill\":1,\"table\":\"T\",\"passes\":[{\"pass\":1,\"kind\":\"full\","
         "\"generations\":1,\"segments\":1,\"now_us\":0,\"model\":\"m\"}]}",
         "is damaged"},
    };
    struct journals *t = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        put(t, "state.json", CASES[i].text);
        expect_refused(t, journals_try(t, PASS_FILL, "m", true), CASES[i].part);
    }
    put(t, "state.json",
        "{\"renorm_backfill\":1,\"table\":\"T\",\"passes\":[{\"pass\":1,\"kind\":\"fill\","
        "\"generations\":7,\"segments\":1,\"now_us\":0,\"model\":\"m\"}]}");
    journals_begin(t, PASS_FILL);
    expect_pass(t, 1, 8);
}

/* Looking leaves it as it is, as does being refused; working on it writes the newest. */
static void test_state_is_upgraded_when_it_is_older(void **state)
{
    static const char OLD[] =
        "{\"renorm_backfill\":1,\"table\":\"T\",\"passes\":[{\"pass\":1,\"kind\":\"fill\","
        "\"generations\":7,\"segments\":1,\"now_us\":0,\"model\":\"m\"}]}";
    struct journals *t = *state;
    struct state s;
    struct state_wish wish = {.dir = t->dir,
                              .kind = PASS_FILL,
                              .table = STR("T"),
                              .model = STR("m"),
                              .renorm = "1.5"};
    put(t, "state.json", OLD);
    assert_int_equal(state_look(&s, t->dir, &t->err), RC_OK);
    assert_int_equal(s.was, 1);
    state_close(&s);
    expect_refused(t, journals_try(t, PASS_FILL, "other", false), "by another model");
    expect_start(t, "state.json", OLD);
    assert_int_equal(state_open(&t->state, &wish, &t->err), RC_OK);
    t->open = true;
    expect_pass(t, 1, 8);
    assert_int_equal(t->state.was, 1);
    assert_int_equal(state_look(&s, t->dir, &t->err), RC_OK);
    assert_int_equal(s.was, STATE_VERSION);
    assert_int_equal(s.passes[0].generations, 8);
    state_close(&s);
    expect_start(t, "state.json", "{\n  \"renorm_backfill\": 2,\n  \"renorm\": \"1.5\",\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(f) cmocka_unit_test_setup_teardown(f, journals_set_up, journals_tear_down)
        CASE(test_folder_is_its_owners_alone_when_new),
        CASE(test_pass_goes_on_when_it_is_not_finished),
        CASE(test_new_pass_is_begun_when_the_last_is_finished),
        CASE(test_unfinished_pass_is_kept_when_the_model_is_another),
        CASE(test_undo_is_refused_when_nothing_was_written),
        CASE(test_undo_takes_over_when_the_fill_is_not_finished),
        CASE(test_undo_is_abandoned_when_a_fill_restarts),
        CASE(test_state_is_refused_when_it_is_of_another_table),
        CASE(test_state_is_refused_when_another_process_holds_it),
        CASE(test_nothing_is_made_when_looking),
        CASE(test_folder_is_refused_when_it_holds_other_things),
        CASE(test_state_is_refused_when_a_link_stands_for_its_own),
        CASE(test_no_log_is_written_or_read_through_a_link_that_comes_later),
        CASE(test_state_is_refused_when_its_file_makes_no_sense),
        CASE(test_state_is_upgraded_when_it_is_older),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
