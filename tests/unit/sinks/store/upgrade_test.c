/* SPDX-License-Identifier: MIT */
/* A JSON object is taken up from version to version; one of a newer renorm is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/store/upgrade.h"

/* {"a":...} becomes {"inner":{"a":...}} */
static bool nest(yyjson_mut_doc *doc)
{
    yyjson_mut_val *root = yyjson_mut_obj(doc), *old = yyjson_mut_doc_get_root(doc);
    yyjson_mut_doc_set_root(doc, root);
    return yyjson_mut_obj_add_val(doc, root, "inner", old);
}

static bool mark(yyjson_mut_doc *doc)
{
    return yyjson_mut_obj_add_int(doc, yyjson_mut_doc_get_root(doc), "mark", 7);
}

static bool no_memory(yyjson_mut_doc *doc)
{
    (void)doc;
    return false;
}

static const struct upgrade_step STEPS[] = {{1, 2, nest}, {2, 3, NULL}, {3, 5, mark}};
static const struct upgrade_kind KIND = {"v", "by", 1, 5, STEPS, 3};

static enum rc upgraded(const struct upgrade_kind *kind, const char *from, const char *to,
                        uint32_t version)
{
    struct err err = {0};
    struct buf b;
    uint32_t was = 99;
    buf_init(&b, 4096);
    buf_puts(&b, from);
    enum rc rc = upgrade_text(kind, &b, "place", "1.5", &was, &err);
    assert_string_equal(buf_cstr(&b), to ? to : from);
    assert_int_equal(was, version);
    buf_release(&b);
    return rc;
}

static void test_object_climbs_from_every_version(void **state)
{
    (void)state;
    assert_int_equal(upgraded(&KIND, "{\"a\":9007199254740993}",
                              "{\"inner\":{\"a\":9007199254740993},\"mark\":7,\"v\":5,"
                              "\"by\":\"1.5\"}\n",
                              1),
                     RC_OK);
    assert_int_equal(upgraded(&KIND, "{\"v\":2,\"by\":\"1.1\",\"x\":[]}",
                              "{\"v\":5,\"by\":\"1.5\",\"x\":[],\"mark\":7}\n", 2),
                     RC_OK);
    assert_int_equal(upgraded(&KIND, "{\"v\":3}", "{\"v\":5,\"mark\":7,\"by\":\"1.5\"}\n", 3),
                     RC_OK);
}

static void test_newest_stays_as_it_is(void **state)
{
    (void)state;
    assert_int_equal(upgraded(&KIND, " {\"v\": 5,  \"by\":\"9\"}", NULL, 5), RC_OK);
}

static void test_other_things_are_none(void **state)
{
    static const struct upgrade_kind said = {"v", "by", 0, 5, STEPS, 3};
    (void)state;
    assert_int_equal(upgraded(&KIND, "", NULL, 0), RC_NONE);
    assert_int_equal(upgraded(&KIND, "[5]", NULL, 0), RC_NONE);
    assert_int_equal(upgraded(&KIND, "{\"v\":\"5\"}", NULL, 0), RC_NONE);
    assert_int_equal(upgraded(&KIND, "{\"v\":5", NULL, 0), RC_NONE);
    assert_int_equal(upgraded(&said, "{\"a\":1}", NULL, 0), RC_NONE);
}

static void test_newer_is_refused_with_what_it_needs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } CASES[] = {
        {"{\"v\":6}", "'place' was written by another version of renorm"},
        {"{\"v\":6,\"by\":\"2.0\"}", "hint: use renorm 2.0 or a later one"},
        {"{\"v\":4,\"by\":\"1.4\"}", "another version of renorm: 1.4"},
        {"{\"v\":18446744073709551615}", "another version of renorm"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct err err = {0};
        struct buf b;
        uint32_t was = 0;
        buf_init(&b, 4096);
        buf_puts(&b, CASES[i].text);
        assert_int_equal(upgrade_text(&KIND, &b, "place", "1.5", &was, &err), RC_USAGE);
        assert_non_null(strstr(err.msg, CASES[i].said));
        assert_string_equal(buf_cstr(&b), CASES[i].text);
        buf_release(&b);
    }
}

static void test_text_stays_when_memory_is_out(void **state)
{
    static const struct upgrade_step steps[] = {{1, 2, no_memory}};
    static const struct upgrade_kind kind = {"v", "by", 1, 2, steps, 1};
    (void)state;
    assert_int_equal(upgraded(&kind, "{\"a\":1}", NULL, 1), RC_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_object_climbs_from_every_version),
        cmocka_unit_test(test_newest_stays_as_it_is),
        cmocka_unit_test(test_other_things_are_none),
        cmocka_unit_test(test_newer_is_refused_with_what_it_needs),
        cmocka_unit_test(test_text_stays_when_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
