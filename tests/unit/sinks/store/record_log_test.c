/* SPDX-License-Identifier: MIT */
/* The ledger's log: torn at every byte, damaged in the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sinks/jsonl/ledger/record.h"
#include "sinks/store/record_log.h"
#include "tests/harness/jsonl_fixture.h"

static const char *const RECORDS[] = {"{\"a\":1}", "{}", "{\"text\":\"three\"}"};
enum { N = 3 };

struct seen {
    size_t n;
};

static enum rc each(void *ctx, struct str json, struct err *err)
{
    struct seen *s = ctx;
    (void)err;
    assert_true(s->n < N);
    assert_true(str_is(json, RECORDS[s->n]));
    s->n++;
    return RC_OK;
}

/* Writes the records to a log in a fresh folder; `whole` is then the text of it. */
static void write_log(char dir[256], char path[FS_PATH], struct buf *whole)
{
    struct record_log log;
    struct err err;
    fix_tmp(dir);
    assert_int_equal(fs_mkdirs(dir, &err), RC_OK);
    fs_path(path, "%s/log", dir);
    assert_int_equal(record_log_create(&log, path, 0666, &err), RC_OK);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(record_log_append(&log, str_of(RECORDS[i]), &err), RC_OK);
    record_log_close(&log);
    buf_init(whole, BUF_NO_LIMIT);
    assert_int_equal(fs_read(path, whole, &err), RC_OK);
}

static void remove_log(const char *dir, struct buf *whole)
{
    buf_release(whole);
    fix_remove(dir);
}

static void put(const char *path, struct str bytes)
{
    struct err err;
    assert_int_equal(fs_replace(path, bytes, &err), RC_OK);
}

static void test_log_ends_before_the_torn_record_when_cut_anywhere(void **state)
{
    (void)state;
    char dir[256], path[FS_PATH];
    struct err err;
    struct buf whole;
    write_log(dir, path, &whole);
    for (size_t cut = 0; cut <= whole.len; cut++) {
        size_t records = 0;
        for (size_t i = 0; i < cut; i++)
            records += whole.p[i] == '\n';
        put(path, str_make(whole.p, cut));
        struct seen s = {0};
        assert_int_equal(record_log_read(path, each, &s, &err), RC_OK);
        assert_int_equal(s.n, records);
    }
    remove_log(dir, &whole);
}

static void test_log_is_refused_when_a_byte_in_the_middle_changed(void **state)
{
    (void)state;
    char dir[256], path[FS_PATH];
    struct err err;
    struct buf whole;
    write_log(dir, path, &whole);
    size_t last = whole.len - strlen(RECORDS[N - 1]) - 18;
    for (size_t i = 0; i < whole.len; i++) {
        if (whole.p[i] == '\n')
            continue;
        whole.p[i] ^= 1;
        put(path, buf_view(&whole));
        struct seen s = {0};
        enum rc rc = record_log_read(path, each, &s, &err);
        assert_int_equal(rc, i < last ? RC_SINK : RC_OK);
        assert_true(s.n < N);
        whole.p[i] ^= 1;
    }
    remove_log(dir, &whole);
}

static void test_log_is_refused_when_a_record_was_taken_out(void **state)
{
    (void)state;
    char dir[256], path[FS_PATH];
    struct err err;
    struct buf whole;
    write_log(dir, path, &whole);
    size_t first = strlen(RECORDS[0]) + 18;
    put(path, str_from(buf_view(&whole), first));
    struct seen s = {0};
    assert_int_equal(record_log_read(path, each, &s, &err), RC_SINK);
    assert_int_equal(s.n, 0);
    remove_log(dir, &whole);
}

static void test_record_comes_back_when_applied(void **state)
{
    (void)state;
    struct jsonl_state st;
    struct err err = {0};
    struct buf b;
    uint64_t counters[CNT_FIXED + FIX_TABLES + 1] = {5, 3, 0, 1, 1, 7};
    struct mark marks[] = {
        {.segment = 2, .epoch = 4, .resume = STR("k\0\xFF"), .counters = counters},
        {.segment = 0, .epoch = 1, .done = true, .counters = counters}};
    struct jsonl_file files[] = {{.id = 9, .stream = 1, .bytes = 100, .rows = 3, .raw = 400},
                                 {.id = 8, .stream = 0, .ended = true, .sha = {1, 2, 255}}};
    struct reasons reasons = {0};
    uint32_t drop = 8;
    buf_init(&b, BUF_NO_LIMIT);
    assert_int_equal(jsonl_state_init(&st, &fix_schema, &err), RC_OK);
    jsonl_record_begin(&b);
    jsonl_record_files(&b, files, 2);
    jsonl_record_marks(&b, marks, 2, schema_counters(&fix_schema));
    struct reason one = {.kind = REJECT_UNROUTED,
                         .name = STR("bad \xFF type"),
                         .column = STR("t.c"),
                         .count = 2,
                         .example = STR("why"),
                         .segment = 2,
                         .position = 7};
    assert_int_equal(reasons_add(&reasons, &one, &err), RC_OK);
    jsonl_record_reasons(&b, &reasons);
    reasons_release(&reasons);
    jsonl_record_drops(&b, &drop, 1);
    jsonl_record_plan(&b, STR("[{\"i\":7,\"d\":\"item\"}]"));
    jsonl_record_end(&b);
    for (int i = 0; i < 2; i++)
        assert_int_equal(jsonl_state_apply(&st, buf_view(&b), &err), RC_OK);
    assert_int_equal(st.counters[CNT_READ], 20);
    assert_int_equal(st.counters[CNT_FIXED], 28);
    assert_int_equal(st.segments_done, 1);
    assert_int_equal(st.nsegments, 3);
    assert_int_equal(st.segments[2].epoch, 4);
    assert_true(str_eq(st.segments[2].resume, STR("k\0\xFF")));
    assert_int_equal(st.nfiles, 2);
    assert_false(st.files[0].ended);
    assert_true(st.files[1].ended && st.files[1].dropped);
    assert_memory_equal(st.files[1].sha, files[1].sha, ZST_SHA);
    assert_int_equal(st.last_file, 9);
    assert_true(str_is(st.plan, "[{\"i\":7,\"d\":\"item\"}]"));
    assert_int_equal(st.reasons.n, 1);
    assert_int_equal(st.reasons.v[0].count, 4);
    assert_true(str_is(st.reasons.v[0].name, "bad \xEF\xBF\xBD type"));
    assert_true(str_is(st.reasons.v[0].column, "t.c"));
    assert_true(str_is(st.reasons.v[0].example, "why"));
    assert_int_equal(st.reasons.v[0].segment, 2);
    assert_int_equal(st.reasons.v[0].position, 7);
    jsonl_state_release(&st);
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_ends_before_the_torn_record_when_cut_anywhere),
        cmocka_unit_test(test_log_is_refused_when_a_byte_in_the_middle_changed),
        cmocka_unit_test(test_log_is_refused_when_a_record_was_taken_out),
        cmocka_unit_test(test_record_comes_back_when_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
