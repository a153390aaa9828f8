/* SPDX-License-Identifier: MIT */
/* Canonical texts, the order of values, and sizes as DynamoDB counts them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/canon.h"
#include "tests/harness/items.h"

/* What is in w->buf, with ' for ". */
static void expect_text(struct items *w, const char *want)
{
    struct str text = items_text(w, str_of(want)), got = buf_view(&w->buf);
    if (!str_eq(text, got))
        fail_msg("%.*s, not %.*s", STR_FMT(got), STR_FMT(text));
}

static void test_ddb_is_sorted_and_reads_back(void **state)
{
    struct items *w = *state;
    struct val v = items_value(w, "{'M':{'b':{'N':'1.0'},'a':{'S':'\\u0001\\n\xC3\xA9'},"
                                  "'B':{'L':[{'B':'AA=='},{'SS':['y','x']},{'NULL':true}]}}}");
    canon_ddb(&w->buf, &v);
    struct str want =
        items_text(w, STR("{'M':{'B':{'L':[{'B':'AA=='},{'SS':['x','y']},{'NULL':true}]},"
                          "'a':{'S':'\\u0001\\n\xC3\xA9'},'b':{'N':'1'}}}"));
    assert_true(str_eq(buf_view(&w->buf), want));
    struct val back = items_decode_value(w->decoder, want, &w->arena);
    assert_true(value_eq(&v, &back));
}

static void test_ddb_sorts_maps_of_any_size(void **state)
{
    struct items *w = *state;
    static const int sizes[] = {1, 2, 31, 32, 33, 500};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int n = sizes[i];
        struct buf text, want;
        buf_init(&text, BUF_NO_LIMIT);
        buf_init(&want, BUF_NO_LIMIT);
        for (int k = 0; k < n; k++) {
            buf_addf(&text, "%c'k%03d':{'N':'%d'}", k ? ',' : '{', n - 1 - k, k);
            buf_addf(&want, "%c\"k%03d\":{\"N\":\"%d\"}", k ? ',' : '{', k, n - 1 - k);
        }
        buf_putc(&text, '}');
        buf_putc(&want, '}');
        struct item it = items_item(w, buf_cstr(&text));
        buf_clear(&w->buf);
        canon_ddb_members(&w->buf, it.members, it.n);
        assert_string_equal(buf_cstr(&w->buf), buf_cstr(&want));
        buf_release(&text);
        buf_release(&want);
    }
}

static void expect_plain(struct items *w, const char *text, const char *want, uint64_t lossy)
{
    struct val v = items_value(w, text);
    uint64_t count = 0;
    buf_clear(&w->buf);
    canon_plain(&w->buf, &v, &count);
    expect_text(w, want);
    assert_int_equal(count, lossy);
    canon_plain(&w->buf, &v, NULL);
}

static void test_plain_json_and_what_it_loses(void **state)
{
    struct items *w = *state;
    expect_plain(w, "{'N':'12345678901234567890123456789012345678'}",
                 "12345678901234567890123456789012345678", 0);
    expect_plain(w, "{'N':'-1.5E+99'}", "-1.5E+99", 0);
    expect_plain(w, "{'S':'a\\u0000'}", "'a\\u0000'", 0);
    expect_plain(w, "{'NULL':true}", "null", 0);
    expect_plain(w, "{'B':'AAEC'}", "'AAEC'", 1);
    expect_plain(w, "{'SS':['b','a']}", "['a','b']", 1);
    expect_plain(w, "{'NS':['2','1']}", "[1,2]", 1);
    expect_plain(w, "{'BS':['Ag==','AQ==']}", "['AQ==','Ag==']", 1);
    expect_plain(w, "{'M':{'z':{'L':[{'BOOL':true},{'M':{}}]},'a':{'B':''},'b':{'SS':['x']}}}",
                 "{'a':'','b':['x'],'z':[true,{}]}", 2);
}

static void test_key_has_the_attributes_present(void **state)
{
    struct items *w = *state;
    struct item it = items_item(w, "{'SK':{'N':'1.0'},'PK':{'S':'x'},'a':{'S':'y'}}");
    const struct str key[] = {STR("SK"), STR("PK")}, part[] = {STR("PK"), STR("none")};
    canon_key(&w->buf, &it, key, 2);
    assert_string_equal(buf_cstr(&w->buf), "{\"PK\":{\"S\":\"x\"},\"SK\":{\"N\":\"1\"}}");
    buf_clear(&w->buf);
    canon_key(&w->buf, &it, part, 2);
    assert_string_equal(buf_cstr(&w->buf), "{\"PK\":{\"S\":\"x\"}}");
    buf_clear(&w->buf);
    canon_key(&w->buf, &it, key, 0);
    assert_string_equal(buf_cstr(&w->buf), "{}");
}

static void test_cmp_is_a_total_order(void **state)
{
    struct items *w = *state;
    /* rising */
    static const char *const ladder[] = {"{'S':''}",
                                         "{'S':'a'}",
                                         "{'S':'aa'}",
                                         "{'S':'b'}",
                                         "{'N':'-2'}",
                                         "{'N':'9'}",
                                         "{'N':'10'}",
                                         "{'B':''}",
                                         "{'B':'AA=='}",
                                         "{'B':'/w=='}",
                                         "{'BOOL':false}",
                                         "{'BOOL':true}",
                                         "{'NULL':true}",
                                         "{'M':{}}",
                                         "{'M':{'a':{'S':'1'}}}",
                                         "{'M':{'b':{'S':'2'},'a':{'S':'1'}}}",
                                         "{'M':{'b':{'S':'1'},'a':{'S':'2'}}}",
                                         "{'M':{'b':{'S':'1'}}}",
                                         "{'L':[]}",
                                         "{'L':[{'S':'a'}]}",
                                         "{'L':[{'S':'a'},{'S':'a'}]}",
                                         "{'L':[{'N':'1'}]}",
                                         "{'SS':['a']}",
                                         "{'SS':['a','b']}",
                                         "{'NS':['9','10']}",
                                         "{'NS':['10','11']}",
                                         "{'BS':['AA==']}"};
    enum { N = sizeof ladder / sizeof ladder[0] };
    struct val v[N];
    for (int i = 0; i < N; i++)
        v[i] = items_value(w, ladder[i]);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            int c = value_cmp(&v[i], &v[k]);
            if ((c > 0) - (c < 0) != (i > k) - (i < k))
                fail_msg("%s and %s: %d", ladder[i], ladder[k], c);
            assert_int_equal(value_eq(&v[i], &v[k]), i == k);
        }
    }
}

static void test_eq_does_not_see_the_order_of_members(void **state)
{
    struct items *w = *state;
    struct val a = items_value(w, "{'M':{'x':{'N':'1'},'y':{'SS':['a','b']}}}");
    struct val b = items_value(w, "{'M':{'y':{'SS':['b','a']},'x':{'N':'1.0'}}}");
    struct val c = items_value(w, "{'M':{'y':{'SS':['b','a']},'z':{'N':'1.0'}}}");
    assert_true(value_eq(&a, &b));
    assert_false(value_eq(&a, &c));
}

static void test_size_is_counted_as_dynamodb_does(void **state)
{
    struct items *w = *state;
    static const struct {
        const char *text;
        uint64_t size;
    } cases[] = {{"{'shirt-color':{'S':'R'},'shirt-size':{'S':'M'}}", 23},
                 {"{}", 0},
                 {"{'a':{'NULL':true},'b':{'BOOL':false}}", 4},
                 {"{'a':{'S':'\xC3\xA9'}}", 3},
                 {"{'a':{'B':'AAEC'}}", 4},
                 {"{'a':{'N':'12'}}", 3},
                 {"{'a':{'L':[{'S':'xy'},{'S':'z'}]}}", 1 + 3 + 2 + 3},
                 {"{'a':{'M':{'k':{'S':'v'}}}}", 1 + 3 + 1 + 2},
                 {"{'a':{'M':{}},'b':{'L':[]}}", 8},
                 {"{'a':{'SS':['x','yz']}}", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct item it = items_item(w, cases[i].text);
        if (item_size(it.members, it.n) != cases[i].size)
            fail_msg("%s: %d", cases[i].text, (int)item_size(it.members, it.n));
    }
}

static void test_kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(value_kind_name(VAL_MISSING), "missing");
    assert_string_equal(value_kind_name(VAL_BOOL), "BOOL");
    assert_string_equal(value_kind_name(VAL_BS), "BS");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, items_set_up, items_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_ddb_is_sorted_and_reads_back),
        CASE(test_ddb_sorts_maps_of_any_size),
        CASE(test_plain_json_and_what_it_loses),
        CASE(test_key_has_the_attributes_present),
        CASE(test_cmp_is_a_total_order),
        CASE(test_eq_does_not_see_the_order_of_members),
        CASE(test_size_is_counted_as_dynamodb_does),
        CASE(test_kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
