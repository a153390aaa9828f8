/* SPDX-License-Identifier: MIT */
/*
 * A whole comparison without a sink: a file of items goes through a model into a store in memory,
 * and what it makes is compared with a reader whose rows are written down here.
 */
#include "pipeline/compare/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/source/files/files.h"
#include "pipeline/stage/stage.h"
#include "tests/harness/memory_store.h"
#include "tests/harness/report_text.h"
#include "tests/harness/scratch.h"

static const char MODEL[] =
    "{\"renorm\":1,\"name\":\"t\",\"source\":{\"key\":[\"PK\",\"SK\"],\"ttl\":\"Ttl\"},"
    "\"rest\":\"drop\",\"entities\":{\"E\":{\"keys\":{\"PK\":\"C#{c}\"},"
    "\"primary_key\":\"c\",\"table\":\"e\",\"columns\":{\"n\":\"bigint\"},"
    "\"stages\":[{\"explode\":{\"from\":\"L\",\"into\":\"l\",\"ordinal\":\"i\","
    "\"columns\":{\"value\":\"bigint\"}}}]}}}";

#define ITEM(c, sk, rest) "{\"PK\":{\"S\":\"" c "\"},\"SK\":{\"S\":\"" sk "\"}" rest "}\n"
#define N(n)              ",\"n\":{\"N\":\"" n "\"}"
#define LIST(a)           ",\"L\":{\"L\":[{\"N\":\"" a "\"}]}"
#define ROW(c, n)         "{\"n\":" n ",\"c\":\"" c "\"}"
#define PART(c, n)        "{\"c\":\"" c "\",\"i\":0,\"value\":" n "}"
#define ROWS(...)         ((const char *const[]){__VA_ARGS__, NULL})
#define NONE              ((const char *const[]){NULL})

static const char TWO[] = ITEM("C#a", "1", N("1") LIST("7")) ITEM("C#b", "1", N("2"));

struct world {
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct scratch dir;
    struct memory_store store;
    struct report_text told;
    struct comparison found;
    struct err err;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    problems_init(&w->problems);
    scratch_init(&w->dir);
    assert_int_equal(model_read(str_of(MODEL), stage_table, &w->model, &w->problems, &w->err),
                     RC_OK);
    assert_int_equal(
        plan_new(w->model, &(struct plan_options){0}, &w->plan, &w->problems, &w->err), RC_OK);
    memory_store_init(&w->store, w->dir.dir);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    memory_store_release(&w->store);
    plan_free(w->plan);
    model_free(w->model);
    problems_release(&w->problems);
    scratch_release(&w->dir);
    free(w);
    return 0;
}

/* What the source says of these items, compared with what the sink holds. */
static enum rc compare(struct world *w, const char *items, struct memory_rows *sink)
{
    static const atomic_bool stop;
    const char *path = scratch_write(&w->dir, "items.jsonl", str_of(items));
    struct compare_report report = report_text(&w->told, true);
    struct compare_setup setup = {.source = {.plan = w->plan,
                                             .model_hash = w->model->hash,
                                             .store = &w->store.store,
                                             .workers = 1,
                                             .stop = &stop,
                                             .env = &env_real,
                                             .version = "test"},
                                  .sink = memory_rows(sink),
                                  .report = &report};
    struct files_options files = {.paths = &path, .npaths = 1};
    assert_int_equal(files_open(&files, &setup.source.source, &w->err), RC_OK);
    enum rc rc = compare_run(&setup, &w->found, &w->err);
    setup.source.source->ops->free(setup.source.source);
    return rc;
}

static void test_equal_in_any_order(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {
        .of = {ROWS(ROW("b", "2"), ROW("a", "1")), ROWS(PART("a", "7"))}};
    assert_int_equal(compare(w, TWO, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 equal\nl 1 equal\n");
    assert_int_equal(w->found.tables, 2);
    assert_int_equal(w->found.rows, 3);
    assert_int_equal(w->found.differing, 0);
}

static void test_differences_are_named(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {.of = {ROWS(ROW("a", "3"), ROW("c", "2")), NONE}};
    assert_int_equal(compare(w, TWO, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 DIFFERENT\n"
                                      "e different [\"a\"]\ne missing [\"b\"]\n"
                                      "e extra [\"c\"]\nl 0 DIFFERENT\n"
                                      "l missing [\"a\",0]\n");
    assert_int_equal(w->found.differing, 4);
}

static void test_items_that_make_no_rows_are_counted(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {.of = {NONE, NONE}, .rowless = {.rejected = 1}};
    assert_int_equal(
        compare(w, ITEM("C#a", "1", ",\"n\":{\"S\":\"no\"}") ITEM("X", "1", ""), &sink), RC_OK);
    assert_string_equal(w->told.text, "e 0 equal\nl 0 equal\nunrouted 1 0\n");
    assert_int_equal(w->found.rejected, 1);
    assert_int_equal(w->found.unrouted, 1);
    assert_int_equal(w->found.differing, 1);
}

/* Three items of the key "a", of which the first and the last have a part. */
static const char THRICE[] = ITEM("C#a", "1", N("1") LIST("7")) ITEM("C#a", "2", N("2"))
    ITEM("C#b", "1", N("9") LIST("5")) ITEM("C#a", "3", N("3") LIST("8"));

static void test_first_of_a_key_stays(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {
        .base = {.duplicates = STR("first")},
        .of = {ROWS(ROW("a", "1"), ROW("b", "9")), ROWS(PART("a", "7"), PART("b", "5"))}};
    assert_int_equal(compare(w, THRICE, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 equal\nl 2 equal\n");
}

static void test_last_of_a_key_stays(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {
        .base = {.duplicates = STR("last")},
        .of = {ROWS(ROW("a", "3"), ROW("b", "9")), ROWS(PART("a", "8"), PART("b", "5"))}};
    assert_int_equal(compare(w, THRICE, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 equal\nl 2 equal\n");
}

static void test_sink_that_kept_another_row_differs(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {
        .base = {.duplicates = STR("first")},
        .of = {ROWS(ROW("a", "2"), ROW("b", "9")), ROWS(PART("a", "8"), PART("b", "5"))}};
    assert_int_equal(compare(w, THRICE, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 DIFFERENT\ne different [\"a\"]\n"
                                      "l 2 DIFFERENT\nl different [\"a\",0]\n");
}

static void test_rows_stay_where_the_sink_dropped_none(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {
        .of = {ROWS(ROW("a", "1"), ROW("b", "9")), ROWS(PART("a", "7"), PART("b", "5"))}};
    assert_int_equal(compare(w, THRICE, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 DIFFERENT\ne different [\"a\"]\n"
                                      "l 2 DIFFERENT\nl different [\"a\",0]\n");
}

static void test_source_is_read_as_of_the_start_of_the_run(void **state)
{
    struct world *w = *state;
    static const char ITEMS[] =
        ITEM("C#a", "1", N("1") ",\"Ttl\":{\"N\":\"1000\"}") ITEM("C#b", "1", N("2"));
    struct memory_rows sink = {.base = {.now_us = INT64_C(999000000)},
                               .of = {ROWS(ROW("a", "1"), ROW("b", "2")), NONE}};
    assert_int_equal(compare(w, ITEMS, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 2 equal\nl 0 equal\n");
}

static void test_items_that_had_expired_are_not_expected(void **state)
{
    struct world *w = *state;
    static const char ITEMS[] =
        ITEM("C#a", "1", N("1") ",\"Ttl\":{\"N\":\"1000\"}") ITEM("C#b", "1", N("2"));
    struct memory_rows sink = {.base = {.now_us = INT64_C(1001000000)},
                               .of = {ROWS(ROW("b", "2")), NONE}};
    assert_int_equal(compare(w, ITEMS, &sink), RC_OK);
    assert_string_equal(w->told.text, "e 1 equal\nl 0 equal\n");
}

static void test_sink_that_cannot_be_read_ends_it(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {.of = {ROWS(ROW("a", "1"), ROW("b", "2")), NONE}, .fail_at = 1};
    assert_int_equal(compare(w, TWO, &sink), RC_SINK);
    assert_string_equal(w->err.msg, "as asked for");
    assert_string_equal(w->told.text, "");
}

static void test_fresh_rows_that_cannot_be_read_end_it(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {.base = {.duplicates = STR("last")}, .of = {NONE, NONE}};
    w->store.rows.fail_at = 1;
    assert_int_equal(compare(w, TWO, &sink), RC_SINK);
    assert_string_equal(w->told.text, "");
}

static void test_store_without_a_sink_ends_it(void **state)
{
    struct world *w = *state;
    struct memory_rows sink = {.of = {NONE, NONE}};
    w->store.no_sink = true;
    assert_int_equal(compare(w, TWO, &sink), RC_TRANSIENT);
    assert_int_equal(sink.starts, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_equal_in_any_order),
        TEST(test_differences_are_named),
        TEST(test_items_that_make_no_rows_are_counted),
        TEST(test_first_of_a_key_stays),
        TEST(test_last_of_a_key_stays),
        TEST(test_sink_that_kept_another_row_differs),
        TEST(test_rows_stay_where_the_sink_dropped_none),
        TEST(test_source_is_read_as_of_the_start_of_the_run),
        TEST(test_items_that_had_expired_are_not_expected),
        TEST(test_sink_that_cannot_be_read_ends_it),
        TEST(test_fresh_rows_that_cannot_be_read_end_it),
        TEST(test_store_without_a_sink_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
