/* SPDX-License-Identifier: MIT */
/* What is wrong with an item: each fault with its reason and its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/items.h"

static void expect_fault(struct items_world *w, struct str text, const char *reason, size_t at)
{
    if (items_world_decode(w, text) != RC_DATA)
        fail_msg("%.*s: was taken", STR_FMT(text));
    if (strcmp(w->why.reason, reason) != 0 || w->why.position != at) {
        fail_msg("%.*s: %s at %zu (%s), not %s at %zu", STR_FMT(text), w->why.reason,
                 w->why.position, w->why.detail, reason, at);
    }
    assert_true(w->why.detail[0]);
}

/* Places of what the parser itself refuses may differ by a byte or so between its versions. */
static void expect_near(struct items_world *w, struct str text, const char *reason, size_t at)
{
    assert_int_equal(items_world_decode(w, text), RC_DATA);
    size_t got = w->why.position, off = got > at ? got - at : at - got;
    if (strcmp(w->why.reason, reason) != 0 || off > 2) {
        fail_msg("%.*s: %s at %zu, not %s at %zu", STR_FMT(text), w->why.reason, got, reason,
                 at);
    }
}

static void test_malformed_json_is_a_fault(void **state)
{
    expect_near(*state, STR(""), "bad-json", 0);
    expect_near(*state, STR("{'a':{'S':'x'}"), "bad-json", 14);
    expect_near(*state, STR("{'a':{'S':'x'}} {"), "bad-json", 16);
    expect_near(*state, STR("{'a':{'S':'x'},}"), "bad-json", 15);
    expect_near(*state, STR("{'a':{'S':'x\n'}}"), "bad-json", 12);
    expect_near(*state, STR("{'a':{'S':'\\x'}}"), "bad-json", 11);
    expect_near(*state, STR("{'a':{'N':1e}}"), "bad-json", 12);
    expect_near(*state, STR("{'a'\0:{'S':'x'}}"), "bad-json", 4);
    expect_fault(*state, STR("[{'a':{'S':'x'}}]"), "bad-item", 0);
    expect_fault(*state, STR("null"), "bad-item", 0);
    expect_fault(*state, STR(" 12"), "bad-item", 1);
    expect_fault(*state, STR(" 'x'"), "bad-item", 2);
}

static void test_bad_utf8_is_a_fault_at_its_byte(void **state)
{
    expect_fault(*state, STR("{'a':{'S':'x\xFF'}}"), "bad-utf8", 12);
    expect_fault(*state, STR("{'a':{'S':'x\xC3'}}"), "bad-utf8", 12);
    expect_fault(*state, STR("{'a':{'S':'\xE2\x82'}}"), "bad-utf8", 11);
    expect_fault(*state, STR("{'a':{'S':'\xED\xA0\x80'}}"), "bad-utf8", 11);
    expect_fault(*state, STR("{'a':{'S':'\xF4\x90\x80\x80'}}"), "bad-utf8", 11);
    expect_fault(*state, STR("{'a\xC0\x80':{'S':'x'}}"), "bad-utf8", 3);
    expect_fault(*state, STR("{'\xC3\xA9':{'S':'\\n\xC3\xA9 \xFE'}}"), "bad-utf8", 17);
    /* halves of surrogate pairs are no characters either */
    expect_near(*state, STR("{'a':{'S':'\\ud800'}}"), "bad-utf8", 17);
    expect_near(*state, STR("{'a':{'S':'\\ud800\\u0041'}}"), "bad-utf8", 17);
    expect_near(*state, STR("{'a':{'S':'xy\\udc00'}}"), "bad-utf8", 13);
    expect_near(*state, STR("{'a':\xFF}"), "bad-json", 5);
    /* what is wrong first is told */
    expect_near(*state, STR("{'a':{'S':'\\x \xFF'}}"), "bad-json", 11);
}

static void test_bad_tags_are_faults(void **state)
{
    expect_fault(*state, STR("{'Item':{'a':{'S':'x'}},'b':{'S':'y'}}"), "bad-type", 10);
    expect_fault(*state, STR("{'a':{'X':'x'}}"), "bad-type", 7);
    expect_fault(*state, STR("{'a':{'s':'x'}}"), "bad-type", 7);
    expect_fault(*state, STR("{'a':{'':'x'}}"), "bad-type", 7);
    expect_fault(*state, STR("{'a':{}}"), "bad-type", 2);
    expect_fault(*state, STR("{'a':'x'}"), "bad-type", 6);
    expect_fault(*state, STR("{'a':12}"), "bad-type", 5);
    expect_fault(*state, STR("{'a':null}"), "bad-type", 2);
    expect_fault(*state, STR("{'a':[]}"), "bad-type", 2);
    expect_fault(*state, STR("{'a':{'L':[3]}}"), "bad-type", 11);
    expect_fault(*state, STR("{'a':{'S':'x','N':'1'}}"), "two-tags", 7);
    expect_fault(*state, STR("{'a':{'S':'x','S':'x'}}"), "two-tags", 7);
    expect_fault(*state, STR("{'a':{'L':[{'S':'x'},{'S':'x','N':'1'}]}}"), "two-tags", 23);
}

static void test_wrong_shape_under_a_tag_is_a_fault(void **state)
{
    static const char *const bad[] = {
        "{'a':{'S':1}}",         "{'a':{'S':null}}",      "{'a':{'S':['x']}}",
        "{'a':{'N':1}}",         "{'a':{'B':true}}",      "{'a':{'BOOL':'true'}}",
        "{'a':{'BOOL':null}}",   "{'a':{'NULL':false}}",  "{'a':{'NULL':null}}",
        "{'a':{'NULL':'true'}}", "{'a':{'M':[]}}",        "{'a':{'M':'x'}}",
        "{'a':{'L':{}}}",        "{'a':{'SS':'x'}}",      "{'a':{'SS':[1]}}",
        "{'a':{'NS':[1]}}",      "{'a':{'SS':[{'S':1}]}}"};
    struct items_world *w = *state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(items_world_decode(w, str_of(bad[i])), RC_DATA);
        assert_string_equal(w->why.reason, "bad-type");
        assert_true(w->why.position >= 7);
    }
}

static void test_bad_scalars_are_faults_at_their_text(void **state)
{
    expect_fault(*state, STR("{'a':{'B':'AAE'}}"), "bad-base64", 14);
    expect_fault(*state, STR("{'a':{'B':'A*EC'}}"), "bad-base64", 12);
    expect_fault(*state, STR("{'a':{'BS':['AAEC','A']}}"), "bad-base64", 21);
    expect_fault(*state, STR("{'a':{'N':''}}"), "bad-number", 11);
    expect_fault(*state, STR("{'a':{'N':'1x'}}"), "bad-number", 11);
    expect_fault(*state, STR("{'a':{'N':'NaN'}}"), "bad-number", 11);
    expect_fault(*state, STR("{'a':{'NS':['1',' 2']}}"), "bad-number", 17);
    expect_fault(*state, STR("{'a':{'N':'123456789012345678901234567890123456789'}}"),
                 "number-digits", 11);
    expect_fault(*state, STR("{'a':{'N':'1E126'}}"), "number-range", 11);
    expect_fault(*state, STR("{'a':{'N':'-1E-131'}}"), "number-range", 11);
}

static void test_bad_sets_are_faults(void **state)
{
    expect_fault(*state, STR("{'a':{'SS':[]}}"), "empty-set", 7);
    expect_fault(*state, STR("{'a':{'NS':[]}}"), "empty-set", 7);
    expect_fault(*state, STR("{'a':{'BS':[]}}"), "empty-set", 7);
    expect_fault(*state, STR("{'a':{'SS':['x','y','x']}}"), "duplicate-set-member", 7);
    expect_fault(*state, STR("{'a':{'NS':['1','1.0']}}"), "duplicate-set-member", 7);
    expect_fault(*state, STR("{'a':{'NS':['0','-0']}}"), "duplicate-set-member", 7);
    expect_fault(*state, STR("{'a':{'BS':['AQ==','AQ==']}}"), "duplicate-set-member", 7);
    expect_fault(*state, STR("{'a':{'SS':['x','\\u0078']}}"), "duplicate-set-member", 7);
}

static void test_bad_names_are_faults(void **state)
{
    expect_fault(*state, STR("{'':{'S':'x'}}"), "empty-name", 2);
    expect_fault(*state, STR("{'a':{'M':{'':{'S':'x'}}}}"), "empty-name", 12);
    expect_fault(*state, STR("{'a':{'S':'x'},'b':{'S':'x'},'a':{'S':'x'}}"), "duplicate-member",
                 30);
    expect_fault(*state, STR("{'a':{'M':{'x':{'S':'1'},'x':{'S':'2'}}}}"), "duplicate-member",
                 26);
    expect_fault(*state, STR("{'Item':{'a':{'S':'x'},'a':{'S':'x'}}}"), "duplicate-member", 24);
}

static void test_duplicate_among_many_members_is_found(void **state)
{
    struct items_world *w = *state;
    for (int n = 2; n <= 700; n = n < 140 ? n + 1 : 2 * n) {
        struct buf b;
        buf_init(&b, 1 << 20);
        buf_putc(&b, '{');
        for (int i = 0; i < n; i++)
            buf_addf(&b, "%s'name%d':{'N':'%d'}", i ? "," : "", i, i);
        buf_putc(&b, '}');
        assert_int_equal(items_world_decode(w, buf_view(&b)), RC_OK);
        assert_int_equal(w->item.n, n);
        b.len--;
        buf_addf(&b, ",'name%d':{'S':'again'}}", n / 2);
        assert_int_equal(items_world_decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "duplicate-member");
        assert_true(strncmp(w->raw.p + w->why.position, "name", 4) == 0);
        assert_true(w->why.position > b.len - 30);
        buf_release(&b);
    }
}

/* `depth` lists or maps within each other. */
static void nest(struct buf *b, int depth, bool maps)
{
    buf_puts(b, "{'a':");
    for (int i = 0; i < depth; i++)
        buf_puts(b, maps ? "{'M':{'a':" : "{'L':[");
    buf_puts(b, "{'S':'x'}");
    for (int i = 0; i < depth; i++)
        buf_puts(b, maps ? "}}" : "]}");
    buf_putc(b, '}');
}

static void test_depth_is_limited_to_32(void **state)
{
    struct items_world *w = *state;
    for (int maps = 0; maps < 2; maps++) {
        struct buf b;
        buf_init(&b, BUF_NO_LIMIT);
        nest(&b, 32, maps);
        assert_int_equal(items_world_decode(w, buf_view(&b)), RC_OK);
        buf_clear(&b);
        nest(&b, 33, maps);
        assert_int_equal(items_world_decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "too-deep");
        assert_true(w->why.position > 192);
        buf_clear(&b);
        nest(&b, 100000, maps);
        assert_int_equal(items_world_decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "too-deep");
        buf_release(&b);
    }
}

static void test_detail_is_one_clean_line(void **state)
{
    struct items_world *w = *state;
    assert_int_equal(items_world_decode(w, STR("{'a':{'N':'1\\n\\u0007\xC3\xA9'}}")), RC_DATA);
    assert_string_equal(w->why.detail, "\"1  \xC3\xA9\" is not a number");
    assert_int_equal(fault_set(&w->why, "x", 1, "%0250d\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 1),
                     RC_DATA);
    assert_int_equal(strlen(w->why.detail), 254);
    (void)fault_set(&w->why, "x", 1, "a\xFFz");
    assert_string_equal(w->why.detail, "a?z");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, items_world_set_up, items_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_malformed_json_is_a_fault),
        CASE(test_bad_utf8_is_a_fault_at_its_byte),
        CASE(test_bad_tags_are_faults),
        CASE(test_wrong_shape_under_a_tag_is_a_fault),
        CASE(test_bad_scalars_are_faults_at_their_text),
        CASE(test_bad_sets_are_faults),
        CASE(test_bad_names_are_faults),
        CASE(test_duplicate_among_many_members_is_found),
        CASE(test_depth_is_limited_to_32),
        CASE(test_detail_is_one_clean_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
