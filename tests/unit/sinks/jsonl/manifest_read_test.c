/* SPDX-License-Identifier: MIT */
/* A finished folder read back with its checksums; an unfinished one looked at; rejects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/jsonl/folder_status.h"
#include "sinks/jsonl/manifest_read.h"
#include "sinks/jsonl/reject_file.h"
#include "tests/harness/jsonl_fixture.h"

static const struct fix_run SMALL = {.segments = 2, .items = 40, .page = 5, .pages = 2};

static void make(const char *out, uint32_t stop_after)
{
    struct fix_run run = SMALL;
    struct fix_result r;
    struct err err = {0};
    run.out = out;
    run.stop_after = stop_after;
    if (fix_export(&run, &r, &err))
        fail_msg("%s", err.msg);
}

static enum rc read_manifest(const char *out, struct jsonl_manifest **m, struct err *err)
{
    struct store *store = fix_look(out);
    enum rc rc = jsonl_manifest_read(store, m, err);
    if (rc)
        store_close(store);
    return rc;
}

static void free_manifest(struct jsonl_manifest *m)
{
    store_close(m->store);
    jsonl_manifest_free(m);
}

/* Reads all rows of a table; *n counts them. */
static enum rc read_rows(const struct jsonl_manifest *m, const char *table, uint64_t *n,
                         struct err *err)
{
    struct jsonl_lines rows;
    struct str line;
    enum rc rc;
    jsonl_lines_init(&rows, m, jsonl_manifest_table(m, str_of(table)));
    for (*n = 0; !(rc = jsonl_lines_next(&rows, &line, err)); (*n)++)
        assert_true(line.n > 2 && line.p[0] == '{' && line.p[line.n - 1] == '}');
    jsonl_lines_release(&rows);
    return rc;
}

static void test_rows_are_read_back_when_the_folder_is_sound(void **state)
{
    (void)state;
    char out[256];
    struct jsonl_manifest *m = NULL;
    struct err err = {0};
    uint64_t n = 0;
    fix_tmp(out);
    make(out, 0);
    assert_int_equal(read_manifest(out, &m, &err), RC_OK);
    assert_true(str_is(m->model_hash, "m"));
    assert_true(str_is(m->name, "fix"));
    assert_true(str_is(m->version, "test"));
    assert_int_equal(m->started_us, 1700000000000000);
    assert_int_equal(m->segments, 2);
    assert_int_equal(m->items[CNT_READ], 80);
    assert_int_equal(m->ntables, FIX_TABLES);
    assert_int_equal(m->rejects.rows + m->unrouted.rows, 8);
    assert_int_equal(m->nreasons, 1);
    assert_true(str_is(m->reasons[0].name, "cast"));
    assert_int_equal(read_rows(m, "item", &n, &err), RC_END);
    assert_int_equal(n, 72);
    assert_int_equal(jsonl_manifest_table(m, STR("item"))->rows, 72);
    assert_int_equal(read_rows(m, "../child", &n, &err), RC_END);
    assert_int_equal(n, jsonl_manifest_table(m, STR("../child"))->rows);
    assert_int_equal(read_rows(m, "link", &n, &err), RC_END);
    assert_int_equal(n, 0);
    assert_null(jsonl_manifest_table(m, STR("nobody")));
    free_manifest(m);
    fix_remove(out);
}

static void test_damage_is_named_when_a_file_changed(void **state)
{
    (void)state;
    char out[256], path[FS_PATH];
    struct jsonl_manifest *m = NULL;
    struct err err = {0};
    struct buf b;
    uint64_t n = 0;
    fix_tmp(out);
    make(out, 0);
    assert_int_equal(read_manifest(out, &m, &err), RC_OK);
    const struct jsonl_part_info *f = &jsonl_manifest_table(m, STR("item"))->files[0];
    fs_path(path, "%s/item/%.*s", out, STR_FMT(f->name));
    buf_init(&b, BUF_NO_LIMIT);
    assert_int_equal(fs_read(path, &b, &err), RC_OK);
    for (size_t i = 0; i < b.len; i += 1 + b.len / 40) {
        b.p[i] ^= 0x10;
        assert_int_equal(fs_replace(path, buf_view(&b), &err), RC_OK);
        assert_int_equal(read_rows(m, "item", &n, &err), RC_SINK);
        assert_non_null(strstr(err.msg, path));
        b.p[i] ^= 0x10;
    }
    for (size_t cut = 0; cut < b.len; cut += 1 + b.len / 40) {
        assert_int_equal(fs_replace(path, str_make(b.p, cut), &err), RC_OK);
        assert_int_equal(read_rows(m, "item", &n, &err), RC_SINK);
        assert_non_null(strstr(err.msg, path));
    }
    assert_int_equal(fs_remove(path, &err), RC_OK);
    assert_int_equal(read_rows(m, "item", &n, &err), RC_SINK);
    assert_non_null(strstr(err.msg, "is missing"));
    buf_release(&b);
    free_manifest(m);
    fix_remove(out);
}

static void test_manifest_is_refused_when_it_points_outside(void **state)
{
    (void)state;
    char out[256], path[FS_PATH];
    struct jsonl_manifest *m = NULL;
    struct err err = {0};
    fix_tmp(out);
    assert_int_equal(fs_mkdirs(out, &err), RC_OK);
    assert_int_equal(read_manifest(out, &m, &err), RC_NONE);
    fs_path(path, "%s/manifest.json", out);
    static const char FILE_OUTSIDE[] =
        "{\"renorm\":1,\"model_hash\":\"m\",\"tables\":[{\"folder\":"
        "\"a\",\"files\":[{\"name\":\"../../x\"}]}]}";
    static const char *const BAD[] = {
        "",
        "[]",
        "{\"renorm\":1}",
        "{\"name\":\"x\",\"model_hash\":\"m\"}",
        "{\"renorm\":1,\"model_hash\":\"m\",\"tables\":[{\"folder\":\"..\"}]}",
        "{\"renorm\":1,\"model_hash\":\"m\",\"tables\":[{\"folder\":\"a/b\"}]}",
        "{\"renorm\":1,\"model_hash\":\"m\",\"tables\":[{\"folder\":\"\"}]}",
        FILE_OUTSIDE,
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        assert_int_equal(fs_replace(path, str_of(BAD[i]), &err), RC_OK);
        assert_int_equal(read_manifest(out, &m, &err), RC_USAGE);
    }
    fix_remove(out);
}

static void test_status_tells_progress_when_a_run_was_stopped(void **state)
{
    (void)state;
    char out[256];
    struct jsonl_status st;
    struct err err = {0};
    fix_tmp(out);
    assert_int_equal(fix_status(out, &st, &err), RC_USAGE);
    make(out, 5); /* of 8 commits: the first segment and 10 items of the second */
    assert_int_equal(fix_status(out, &st, &err), RC_OK);
    assert_true(st.unfinished && !st.under_way && st.resumable);
    assert_true(str_is(st.source, "fixture"));
    assert_int_equal(st.segments, 2);
    assert_int_equal(st.state.segments_done, 1);
    assert_int_equal(st.state.counters[CNT_READ], 50);
    assert_int_equal(st.ntables, FIX_TABLES);
    assert_true(str_is(st.tables[FIX_ITEM], "item"));
    assert_int_equal(jsonl_status_rows(&st, FIX_ITEM), st.state.counters[CNT_FIXED + FIX_ITEM]);
    assert_int_equal(st.state.reasons.n, 2);
    jsonl_status_release(&st);
    make(out, 0);
    assert_int_equal(fix_status(out, &st, &err), RC_OK);
    assert_false(st.unfinished);
    jsonl_status_release(&st);
    fix_remove(out);
}

static void reject_is(struct str raw, const char *want)
{
    struct buf b;
    struct reject r = {.kind = REJECT_ITEM,
                       .raw = raw,
                       .entity = STR("E\xFF"),
                       .reason = "why",
                       .detail = STR("say \"so\""),
                       .position = 7};
    buf_init(&b, BUF_NO_LIMIT);
    jsonl_reject(&b, &r, &(struct batch){.segment = 3, .input = "a\"b.jsonl"});
    static const char HEAD[] =
        "{\"renorm\":{\"reason\":\"why\",\"detail\":\"say \\\"so\\\"\","
        "\"entity\":\"E\xEF\xBF\xBD\",\"file\":\"a\\\"b.jsonl\",\"segment\":3,\"position\":7},";
    assert_memory_equal(b.p, HEAD, sizeof HEAD - 1);
    assert_string_equal(buf_cstr(&b) + sizeof HEAD - 1, want);
    buf_release(&b);
}

static void test_reject_keeps_the_item_whole_when_json_or_not(void **state)
{
    (void)state;
    reject_is(STR("{\"A\":{\"N\":\"1\"},\"A\":{\"N\":\"01\"}}"),
              "\"item\":{\"A\":{\"N\":\"1\"},\"A\":{\"N\":\"01\"}}}");
    reject_is(STR("{\n \"A\" :\r\n1}"), "\"item\":{  \"A\" :  1}}");
    reject_is(STR("{\"A\":"), "\"item_base64\":\"eyJBIjo=\"}");
    reject_is(STR("\xFF"), "\"item_base64\":\"/w==\"}");
    reject_is(STR(""), "\"item_base64\":\"\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_read_back_when_the_folder_is_sound),
        cmocka_unit_test(test_damage_is_named_when_a_file_changed),
        cmocka_unit_test(test_manifest_is_refused_when_it_points_outside),
        cmocka_unit_test(test_status_tells_progress_when_a_run_was_stopped),
        cmocka_unit_test(test_reject_keeps_the_item_whole_when_json_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
