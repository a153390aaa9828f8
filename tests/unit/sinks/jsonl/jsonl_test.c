/* SPDX-License-Identifier: MIT */
/* The JSON-lines sink from open to publish, on a real folder. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <zstd.h>

#include "sinks/null.h"
#include "sinks/store/fs.h"
#include "tests/harness/jsonl_fixture.h"

static const struct fix_run SMALL = {.segments = 3, .items = 100, .page = 10, .pages = 2};

/* Runs and fails the test with the message if it does not succeed. */
static struct fix_result done(const struct fix_run *run)
{
    struct fix_result r;
    struct err err = {0};
    if (fix_export(run, &r, &err))
        fail_msg("%s", err.msg);
    return r;
}

static char *reference(void)
{
    char out[256];
    fix_tmp(out);
    struct fix_run run = SMALL;
    run.out = out;
    (void)done(&run);
    char *text = fix_everything(out);
    fix_remove(out);
    return text;
}

static bool exists(const char *out, const char *name)
{
    char path[FS_PATH];
    struct stat st;
    fs_path(path, "%s/%s", out, name);
    return stat(path, &st) == 0;
}

static void test_fresh_run_is_published_when_all_is_done(void **state)
{
    (void)state;
    char out[256], path[FS_PATH];
    fix_tmp(out);
    struct fix_run run = SMALL;
    run.out = out;
    struct fix_result r = done(&run);
    assert_true(r.report.published);
    assert_false(r.state.resumed);
    assert_int_equal(r.tables[FIX_ITEM].rows, 273);
    char *items = fix_lines(out, "item");
    assert_non_null(
        strstr(items, "{\"id\":\"s0-i000000\",\"n\":1.5,\"note\":\"note \\\"0\\\" of 0\"}\n"));
    assert_non_null(strstr(items, "{\"id\":\"s2-i000099\",\"n\":100.5,"));
    char *owners = fix_lines(out, "owner");
    assert_string_equal(owners,
                        "{\"owner\":\"owner0\",\"mail\":\"m9@x\",\"city\":\"city0\"}\n"
                        "{\"owner\":\"owner1\",\"mail\":\"m9@x\",\"city\":\"city1\"}\n"
                        "{\"owner\":\"owner2\",\"mail\":\"m9@x\",\"city\":\"city2\"}\n"
                        "{\"owner\":\"owner3\",\"mail\":\"m9@x\",\"city\":\"city3\"}\n"
                        "{\"owner\":\"owner4\",\"mail\":\"m9@x\",\"city\":\"city4\"}\n"
                        "{\"owner\":\"owner5\",\"mail\":\"m9@x\",\"city\":\"city5\"}\n"
                        "{\"owner\":\"owner6\",\"mail\":\"m9@x\",\"city\":\"city6\"}\n");
    free(owners);
    char *conflicts = fix_lines(out, "owner_conflict");
    assert_non_null(strstr(conflicts,
                           "{\"owner\":\"owner0\",\"attribute\":\"mail\",\"kept\":\"m9@x\","
                           "\"lost\":\"m1@x\",\"count\":3,\"source_key\":\"s0-i000028\"}\n"));
    free(conflicts);
    char *rejects = fix_lines(out, "rejects");
    assert_non_null(strstr(rejects,
                           "{\"renorm\":{\"reason\":\"cast\",\"detail\":\"why\",\"entity\":"
                           "\"Thing\",\"segment\":0,\"position\":3},\"item\":{\"PK\":{\"S\":"
                           "\"0-3\"}}}\n"));
    fs_path(path, "%s/manifest.json", out);
    char *manifest = fix_read(path);
    assert_non_null(strstr(manifest, "\"items\":{\"read\":300,\"routed\":273,\"filtered\":0,"
                                     "\"unrouted\":12,\"rejected\":15}"));
    assert_non_null(strstr(manifest, "\"by_reason\":{\"cast\":15}"));
    assert_non_null(strstr(manifest, "\"by_type\":{\"Thing\":12}"));
    struct stat st;
    fs_path(path, "%s/rejects", out);
    struct fs_list list;
    struct err err;
    assert_int_equal(fs_list(path, &list, &err), RC_OK);
    fs_path(path, "%s/rejects/%s", out, list.names[0]);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    fs_list_release(&list);
    free(manifest);
    free(rejects);
    free(items);
    fix_remove(out);
}

/* Ends every run after one commit, until one comes through. */
static void stop_and_go(bool dirty, uint32_t workers)
{
    char out[256];
    fix_tmp(out);
    struct fix_run run = SMALL;
    run.out = out;
    run.workers = workers;
    run.dirty = dirty;
    run.stop_after = 1;
    uint64_t seen = 0;
    for (int i = 0; !exists(out, "manifest.json"); i++) {
        assert_true(i < 30);
        struct fix_result r = done(&run);
        assert_int_equal(r.state.resumed, i > 0);
        assert_true(i == 0 || r.state.resumed_items > seen);
        seen = r.state.resumed_items;
    }
    char *want = reference(), *have = fix_everything(out);
    assert_string_equal(have, want);
    free(want);
    free(have);
    fix_remove(out);
}

static void test_run_is_resumed_when_stopped_after_commits(void **state)
{
    (void)state;
    stop_and_go(false, 1);
    stop_and_go(false, 2);
}

static void test_run_is_resumed_when_rows_were_not_committed(void **state)
{
    (void)state;
    stop_and_go(true, 1);
    stop_and_go(true, 3);
}

struct halt {
    const char *at; /* what is being done */
    atomic_bool stop;
    unsigned told;
};

static void halt_at(void *ctx, const char *what)
{
    struct halt *h = ctx;
    if (strcmp(what, h->at) != 0)
        return;
    h->told++;
    atomic_store(&h->stop, true);
}

/* The operator asks to stop while the sink recovers, or reduces; then lets it go on. */
static void stop_at(const char *what)
{
    char out[256];
    fix_tmp(out);
    struct fix_run run = SMALL;
    struct fix_result r;
    struct err err = {0};
    struct halt halt = {.at = what};
    run.out = out;
    run.dirty = true;
    run.stop_after = 1;
    (void)done(&run);
    run.stop_after = 0;
    run.watch = (struct sink_watch){&halt.stop, halt_at, NULL, &halt};
    for (unsigned i = 1; i <= 2; i++) { /* it can be asked again and again */
        atomic_store(&halt.stop, false);
        assert_int_equal(fix_export(&run, &r, &err), RC_CANCEL);
        assert_int_equal(halt.told, i);
        assert_false(exists(out, "manifest.json"));
    }
    run.watch = (struct sink_watch){0};
    (void)done(&run);
    char *want = reference(), *have = fix_everything(out);
    assert_string_equal(have, want);
    free(want);
    free(have);
    fix_remove(out);
}

static void test_run_is_resumed_when_stopped_while_recovering(void **state)
{
    (void)state;
    stop_at("recovering");
}

static void test_run_is_resumed_when_stopped_while_reducing(void **state)
{
    (void)state;
    stop_at("reducing");
}

/* Every file of a folder is one zstd frame from its first byte to its last. */
static size_t check_frames(const char *out, const char *folder)
{
    char dir[FS_PATH], path[FS_PATH];
    struct fs_list list;
    struct err err;
    struct buf b;
    fs_path(dir, "%s/%s", out, folder);
    assert_int_equal(fs_list(dir, &list, &err), RC_OK);
    size_t n = list.n;
    buf_init(&b, BUF_NO_LIMIT);
    for (size_t i = 0; i < n; i++) {
        fs_path(path, "%s/%s", dir, list.names[i]);
        buf_clear(&b);
        assert_int_equal(fs_read(path, &b, &err), RC_OK);
        assert_int_equal(ZSTD_findFrameCompressedSize(b.p, b.len), b.len);
        assert_true((b.p[4] & 4) != 0); /* the frame's checksum flag */
    }
    buf_release(&b);
    fs_list_release(&list);
    return n;
}

static void test_files_are_single_frames_when_parts_are_rotated(void **state)
{
    (void)state;
    char out[256];
    fix_tmp(out);
    struct fix_run run = SMALL;
    run.out = out;
    run.opts.part_bytes = 200;
    (void)done(&run);
    assert_true(check_frames(out, "item") > 5);
    char *want = reference(), *have = fix_everything(out);
    assert_string_equal(have, want);
    free(want);
    free(have);
    fix_remove(out);
}

static void test_rows_are_complete_when_one_file_may_be_open(void **state)
{
    (void)state;
    char out[256];
    fix_tmp(out);
    struct fix_run run = SMALL;
    run.out = out;
    run.workers = 2;
    run.opts.open_parts = 1;
    run.opts.level = 1;
    (void)done(&run);
    (void)check_frames(out, "item");
    char *want = reference(), *have = fix_everything(out);
    assert_string_equal(have, want);
    free(want);
    free(have);
    fix_remove(out);
}

/* A file size limit stands for a full disk: every write beyond it fails. */
static void test_run_is_resumed_when_writing_failed(void **state)
{
    (void)state;
    char out[256];
    char *want = reference();
    struct fix_run run = SMALL;
    int failures = 0;
    run.out = out;
    for (rlim_t limit = 0; limit < 6000; limit += 300) {
        fix_tmp(out);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            struct fix_result r;
            struct err err = {0};
            struct rlimit size = {limit, limit};
            (void)signal(SIGXFSZ, SIG_IGN);
            enum rc rc =
                setrlimit(RLIMIT_FSIZE, &size) == 0 ? fix_export(&run, &r, &err) : RC_USAGE;
            bool told = strstr(err.msg, out) && strstr(err.msg, "File too large");
            _exit(!rc ? 0 : rc == RC_TRANSIENT && told ? 3 : 4);
        }
        int status = 0;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
        failures += WEXITSTATUS(status) == 3;
        (void)done(&run);
        char *have = fix_everything(out);
        assert_string_equal(have, want);
        free(have);
        fix_remove(out);
    }
    assert_true(failures > 3);
    free(want);
}

static void test_null_sink_counts_rows_when_it_keeps_none(void **state)
{
    (void)state;
    struct sink *s = null_sink_new();
    struct err err = {0};
    struct run_state rs;
    struct table_total totals[FIX_TABLES];
    struct sink_report report = {.tables = totals};
    uint64_t counters[CNT_FIXED + FIX_TABLES + 1] = {4, 4, 0, 0, 0, 9};
    struct run_info info = {.schema = &fix_schema, .now_us = 5};
    struct verdict v = {0};
    struct claim claim;
    assert_int_equal(s->ops->open(s, &info, &rs, &err), RC_OK);
    assert_int_equal(rs.now_us, 5);
    assert_int_equal(rs.counters[CNT_READ], 0);
    assert_int_equal(s->ops->claim(s, 0, &claim, &err), RC_OK);
    assert_int_equal(claim.state, CLAIM_MINE);
    struct sink_worker *w = s->ops->worker(s, 0, &err);
    struct mark m = {.counters = counters};
    enum commit_outcome outcome = COMMIT_UNDER_WAY;
    assert_int_equal(w->ops->commit(w, &m, 1, &outcome, &err), RC_OK);
    assert_int_equal(w->ops->commit(w, &m, 1, &outcome, &err), RC_OK);
    assert_int_equal(outcome, COMMIT_DONE);
    w->ops->close(w);
    assert_int_equal(s->ops->finish(s, &v, &report, &err), RC_OK);
    assert_int_equal(s->ops->publish(s, &v, &report, &err), RC_OK);
    assert_int_equal(totals[FIX_ITEM].rows, 18);
    s->ops->close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_single_frames_when_parts_are_rotated),
        cmocka_unit_test(test_rows_are_complete_when_one_file_may_be_open),
        cmocka_unit_test(test_run_is_resumed_when_writing_failed),
        cmocka_unit_test(test_null_sink_counts_rows_when_it_keeps_none),
        cmocka_unit_test(test_run_is_resumed_when_stopped_after_commits),
        cmocka_unit_test(test_run_is_resumed_when_rows_were_not_committed),
        cmocka_unit_test(test_run_is_resumed_when_stopped_while_recovering),
        cmocka_unit_test(test_run_is_resumed_when_stopped_while_reducing),
        cmocka_unit_test(test_fresh_run_is_published_when_all_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
