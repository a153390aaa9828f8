/* SPDX-License-Identifier: MIT */
/* Conditions as the model writes them, tried on one item; paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/decoder.h"
#include "pipeline/model/model.h"
#include "pipeline/stage/stage.h"

static const char ITEM[] =
    "{\"PK\":{\"S\":\"MOVIE#1\"},\"SK\":{\"S\":\"ACTOR#2\"},\"n\":{\"N\":\"7\"},"
    "\"big\":{\"N\":\"12345678901234567890123456789012345678\"},\"five\":{\"S\":\"5\"},"
    "\"flag\":{\"BOOL\":true},\"nil\":{\"NULL\":true},\"star\":{\"S\":\"a*b\"},"
    "\"tags\":{\"SS\":[\"x\"]},\"all\":{\"S\":\"reserved\"},\"a.b\":{\"S\":\"dotted\"},"
    "\"m\":{\"M\":{\"x\":{\"N\":\"1\"},\"y\":{\"M\":{\"z\":{\"S\":\"deep\"}}}}}}";

struct fixture {
    struct arena arena;
    struct decoder *decoder;
    struct item item;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct fault why = {0};
    arena_init(&f->arena, 0);
    f->decoder = decoder_new();
    *state = f;
    return (int)item_decode(f->decoder, str_of(ITEM), &f->arena, &f->item, &why);
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    decoder_free(f->decoder);
    arena_release(&f->arena);
    free(f);
    return 0;
}

static const struct val *find(void *ctx, const struct cond *leaf)
{
    return path_find(ctx, &leaf->path);
}

static struct model *model_when(const char *when)
{
    struct buf text;
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    buf_init(&text, BUF_NO_LIMIT);
    problems_init(&problems);
    buf_addf(&text, "{\"renorm\":1,\"entities\":{\"E\":{\"when\":%s}}}", when);
    if (model_read(buf_view(&text), stage_table, &m, &problems, &err))
        fail_msg("%s: %s: %s", when, err.msg, problems.first ? problems.first->text : "");
    problems_release(&problems);
    buf_release(&text);
    return m;
}

static void expect(struct fixture *f, const char *when, bool want)
{
    struct model *m = model_when(when);
    if (condition_eval(m->entities[0].when, find, &f->item) != want)
        fail_msg("%s is not %s", when, want ? "true" : "false");
    model_free(m);
}

static void test_cond_compares_values(void **state)
{
    expect(*state, "{\"PK\":\"MOVIE#1\"}", true);
    expect(*state, "{\"PK\":\"MOVIE\"}", false);
    expect(*state, "{\"n\":7}", true);
    expect(*state, "{\"n\":7.0}", true);
    expect(*state, "{\"n\":70e-1}", true);
    expect(*state, "{\"n\":\"7\"}", false);
    expect(*state, "{\"five\":5}", false);
    expect(*state, "{\"flag\":true}", true);
    expect(*state, "{\"flag\":false}", false);
    expect(*state, "{\"nil\":null}", true);
    expect(*state, "{\"n\":null}", false);
    expect(*state, "{\"big\":12345678901234567890123456789012345678}", true);
    expect(*state, "{\"big\":12345678901234567890123456789012345679}", false);
    expect(*state, "{\"tags\":\"x\"}", false);
}

static void test_cond_matches_globs(void **state)
{
    expect(*state, "{\"PK\":\"MOVIE#*\"}", true);
    expect(*state, "{\"PK\":\"MOVIE#?\"}", true);
    expect(*state, "{\"PK\":\"MOVIE?\"}", false);
    expect(*state, "{\"n\":\"*\"}", false);
    expect(*state, "{\"star\":\"a\\\\*b\"}", true);
    expect(*state, "{\"PK\":\"a\\\\*b\"}", false);
    expect(*state, "{\"star\":{\"=\":\"a*b\"}}", true);
    expect(*state, "{\"PK\":{\"=\":\"MOVIE#*\"}}", false);
}

static void test_cond_orders_by_value_and_bytes(void **state)
{
    expect(*state, "{\"n\":{\">\":5,\"<=\":10}}", true);
    expect(*state, "{\"n\":{\">\":5,\"<=\":6.5}}", false);
    expect(*state, "{\"n\":{\"<\":10}}", true);
    expect(*state, "{\"n\":{\"<\":7}}", false);
    expect(*state, "{\"n\":{\">=\":7}}", true);
    expect(*state, "{\"n\":{\">\":\"1\"}}", false);
    expect(*state, "{\"PK\":{\">=\":\"MOVIE#\",\"<\":\"MOVIE$\"}}", true);
    expect(*state, "{\"big\":{\">\":12345678901234567890123456789012345677}}", true);
    expect(*state, "{\"flag\":{\">\":0}}", false);
}

static void test_cond_missing_makes_comparisons_false(void **state)
{
    expect(*state, "{\"gone\":1}", false);
    expect(*state, "{\"gone\":\"*\"}", false);
    expect(*state, "{\"gone\":null}", false);
    expect(*state, "{\"gone\":{\"<\":1}}", false);
    expect(*state, "{\"gone\":{\"not\":1}}", true);
    expect(*state, "{\"gone\":{\"missing\":true}}", true);
    expect(*state, "{\"gone\":{\"exists\":false}}", true);
    expect(*state, "{\"gone\":{\"exists\":true}}", false);
    expect(*state, "{\"nil\":{\"exists\":true}}", true);
    expect(*state, "{\"nil\":{\"missing\":true}}", false);
    expect(*state, "{\"nil\":{\"missing\":false}}", true);
}

static void test_cond_combines(void **state)
{
    expect(*state, "{}", true);
    expect(*state, "{\"PK\":\"MOVIE#*\",\"SK\":\"ACTOR#*\"}", true);
    expect(*state, "{\"PK\":\"MOVIE#*\",\"SK\":\"X\"}", false);
    expect(*state, "{\"SK\":[\"X\",\"ACTOR#*\"]}", true);
    expect(*state, "{\"n\":[1,{\">\":6}]}", true);
    expect(*state, "{\"any\":[{\"n\":1},{\"n\":7}]}", true);
    expect(*state, "{\"any\":[{\"n\":1},{\"n\":2}]}", false);
    expect(*state, "{\"all\":[{\"n\":7},{\"flag\":true}]}", true);
    expect(*state, "{\"all\":[{\"n\":7},{\"flag\":false}]}", false);
    expect(*state, "{\"not\":{\"n\":7}}", false);
    expect(*state, "{\"not\":{\"n\":7,\"flag\":false}}", true);
    expect(*state, "{\"n\":7,\"not\":{\"any\":[{\"n\":1},{\"flag\":false}]}}", true);
    expect(*state, "{\"n\":{\"not\":[1,2]}}", true);
    expect(*state, "{\"n\":{\"not\":[1,7]}}", false);
}

static void test_cond_follows_paths(void **state)
{
    expect(*state, "{\"m.x\":1}", true);
    expect(*state, "{\"m.y.z\":\"deep\"}", true);
    expect(*state, "{\"m.y.z.q\":{\"missing\":true}}", true);
    expect(*state, "{\"n.x\":{\"missing\":true}}", true);
    expect(*state, "{\"m\":{\"exists\":true}}", true);
    expect(*state, "{\"\\\\all\":\"reserved\"}", true);
    expect(*state, "{\"a\\\\.b\":\"dotted\"}", true);
    expect(*state, "{\"a.b\":{\"missing\":true}}", true);
}

static void test_cond_prints_as_people_write(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"{\"PK\":\"M#*\",\"n\":{\">\":5,\"<=\":10}}",
         "PK like \"M#*\" and (n > 5 and n <= 10)"},
        {"{\"a.b\":[\"x\",true]}", "a.b = \"x\" or a.b = true"},
        {"{\"not\":{\"x\":{\"exists\":true}}}", "not (x exists)"},
        {"{}", "always"},
        {"{\"x\":{\"missing\":true},\"y\":{\">=\":1,\"<\":2.50}}",
         "x missing and (y >= 1 and y < 2.5)"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct buf out;
        struct model *m = model_when(CASES[i][0]);
        buf_init(&out, BUF_NO_LIMIT);
        condition_print(m->entities[0].when, &out);
        assert_string_equal(buf_cstr(&out), CASES[i][1]);
        buf_release(&out);
        model_free(m);
    }
}

static void test_path_refuses_what_leads_nowhere(void **state)
{
    (void)state;
    static const char *const BAD[] = {"", ".", "a.", ".a", "a..b", "a\\"};
    struct arena a;
    struct path p;
    struct buf out;
    arena_init(&a, 0);
    buf_init(&out, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        if (path_parse(str_of(BAD[i]), &a, &p) != RC_USAGE)
            fail_msg("\"%s\" was taken", BAD[i]);
    }
    assert_int_equal(path_parse(STR("a\\.b.c\\\\d"), &a, &p), RC_OK);
    assert_int_equal(p.n, 2);
    assert_true(str_is(p.members[0], "a.b"));
    assert_true(str_is(p.members[1], "c\\d"));
    path_print(&p, &out);
    assert_string_equal(buf_cstr(&out), "a\\.b.c\\\\d");
    buf_release(&out);
    arena_release(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cond_compares_values),
        cmocka_unit_test(test_cond_matches_globs),
        cmocka_unit_test(test_cond_orders_by_value_and_bytes),
        cmocka_unit_test(test_cond_missing_makes_comparisons_false),
        cmocka_unit_test(test_cond_combines),
        cmocka_unit_test(test_cond_follows_paths),
        cmocka_unit_test(test_cond_prints_as_people_write),
        cmocka_unit_test(test_path_refuses_what_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
