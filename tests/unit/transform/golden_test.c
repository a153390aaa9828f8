/* SPDX-License-Identifier: MIT */
/*
 * The cases of tests/golden/NAME.t: blocks of three lines, apart by blank ones, '#' lines being
 * comments. A model rule (the body of entity "E", whose key PK is "x" unless it has "keys", or a
 * whole model), an item, and what becomes of it: "TABLE ROW" for each row, joined by " | " (a candidate of an extract has a '?' before it),
 * or "rejected REASON", "filtered", "unrouted", or for the model "problem TEXT".
 * Adding a case needs no C. Run from the root of the repository.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include <cmocka.h>

#include "pipeline/plan/plan.h"
#include "pipeline/stage/stage.h"
#include "pipeline/transform/transform.h"
#include "tests/harness/scratch.h"

#define NOW_US INT64_C(1782864000000000) /* 2026-07-01 */

struct golden {
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct transform *pass;
    struct buf got;
};

static void add_rows(struct golden *g, const struct transform_trace *t)
{
    for (size_t i = 0; i < t->nrows; i++) {
        const struct table *table = &g->plan->schema.tables[t->rows[i].table];
        buf_addf(&g->got, "%s%s%.*s ", i ? " | " : "",
                 t->rows[i].extract == UINT32_MAX ? "" : "?", STR_FMT(table->name));
        schema_row_json(&g->got, table, t->rows[i].cells);
    }
}

static void run_item(struct golden *g, struct str item)
{
    struct transform_options opts = {.now_us = NOW_US, .mask_key = STR("key")};
    struct transform_trace t;
    struct err err = {0};
    g->pass = transform_new(g->plan, &opts);
    assert_non_null(g->pass);
    assert_int_equal(transform_one(g->pass, item, &t, &err), RC_OK);
    if (t.fate == ITEM_ROUTED)
        assert_null(t.stage); /* no stage ended it, though one may have left out an element */
    if (t.fate == ITEM_REJECTED) {
        buf_addf(&g->got, "rejected %s", t.fault.reason);
    } else if (t.fate == ITEM_FILTERED) {
        buf_puts(&g->got, "filtered");
    } else if (t.fate == ITEM_UNROUTED) {
        buf_puts(&g->got, "unrouted");
    } else {
        add_rows(g, &t);
    }
}

static void add_problems(struct golden *g)
{
    for (const struct problem *p = g->problems.first; p; p = p->next) {
        buf_addf(&g->got, "%sproblem %.*s", p == g->problems.first ? "" : " | ",
                 (int)strcspn(p->text, "\n"), p->text);
    }
}

static void read_rule(struct golden *g, struct str rule)
{
    struct buf text;
    struct err err = {0};
    buf_init(&text, BUF_NO_LIMIT);
    bool whole = str_find(rule, STR("\"entities\""), 0) < rule.n;
    if (!whole)
        buf_puts(&text, "{\"renorm\":1,\"source\":{\"key\":[\"PK\"]},\"entities\":{\"E\":");
    bool keyed = str_find(rule, STR("\"keys\""), 0) < rule.n;
    if (!whole && !keyed && rule.n > 2) {
        buf_puts(&text, "{\"keys\":{\"PK\":\"x\"},");
        rule = str_from(rule, 1);
    }
    buf_add_str(&text, rule);
    if (!whole)
        buf_puts(&text, "}}");
    enum rc rc = model_read(buf_view(&text), stage_table, &g->model, &g->problems, &err);
    if (g->model && (!rc || rc == RC_USAGE))
        rc = plan_new(g->model, &(struct plan_options){0}, &g->plan, &g->problems, &err);
    assert_true(!rc || rc == RC_USAGE);
    buf_release(&text);
}

static bool run_case(const char *file, unsigned line, const struct str *lines)
{
    struct golden g = {0};
    problems_init(&g.problems);
    buf_init(&g.got, BUF_NO_LIMIT);
    read_rule(&g, lines[0]);
    if (g.plan) {
        run_item(&g, lines[1]);
    } else {
        add_problems(&g);
    }
    bool good = str_eq(buf_view(&g.got), lines[2]);
    if (!good) {
        print_error("%s:%u:\n  rule %.*s\n  item %.*s\n  want %.*s\n  got  %s\n", file, line,
                    STR_FMT(lines[0]), STR_FMT(lines[1]), STR_FMT(lines[2]), buf_cstr(&g.got));
    }
    transform_free(g.pass);
    plan_free(g.plan);
    model_free(g.model);
    problems_release(&g.problems);
    buf_release(&g.got);
    return good;
}

static void test_golden_cases(void **state)
{
    const char *path = *state;
    struct buf text;
    struct str lines[3];
    unsigned line = 0, cases = 0, bad = 0, n = 0;
    buf_init(&text, BUF_NO_LIMIT);
    scratch_read(path, &text);
    for (struct str rest = buf_view(&text); rest.n;) {
        size_t end = str_find(rest, STR("\n"), 0);
        struct str one = str_make(rest.p, end);
        rest = str_from(rest, end < rest.n ? end + 1 : end);
        line++;
        if (one.n == 0 || one.p[0] == '#')
            continue;
        lines[n++] = one;
        if (n < 3)
            continue;
        bad += !run_case(path, line, lines);
        cases++;
        n = 0;
    }
    buf_release(&text);
    assert_int_equal(n, 0);
    assert_true(cases > 0);
    assert_int_equal(bad, 0);
}

int main(void)
{
    glob_t found;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
    if (glob("tests/golden/*.t", 0, NULL, &found) != 0) {
        print_error("tests/golden/*.t: nothing there; run this from the root\n");
        return 1;
    }
    struct CMUnitTest *tests = calloc(found.gl_pathc, sizeof *tests);
    for (size_t i = 0; tests && i < found.gl_pathc; i++) {
        tests[i] = (struct CMUnitTest){"test_golden_cases", test_golden_cases, NULL, NULL,
                                       found.gl_pathv[i]};
    }
    int failed =
        tests ? _cmocka_run_group_tests("golden", tests, found.gl_pathc, NULL, NULL) : 1;
    free(tests);
    globfree(&found);
    return failed;
}
