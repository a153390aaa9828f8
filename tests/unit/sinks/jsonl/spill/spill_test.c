/* SPDX-License-Identifier: MIT */
/*
 * More streams than compressors: rows that waited in a spill are there exactly once, in few parts,
 * wherever the process ended; who looks meanwhile counts them; damage is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sinks/jsonl/folder_status.h"
#include "sinks/store/fs.h"
#include "tests/harness/jsonl_fixture.h"

/* Children are slow to start under ThreadSanitizer, and may not end while a thread of theirs runs. */
#ifdef __SANITIZE_THREAD__
enum { STRIDE = 12, WORKERS = 1 };
#else
enum { STRIDE = 1, WORKERS = 2 };
#endif

/* One compressor for five streams: all but the first wait. */
static struct fix_run small(const char *out)
{
    return (struct fix_run){.out = out,
                            .segments = 3,
                            .items = 40,
                            .page = 5,
                            .pages = 2,
                            .workers = WORKERS,
                            .opts = {.open_parts = 1}};
}

static void done(const struct fix_run *run)
{
    struct fix_result r;
    struct err err = {0};
    if (fix_export(run, &r, &err))
        fail_msg("%s", err.msg);
}

static char *reference(void)
{
    char out[256];
    fix_tmp(out);
    struct fix_run run = small(out);
    run.opts.open_parts = 16;
    done(&run);
    char *text = fix_everything(out);
    fix_remove(out);
    return text;
}

static void check_and_remove(const struct fix_run *run, const char *want)
{
    done(run);
    char *have = fix_everything(run->out);
    assert_string_equal(have, want);
    free(have);
    fix_remove(run->out);
}

static size_t parts_of(const char *out, const char *folder)
{
    char dir[FS_PATH];
    struct fs_list list = {0};
    struct err err;
    fs_path(dir, "%s/%s", out, folder);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    size_t n = list.n;
    fs_list_release(&list);
    return n;
}

static void test_tables_have_one_part_however_often_they_take_turns(void **state)
{
    (void)state;
    char out[256];
    char *want = reference();
    fix_tmp(out);
    struct fix_run run = small(out);
    run.items = 400;
    run.workers = 1;
    done(&run);
    assert_int_equal(parts_of(out, "item"), 1);
    assert_int_equal(parts_of(out, "%2E.%2Fchild"), 1);
    assert_int_equal(parts_of(out, "owner"), 1);
    assert_int_equal(parts_of(out, "rejects"), 1);
    fix_remove(out);
    fix_tmp(out);
    run = small(out);
    check_and_remove(&run, want);
    free(want);
}

/* The first process ends early, or while it empties the spills; the second at any point. */
static void test_rows_are_there_once_when_two_processes_crashed(void **state)
{
    (void)state;
    static const char *const FIRST[] = {"spill", "committed", "unspill:written",
                                        "unspill:recorded", "unspill:dropped"};
    char out[256];
    char *want = reference();
    struct fix_run run = small(out);
    for (size_t i = 0; i < sizeof FIRST / sizeof FIRST[0]; i++) {
        int how = FIX_CRASHED;
        for (int k = 1; how == FIX_CRASHED; k += i < 2 ? 3 * STRIDE : STRIDE) {
            fix_tmp(out);
            assert_int_equal(fix_crash(&run, i < 2 ? 3 : 1, FIRST[i]), FIX_CRASHED);
            how = fix_crash(&run, k, NULL);
            assert_int_not_equal(how, 1);
            check_and_remove(&run, want);
        }
    }
    free(want);
}

/* Rows of all tables, as the ledger knows them. */
static uint64_t rows_told(const char *out)
{
    struct jsonl_status st;
    struct err err = {0};
    uint64_t rows = 0;
    assert_int_equal(fix_status(out, &st, &err), RC_OK);
    for (size_t i = 0; i < st.ntables; i++)
        rows += jsonl_status_rows(&st, i);
    jsonl_status_release(&st);
    return rows;
}

static void test_status_counts_rows_that_wait(void **state)
{
    (void)state;
    static const char *const POINTS[] = {"unspill:written", "unspill:recorded",
                                         "unspill:dropped"};
    char out[256];
    fix_tmp(out);
    struct fix_run run = small(out);
    struct fix_result r;
    struct err err = {0};
    run.stop_after = 4;
    assert_int_equal(fix_export(&run, &r, &err), RC_OK);
    run.opts.open_parts = 16;
    uint64_t some = rows_told(out);
    fix_remove(out);
    fix_tmp(out);
    assert_int_equal(fix_export(&run, &r, &err), RC_OK);
    assert_int_equal(rows_told(out), some);
    fix_remove(out);
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof POINTS / sizeof POINTS[0]; i++) {
        fix_tmp(out);
        run = small(out);
        assert_int_equal(fix_crash(&run, 1, POINTS[i]), FIX_CRASHED);
        all = i ? all : rows_told(out);
        assert_int_equal(rows_told(out), all);
        fix_remove(out);
    }
    assert_true(all > some);
}

/* The path of the first spill. */
static void find_spill(const char *out, char path[FS_PATH])
{
    char dir[FS_PATH];
    struct fs_list list = {0};
    struct err err;
    fs_path(dir, "%s/.renorm", out);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    for (size_t i = 0; i < list.n; i++) {
        if (strncmp(list.names[i], "run-", 4) == 0)
            fs_path(dir, "%s/.renorm/%s/spill/1", out, list.names[i]);
    }
    fs_list_release(&list);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    assert_true(list.n > 0);
    fs_path(path, "%s/%s", dir, list.names[0]);
    fs_list_release(&list);
}

static void test_damaged_spill_is_refused(void **state)
{
    (void)state;
    static const long PLACES[] = {1, 17, 20, 26, 33, 60};
    char out[256], path[FS_PATH];
    struct fix_result r;
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        struct err err = {0};
        fix_tmp(out);
        struct fix_run run = small(out);
        assert_int_equal(fix_crash(&run, 1, "unspill:written"), FIX_CRASHED);
        find_spill(out, path);
        FILE *f = fopen(path, "r+");
        assert_non_null(f);
        assert_int_equal(fseek(f, PLACES[i], SEEK_SET), 0);
        assert_int_equal(fputc(0x7F, f), 0x7F);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(fix_export(&run, &r, &err), RC_SINK);
        assert_non_null(strstr(err.msg, "is damaged"));
        fix_remove(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_have_one_part_however_often_they_take_turns),
        cmocka_unit_test(test_rows_are_there_once_when_two_processes_crashed),
        cmocka_unit_test(test_status_counts_rows_that_wait),
        cmocka_unit_test(test_damaged_spill_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
