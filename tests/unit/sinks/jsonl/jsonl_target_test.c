/* SPDX-License-Identifier: MIT */
/* What an output folder may hold, whose it is, and who may work in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sinks/jsonl/folder_status.h"
#include "sinks/store/fs.h"
#include "tests/harness/jsonl_fixture.h"

static const struct fix_run SMALL = {.segments = 2, .items = 40, .page = 5, .pages = 2};

static void done(const struct fix_run *run)
{
    struct fix_result r;
    struct err err = {0};
    if (fix_export(run, &r, &err))
        fail_msg("%s", err.msg);
}

static void refused(const struct fix_run *run, enum rc want, const char *words)
{
    struct fix_result r;
    struct err err = {0};
    assert_int_equal(fix_export(run, &r, &err), want);
    if (!strstr(err.msg, words))
        fail_msg("'%s' is not in: %s", words, err.msg);
}

static void put(const char *out, const char *name, const char *text)
{
    char path[FS_PATH];
    struct err err;
    fs_path(path, "%s/%s", out, name);
    assert_int_equal(fs_replace(path, str_of(text), &err), RC_OK);
}

static bool exists(const char *out, const char *name)
{
    char path[FS_PATH];
    struct stat st;
    fs_path(path, "%s/%s", out, name);
    return lstat(path, &st) == 0;
}

static void test_folder_is_refused_when_it_holds_strange_files(void **state)
{
    (void)state;
    char out[256];
    struct err err;
    struct fix_run run = SMALL;
    fix_tmp(out);
    run.out = out;
    assert_int_equal(fs_mkdirs(out, &err), RC_OK);
    put(out, "thesis.txt", "x");
    refused(&run, RC_USAGE, "thesis.txt\" was not written by renorm");
    assert_false(exists(out, ".renorm"));
    put(out, "manifest.json", "{\"name\":\"other tool\"}");
    refused(&run, RC_USAGE, "manifest.json\" was not written by renorm");
    assert_false(exists(out, ".renorm"));
    fix_remove(out);
    assert_int_equal(fs_replace(out, STR("a file"), &err), RC_OK);
    refused(&run, RC_USAGE, "is not a folder");
    fix_remove(out);
}

static void test_finished_folder_is_refused_when_strange_files_were_added(void **state)
{
    (void)state;
    char out[256];
    struct fix_run run = SMALL;
    fix_tmp(out);
    run.out = out;
    done(&run);
    char *before = fix_everything(out);
    put(out, "notes.txt", "x");
    refused(&run, RC_USAGE, "notes.txt");
    put(out, "item/notes.txt", "x");
    refused(&run, RC_USAGE, "notes.txt");
    assert_true(exists(out, "notes.txt"));
    char path[FS_PATH];
    fs_path(path, "%s/notes.txt", out);
    assert_int_equal(unlink(path), 0);
    refused(&run, RC_USAGE, "item/notes.txt");
    assert_true(exists(out, "item/notes.txt"));
    fs_path(path, "%s/item/notes.txt", out);
    assert_int_equal(unlink(path), 0);
    char *after = fix_everything(out);
    assert_string_equal(before, after);
    free(before);
    free(after);
    fix_remove(out);
}

static void test_finished_folder_is_replaced_when_run_again(void **state)
{
    (void)state;
    char out[256], fresh[256];
    struct fix_run run = SMALL, small = SMALL, alone = SMALL;
    fix_tmp(out);
    fix_tmp(fresh);
    run.out = small.out = out;
    small.items = 3; /* too few for a reject */
    small.source = "smaller";
    done(&run);
    assert_true(exists(out, "rejects"));
    done(&run);
    done(&small);
    assert_false(exists(out, "rejects"));
    assert_false(exists(out, "unrouted"));
    alone = small;
    alone.out = fresh;
    done(&alone);
    char *want = fix_everything(fresh), *have = fix_everything(out);
    assert_string_equal(have, want);
    free(want);
    free(have);
    fix_remove(out);
    fix_remove(fresh);
}

static void test_unfinished_run_is_refused_when_identity_differs(void **state)
{
    (void)state;
    char out[256];
    struct fix_run run = SMALL;
    fix_tmp(out);
    run.out = out;
    run.stop_after = 2;
    done(&run);
    struct fix_run other = SMALL;
    other.out = out;
    other.model = "another";
    refused(&other, RC_USAGE, "the model has changed");
    refused(&other, RC_USAGE, "hint: --restart");
    other.model = NULL;
    other.source = "another";
    refused(&other, RC_USAGE, "the source has changed");
    other.restart = true;
    done(&other);
    assert_true(exists(out, "manifest.json"));
    fix_remove(out);
}

static void test_unfinished_run_is_discarded_when_it_cannot_be_resumed(void **state)
{
    (void)state;
    char out[256];
    struct fix_run run = SMALL;
    struct fix_result r;
    struct err err = {0};
    fix_tmp(out);
    run.out = out;
    run.stdin_like = true;
    run.stop_after = 2;
    done(&run);
    run.stop_after = 0;
    run.source = "other input";
    assert_int_equal(fix_export(&run, &r, &err), RC_OK);
    assert_false(r.state.resumed);
    assert_int_equal(r.tables[FIX_ITEM].rows, 72);
    fix_remove(out);
}

static const struct run_info INFO = {.schema = &fix_schema,
                                     .model_hash = {"m", 1},
                                     .source_identity = {"s", 1},
                                     .now_us = 1,
                                     .segments = 2,
                                     .resumable = true,
                                     .version = "test"};

static void test_second_process_is_refused_when_one_is_at_work(void **state)
{
    (void)state;
    char out[256], pid[32];
    struct sink *s = NULL;
    struct run_state rs;
    struct err err = {0};
    struct jsonl_status st;
    struct fix_run run = SMALL;
    fix_tmp(out);
    run.out = out;
    struct jsonl_options opts = fix_options(out);
    assert_int_equal(jsonl_open(&opts, &s, &err), RC_OK);
    assert_int_equal(s->ops->open(s, &INFO, &rs, &err), RC_OK);
    (void)snprintf(pid, sizeof pid, "pid %ld", (long)getpid());
    refused(&run, RC_TRANSIENT, "is under way");
    refused(&run, RC_TRANSIENT, pid);
    assert_int_equal(fix_status(out, &st, &err), RC_OK);
    assert_true(st.unfinished && st.under_way);
    assert_int_equal(st.pid, getpid());
    jsonl_status_release(&st);
    s->ops->close(s);
    assert_int_equal(fix_status(out, &st, &err), RC_OK);
    assert_true(st.unfinished && !st.under_way);
    jsonl_status_release(&st);
    fix_remove(out);
}

static void test_commit_is_refused_when_the_segment_was_claimed_again(void **state)
{
    (void)state;
    char out[256];
    struct sink *s = NULL;
    struct run_state rs;
    struct err err = {0};
    struct claim first, second;
    fix_tmp(out);
    struct jsonl_options opts = fix_options(out);
    assert_int_equal(jsonl_open(&opts, &s, &err), RC_OK);
    assert_int_equal(s->ops->open(s, &INFO, &rs, &err), RC_OK);
    struct sink_worker *w = s->ops->worker(s, 0, &err);
    assert_non_null(w);
    assert_int_equal(s->ops->claim(s, 1, &first, &err), RC_OK);
    assert_int_equal(s->ops->claim(s, 1, &second, &err), RC_OK);
    assert_int_equal(first.state, CLAIM_MINE);
    assert_true(second.epoch > first.epoch);
    struct mark m = {.segment = 1, .epoch = first.epoch};
    enum commit_outcome outcome = COMMIT_DONE;
    assert_int_equal(w->ops->commit(w, &m, 1, &outcome, &err), RC_TRANSIENT);
    assert_int_equal(outcome, COMMIT_FENCED);
    w->ops->close(w);
    s->ops->close(s);
    fix_remove(out);
}

static void test_options_are_refused_when_out_of_range(void **state)
{
    (void)state;
    struct sink *s = NULL;
    struct err err = {0};
    struct jsonl_options opts = {.out = "x", .level = 20};
    assert_int_equal(jsonl_open(&opts, &s, &err), RC_USAGE);
    opts = (struct jsonl_options){.out = ""};
    assert_int_equal(jsonl_open(&opts, &s, &err), RC_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder_is_refused_when_it_holds_strange_files),
        cmocka_unit_test(test_finished_folder_is_refused_when_strange_files_were_added),
        cmocka_unit_test(test_finished_folder_is_replaced_when_run_again),
        cmocka_unit_test(test_unfinished_run_is_refused_when_identity_differs),
        cmocka_unit_test(test_unfinished_run_is_discarded_when_it_cannot_be_resumed),
        cmocka_unit_test(test_second_process_is_refused_when_one_is_at_work),
        cmocka_unit_test(test_commit_is_refused_when_the_segment_was_claimed_again),
        cmocka_unit_test(test_options_are_refused_when_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
