/* SPDX-License-Identifier: MIT */
/* Two sides compared: what is missing, extra and different, with and without keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "cmd/compare.h"
#include "cmd/side.h"

/* A side whose rows are written down here. */
struct lines {
    struct side base;
    const char *const *of[2]; /* by table; each ends with NULL */
    const char *const *at;
    unsigned starts;
    struct side_left left;
};

static enum rc start(struct side *s, uint32_t index, struct err *err)
{
    struct lines *l = (struct lines *)s;
    (void)err;
    l->at = l->of[index];
    l->starts++;
    return RC_OK;
}

static enum rc next(struct side *s, struct str *line, struct err *err)
{
    struct lines *l = (struct lines *)s;
    (void)err;
    if (!*l->at)
        return RC_END;
    *line = str_of(*l->at++);
    return RC_OK;
}

static enum rc left(struct side *s, struct side_left *out, struct err *err)
{
    (void)err;
    *out = ((struct lines *)s)->left;
    return RC_OK;
}

static const struct side_ops OPS = {.start = start, .next = next, .left = left};

static struct column columns[] = {{.name = {"id", 2}, .type = COL_TEXT, .key = true},
                                  {.name = {"v", 1}, .type = COL_TEXT}};
static uint32_t key[] = {0};
static struct table tables[] = {
    {.name = {"keyed", 5}, .columns = columns, .ncolumns = 2, .key = key, .nkey = 1},
    {.name = {"plain", 5}, .columns = columns, .ncolumns = 2}};
static const struct schema SCHEMA = {.tables = tables, .ntables = 2};

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE      ((const char *const[]){NULL})

static const char A1[] = "{\"id\":\"a\",\"v\":\"1\"}", A2[] = "{\"id\":\"a\",\"v\":\"2\"}",
                  B1[] = "{\"id\":\"b\",\"v\":\"1\"}", NO_V[] = "{\"id\":\"a\"}",
                  NULL_V[] = "{\"id\":\"a\",\"v\":null}";

struct printed {
    char text[4096];
    struct comparison found;
};

/* Compares, with standard output caught. */
static struct printed compare(struct lines *a, struct lines *b, bool quiet)
{
    struct printed p = {.found = {.quiet = quiet}};
    struct err err = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    a->base.ops = b->base.ops = &OPS;
    enum rc rc = compare_sides(&SCHEMA, &a->base, &b->base, &p.found, &err);
    (void)fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    assert_int_equal(close(kept), 0);
    assert_int_equal(rc, RC_OK);
    rewind(file);
    p.text[fread(p.text, 1, sizeof p.text - 1, file)] = '\0';
    (void)fclose(file);
    return p;
}

static void test_equal_sides_in_any_order(void **state)
{
    (void)state;
    struct lines a = {.of = {ROWS(A1, B1), ROWS(A1, A1, B1)}};
    struct lines b = {.of = {ROWS(B1, A1), ROWS(A1, B1, A1)}};
    struct printed p = compare(&a, &b, false);
    assert_string_equal(p.text,
                        "keyed                                         2 rows  equal\n"
                        "plain                                         3 rows  equal\n");
    assert_int_equal(p.found.differing, 0);
    assert_int_equal(p.found.rows, 5);
    assert_int_equal(p.found.tables, 2);
    assert_int_equal(a.starts, 2); /* equal sides are read once */
    assert_string_equal(compare(&a, &b, true).text, "");
}

static void test_keys_that_differ_are_named(void **state)
{
    (void)state;
    struct lines a = {.of = {ROWS(A1, B1), NONE}};
    struct lines b = {.of = {ROWS(A2, "{\"id\":\"c\",\"v\":\"1\"}"), NONE}};
    struct printed p = compare(&a, &b, true);
    assert_string_equal(p.text, "keyed: different: [\"a\"]\n"
                                "keyed: missing: [\"b\"]\n"
                                "keyed: extra: [\"c\"]\n");
    assert_int_equal(p.found.differing, 3);
    assert_int_equal(a.starts, 3); /* the table that differs once more */
}

static void test_rows_without_a_key_are_the_rows_themselves(void **state)
{
    (void)state;
    struct lines a = {.of = {NONE, ROWS(A1, A1, B1)}};
    struct lines b = {.of = {NONE, ROWS(A1, B1, B1)}};
    struct printed p = compare(&a, &b, true);
    assert_int_equal(p.found.differing, 2); /* as many rows, but not the same ones */
    assert_non_null(strstr(p.text, "plain: different: {\"id\":\"a\",\"v\":\"1\"}\n"));
}

static void test_null_is_missing_where_a_side_cannot_tell(void **state)
{
    (void)state;
    struct lines a = {.of = {ROWS(NULL_V), NONE}}, b = {.of = {ROWS(NO_V), NONE}};
    assert_int_equal(compare(&a, &b, true).found.differing, 1);
    b.base.folds_nulls = true;
    assert_int_equal(compare(&a, &b, true).found.differing, 0);
}

static void test_items_without_rows_are_counted(void **state)
{
    (void)state;
    struct lines a = {.of = {NONE, NONE}, .left = {3, 1}};
    struct lines b = {.of = {NONE, NONE}, .left = {1, 3}};
    struct printed p = compare(&a, &b, true);
    assert_string_equal(p.text, "rejected items: the source has 3, the sink 1\n"
                                "unrouted items: the source has 1, the sink 3\n");
    assert_int_equal(p.found.differing, 2);
    b.left = a.left;
    p = compare(&a, &b, true);
    assert_int_equal(p.found.differing, 0);
    assert_int_equal(p.found.rejected, 3);
    assert_int_equal(p.found.unrouted, 1);
}

static void test_a_long_list_is_cut(void **state)
{
    (void)state;
    static char text[COMPARE_NAMED + 5][40];
    const char *rows[COMPARE_NAMED + 6] = {NULL};
    for (int i = 0; i < COMPARE_NAMED + 5; i++) {
        (void)snprintf(text[i], sizeof text[i], "{\"id\":\"k%02d\"}", i);
        rows[i] = text[i];
    }
    struct lines a = {.of = {rows, NONE}}, b = {.of = {NONE, NONE}};
    struct printed p = compare(&a, &b, true);
    assert_int_equal(p.found.differing, COMPARE_NAMED + 5);
    assert_non_null(strstr(p.text, "keyed: missing: [\"k19\"]\nkeyed: 5 keys more\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_sides_in_any_order),
        cmocka_unit_test(test_keys_that_differ_are_named),
        cmocka_unit_test(test_rows_without_a_key_are_the_rows_themselves),
        cmocka_unit_test(test_null_is_missing_where_a_side_cannot_tell),
        cmocka_unit_test(test_items_without_rows_are_counted),
        cmocka_unit_test(test_a_long_list_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
