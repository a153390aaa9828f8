/* SPDX-License-Identifier: MIT */
/* What verify prints of its findings, to the letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "cmd/print/comparison.h"
#include "pipeline/row/reduce/candidate.h"

static struct table keyed = {.name = {"keyed", 5}, .nkey = 1};
static struct table plain = {.name = {"plain", 5}};

/* Standard output goes to a file meanwhile. */
struct caught {
    FILE *file;
    int kept;
    char text[2048];
};

static void catch_output(struct caught *c)
{
    c->file = tmpfile();
    assert_non_null(c->file);
    (void)fflush(stdout);
    c->kept = dup(STDOUT_FILENO);
    assert_true(c->kept >= 0 && dup2(fileno(c->file), STDOUT_FILENO) >= 0);
}

static void let_go(struct caught *c)
{
    (void)fflush(stdout);
    assert_true(dup2(c->kept, STDOUT_FILENO) >= 0);
    assert_int_equal(close(c->kept), 0);
    rewind(c->file);
    c->text[fread(c->text, 1, sizeof c->text - 1, c->file)] = '\0';
    (void)fclose(c->file);
}

static void test_findings_are_lines(void **state)
{
    (void)state;
    struct compare_report r = comparison_report(false);
    struct caught c;
    struct buf key;
    buf_init(&key, 64);
    candidate_key_add(&key, STR("\"a\""));
    candidate_key_add(&key, STR("7"));
    catch_output(&c);
    r.table(r.ctx, &keyed, 2, true);
    r.table(r.ctx, &plain, 3, false);
    r.lacking(r.ctx, &plain, "is not there");
    r.key(r.ctx, &keyed, buf_view(&key), COMPARE_MISSING);
    r.key(r.ctx, &keyed, buf_view(&key), COMPARE_EXTRA);
    r.key(r.ctx, &plain, STR("{\"v\":1}"), COMPARE_DIFFERENT);
    r.key(r.ctx, &plain, STR("{\"v\":1}"), COMPARE_CHANGED);
    r.unnamed(r.ctx, &keyed, 5);
    r.unsearched(r.ctx, &keyed, 3);
    r.items(r.ctx, COMPARE_REJECTED, 3, 1);
    r.items(r.ctx, COMPARE_UNROUTED, 1, 3);
    r.reread(r.ctx, &(struct compare_reread){1, 2, 3, 4});
    let_go(&c);
    assert_string_equal(
        c.text, "keyed                                         2 rows  equal\n"
                "plain                                         3 rows  DIFFERENT\n"
                "plain                            is not there\n"
                "keyed: missing: [\"a\",7]\n"
                "keyed: extra: [\"a\",7]\n"
                "plain: different: {\"v\":1}\n"
                "plain: changed since: {\"v\":1}\n"
                "keyed: 5 keys more\n"
                "keyed: 3 of 4096 buckets were not looked into\n"
                "rejected items: the source has 3, the sink 1\n"
                "unrouted items: the source has 1, the sink 3\n"
                "read again: 1 equal now, 2 changed since, 3 different; not read again: 4\n"
                "note: rows written since the export differ too: a live table under writes "
                "cannot be proved\n");
    buf_release(&key);
}

static void test_quiet_leaves_out_the_tables(void **state)
{
    (void)state;
    assert_null(comparison_report(true).table);
    assert_non_null(comparison_report(true).key);
}

static void test_closing_line_and_summary(void **state)
{
    (void)state;
    struct comparison one = {.tables = 1, .rows = 1};
    struct comparison more = {
        .tables = 2, .rows = 5, .rejected = 1, .unrouted = 2, .changed = 3, .differing = 4};
    struct caught c;
    struct buf json;
    catch_output(&c);
    comparison_print(&one);
    comparison_print(&more);
    let_go(&c);
    assert_string_equal(c.text, "verified: 1 row in 1 table\n"
                                "verified: 5 rows in 2 tables; 1 rejected, 2 unrouted, but for "
                                "3 changed since\n");
    buf_init(&json, 1024);
    comparison_json(&json, &more);
    assert_string_equal(buf_cstr(&json),
                        ",\"tables\":2,\"rows\":5,\"differing\":4,\"changed_since\":3,"
                        "\"rejected\":1,\"unrouted\":2");
    buf_release(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_are_lines),
        cmocka_unit_test(test_quiet_leaves_out_the_tables),
        cmocka_unit_test(test_closing_line_and_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
