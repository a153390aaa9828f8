/* SPDX-License-Identifier: MIT */
/*
 * Crashes: a child process ends at the k-th point of the protocol, for every k; the ledger is
 * cut at every byte. The run that follows must end as if nothing had happened.
 */
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

#include "sinks/store/fs.h"
#include "tests/harness/jsonl_fixture.h"

/* Children are slow to start under ThreadSanitizer, and have one worker: every fifth point. */
#ifdef __SANITIZE_THREAD__
enum { STRIDE = 5 };
#else
enum { STRIDE = 1 };
#endif

static const struct fix_run SMALL = {.segments = 2, .items = 40, .page = 5, .pages = 2};

static void finish(const struct fix_run *run)
{
    struct fix_result r;
    struct err err = {0};
    if (fix_export(run, &r, &err))
        fail_msg("%s", err.msg);
}

static char *reference(const struct fix_run *like)
{
    char out[256];
    fix_tmp(out);
    struct fix_run run = *like;
    run.out = out;
    finish(&run);
    char *text = fix_everything(out);
    fix_remove(out);
    return text;
}

static void check_and_remove(const struct fix_run *run, const char *want)
{
    finish(run);
    char *have = fix_everything(run->out);
    assert_string_equal(have, want);
    free(have);
    fix_remove(run->out);
}

static void test_run_is_completed_when_it_crashed_at_any_point(void **state)
{
    (void)state;
    char out[256];
    char *want = reference(&SMALL);
    struct fix_run run = SMALL;
    run.out = out;
    run.opts.open_parts = 3; /* rows of the others wait in a spill */
    int how = FIX_CRASHED, k = 0;
    while (how == FIX_CRASHED) {
        fix_tmp(out);
        how = fix_crash(&run, k += STRIDE, NULL);
        assert_int_not_equal(how, FIX_FAILED);
        check_and_remove(&run, want);
    }
    assert_true(k > 20);
    free(want);
}

/* The first crash leaves open files; the second comes at any point of what follows. */
static void test_run_is_completed_when_recovery_crashed_too(void **state)
{
    (void)state;
    char out[256];
    char *want = reference(&SMALL);
    struct fix_run run = SMALL;
    run.out = out;
    int how = FIX_CRASHED, k = 0;
    while (how == FIX_CRASHED) {
        fix_tmp(out);
        assert_int_equal(fix_crash(&run, 3, "committed"), FIX_CRASHED);
        how = fix_crash(&run, k += STRIDE, NULL);
        assert_int_not_equal(how, FIX_FAILED);
        check_and_remove(&run, want);
    }
    assert_true(k > 10);
    free(want);
}

static void test_old_output_is_replaced_whole_when_publishing_crashed(void **state)
{
    (void)state;
    char out[256];
    struct fix_run old = SMALL, run = SMALL;
    old.segments = 1;
    old.source = "older";
    old.out = run.out = out;
    char *want = reference(&run);
    int how = FIX_CRASHED, k = 0;
    while (how == FIX_CRASHED) {
        fix_tmp(out);
        finish(&old);
        how = fix_crash(&run, ++k, "publish:folder");
        assert_int_not_equal(how, FIX_FAILED);
        check_and_remove(&run, want);
    }
    assert_true(k > FIX_TABLES);
    free(want);
}

/* A publish that was begun is completed even if something else is asked for next. */
static void test_begun_publish_is_completed_when_another_run_follows(void **state)
{
    (void)state;
    static const char *const POINTS[] = {"publish:announced", "publish:folder",
                                         "publish:retired", "publish:manifest", "publish:gone"};
    char out[256];
    struct fix_run run = SMALL, next = SMALL;
    next.segments = 1;
    next.source = "newer";
    run.out = next.out = out;
    char *want = reference(&run), *want_next = reference(&next);
    for (size_t i = 0; i < sizeof POINTS / sizeof POINTS[0]; i++) {
        fix_tmp(out);
        assert_int_equal(fix_crash(&run, 1, POINTS[i]), FIX_CRASHED);
        struct fix_run stop = next;
        stop.stop_after = 1;
        struct fix_result r;
        struct err err = {0};
        assert_int_equal(fix_export(&stop, &r, &err), RC_OK);
        assert_false(r.state.resumed || r.state.complete);
        assert_int_equal(r.commits, 1);
        char *have = fix_everything(out);
        assert_string_equal(have, want);
        free(have);
        check_and_remove(&next, want_next);
    }
    free(want);
    free(want_next);
}

static void worker_log(const char *out, char path[FS_PATH])
{
    struct fs_list list;
    struct err err;
    char dir[FS_PATH];
    fs_path(dir, "%s/.renorm", out);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    path[0] = '\0';
    for (size_t i = 0; i < list.n; i++) {
        if (strncmp(list.names[i], "run-", 4) == 0)
            fs_path(path, "%s/%s/log-000001-0001", dir, list.names[i]);
    }
    fs_list_release(&list);
    assert_true(path[0]);
}

/* As if the machine had died while the record was written: files are longer than it says. */
static void test_run_is_completed_when_the_ledger_is_cut_anywhere(void **state)
{
    (void)state;
    char out[256], path[FS_PATH];
    struct fix_run run = {.segments = 1, .items = 20, .page = 5, .pages = 1};
    char *want = reference(&run);
    run.out = out;
    off_t size = 1;
    for (off_t cut = 0; cut <= size; cut += cut + 64 < size ? 7 * STRIDE : STRIDE) {
        struct stat st;
        fix_tmp(out);
        assert_int_equal(fix_crash(&run, 3, "committed"), FIX_CRASHED);
        worker_log(out, path);
        assert_int_equal(stat(path, &st), 0);
        size = st.st_size;
        assert_int_equal(truncate(path, cut < size ? cut : size), 0);
        check_and_remove(&run, want);
    }
    free(want);
}

static void test_folder_is_refused_when_a_file_is_shorter_than_the_ledger_says(void **state)
{
    (void)state;
    char out[256], path[FS_PATH], dir[FS_PATH];
    struct fix_run run = SMALL;
    struct fix_result r;
    struct err err = {0};
    struct fs_list list;
    fix_tmp(out);
    run.out = out;
    assert_int_equal(fix_crash(&run, 3, "committed"), FIX_CRASHED);
    worker_log(out, path);
    *strrchr(path, '/') = '\0';
    fs_path(dir, "%s/new/item", path);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    fs_path(path, "%s/%s", dir, list.names[0]);
    fs_list_release(&list);
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(fix_export(&run, &r, &err), RC_SINK);
    assert_non_null(strstr(err.msg, "has 10 bytes, the ledger says"));
    run.restart = true;
    char *want = reference(&SMALL);
    check_and_remove(&run, want);
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_is_completed_when_it_crashed_at_any_point),
        cmocka_unit_test(test_run_is_completed_when_recovery_crashed_too),
        cmocka_unit_test(test_old_output_is_replaced_whole_when_publishing_crashed),
        cmocka_unit_test(test_begun_publish_is_completed_when_another_run_follows),
        cmocka_unit_test(test_run_is_completed_when_the_ledger_is_cut_anywhere),
        cmocka_unit_test(test_folder_is_refused_when_a_file_is_shorter_than_the_ledger_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
