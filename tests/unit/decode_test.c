/* SPDX-License-Identifier: MIT */
/*
 * Items from text: each type, each fault with its reason and place. Texts are written with
 * ' for " and compared by the canonical text of what was decoded. Every text lies in a block
 * of its own exact size, so that a read beyond it shows under AddressSanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"
#include "pipeline/item/canon.h"
#include "pipeline/item/decode.h"

struct world {
    struct decoder *decoder;
    struct arena arena;
    struct fault why;
    struct item item;
    char *raw;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->decoder = decoder_new();
    assert_non_null(w->decoder);
    arena_init(&w->arena, 256);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    decoder_free(w->decoder);
    arena_release(&w->arena);
    free(w->raw);
    free(w);
    return 0;
}

static struct str quoted(struct world *w, const char *text, size_t n)
{
    free(w->raw);
    w->raw = malloc(n ? n : 1);
    assert_non_null(w->raw);
    memcpy(w->raw, text, n);
    for (size_t i = 0; i < n; i++)
        if (w->raw[i] == '\'')
            w->raw[i] = '"';
    return str_make(w->raw, n);
}

static enum rc decode(struct world *w, struct str text)
{
    arena_clear(&w->arena);
    w->why = (struct fault){0};
    struct str raw = quoted(w, text.p, text.n);
    return item_decode(w->decoder, raw, &w->arena, &w->item, &w->why);
}

static void expect(struct world *w, const char *text, const char *canonical)
{
    if (decode(w, str_of(text)) != RC_OK)
        fail_msg("%s: %s at %zu: %s", text, w->why.reason, w->why.position, w->why.detail);
    assert_ptr_equal(w->item.raw.p, w->raw);
    assert_int_equal(w->item.raw.n, strlen(text));
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    canon_ddb_members(&b, w->item.members, w->item.n);
    for (size_t i = 0; i < b.len; i++)
        if (b.p[i] == '"')
            b.p[i] = '\'';
    assert_string_equal(buf_cstr(&b), canonical);
    buf_release(&b);
}

static void expect_fault(struct world *w, struct str text, const char *reason, size_t at)
{
    if (decode(w, text) != RC_DATA)
        fail_msg("%.*s: was taken", STR_FMT(text));
    if (strcmp(w->why.reason, reason) != 0 || w->why.position != at)
        fail_msg("%.*s: %s at %zu (%s), not %s at %zu", STR_FMT(text), w->why.reason,
                 w->why.position, w->why.detail, reason, at);
    assert_true(w->why.detail[0]);
}

/* Places of what the parser itself refuses may differ by a byte or so between its versions. */
static void expect_near(struct world *w, struct str text, const char *reason, size_t at)
{
    assert_int_equal(decode(w, text), RC_DATA);
    size_t got = w->why.position, off = got > at ? got - at : at - got;
    if (strcmp(w->why.reason, reason) != 0 || off > 2)
        fail_msg("%.*s: %s at %zu, not %s at %zu", STR_FMT(text), w->why.reason, got, reason,
                 at);
}

static void test_every_type_is_taken(void **state)
{
    expect(*state, "{'s':{'S':'x'},'e':{'S':''}}", "{'e':{'S':''},'s':{'S':'x'}}");
    expect(*state, "{'n':{'N':'-12.50'},'m':{'N':'1e3'}}",
           "{'m':{'N':'1000'},'n':{'N':'-12.5'}}");
    expect(*state, "{'b':{'B':'AAEC'},'be':{'B':''}}", "{'b':{'B':'AAEC'},'be':{'B':''}}");
    expect(*state, "{'t':{'BOOL':true},'f':{'BOOL':false},'z':{'NULL':true}}",
           "{'f':{'BOOL':false},'t':{'BOOL':true},'z':{'NULL':true}}");
    expect(*state, "{'m':{'M':{'y':{'S':'1'},'x':{'L':[]}}},'e':{'M':{}}}",
           "{'e':{'M':{}},'m':{'M':{'x':{'L':[]},'y':{'S':'1'}}}}");
    expect(*state, "{'l':{'L':[{'S':'b'},{'N':'1'},{'L':[{'NULL':true}]},{'S':'a'}]}}",
           "{'l':{'L':[{'S':'b'},{'N':'1'},{'L':[{'NULL':true}]},{'S':'a'}]}}");
    expect(*state, "{}", "{}");
}

static void test_sets_are_sorted(void **state)
{
    expect(*state, "{'s':{'SS':['b','','aa','a']}}", "{'s':{'SS':['','a','aa','b']}}");
    expect(*state, "{'n':{'NS':['10','9','-1','1.50','1E-50']}}",
           "{'n':{'NS':['-1','1E-50','1.5','9','10']}}");
    expect(*state, "{'b':{'BS':['/w==','AQ==','AQA=']}}",
           "{'b':{'BS':['AQ==','AQA=','/w==']}}");
}

static void test_members_keep_the_order_of_the_text(void **state)
{
    struct world *w = *state;
    assert_int_equal(decode(w, STR("{'z':{'S':'1'},'a':{'S':'2'},'m':{'S':'3'}}")), RC_OK);
    assert_int_equal(w->item.n, 3);
    assert_true(str_is(w->item.members[0].name, "z"));
    assert_true(str_is(w->item.members[1].name, "a"));
    assert_true(str_is(item_get(&w->item, STR("m"))->u.s, "3"));
    assert_null(item_get(&w->item, STR("M")));
}

static void test_escapes_and_blanks_are_read(void **state)
{
    expect(*state, " {\n \t'a' :\r{ 'S' : 'x' } , 'b':{'N' : '1'} } \r\n",
           "{'a':{'S':'x'},'b':{'N':'1'}}");
    expect(*state, "{'a\\u0062':{'S':'\\\\\\/\\b\\u00e9\\ud83c\\udf0d'}}",
           "{'ab':{'S':'\\\\/\\b\xC3\xA9\xF0\x9F\x8C\x8D'}}");
    expect(*state, "{'a':{'\\u0053':'x'},'n':{'N':'\\u0031'},'b':{'B':'AA\\u0045C'}}",
           "{'a':{'S':'x'},'b':{'B':'AAEC'},'n':{'N':'1'}}");
    expect(*state, "{'a':{'S':'\\u0000'}}", "{'a':{'S':'\\u0000'}}");
    expect(*state, "{'gr\xC3\xBC\xC3\x9F':{'S':'\xE4\xBD\xA0'}}",
           "{'gr\xC3\xBC\xC3\x9F':{'S':'\xE4\xBD\xA0'}}");
}

static void test_strings_without_escapes_are_views(void **state)
{
    struct world *w = *state;
    assert_int_equal(decode(w, STR("{'name':{'S':'text'},'esc':{'S':'a\\n'}}")), RC_OK);
    const struct val *v = item_get(&w->item, STR("name"));
    assert_ptr_equal(v->u.s.p, w->raw + 14);
    v = item_get(&w->item, STR("esc"));
    assert_true(v->u.s.p < w->raw || v->u.s.p > w->raw + w->item.raw.n);
}

static void test_item_wrapper_is_taken_off(void **state)
{
    expect(*state, "{'Item':{'PK':{'S':'x'},'SK':{'N':'1'}}}",
           "{'PK':{'S':'x'},'SK':{'N':'1'}}");
    expect(*state, "{'Item':{'PK':{'S':'x'}}}", "{'PK':{'S':'x'}}");
    expect(*state, "{'Item':{}}", "{}");
    /* an attribute called M that holds a scalar */
    expect(*state, "{'Item':{'M':{'S':'x'}}}", "{'M':{'S':'x'}}");
    expect(*state, "{'Item':{'S':{'S':'x'}}}", "{'S':{'S':'x'}}");
}

static void test_item_is_an_attribute_where_it_is_tagged(void **state)
{
    expect(*state, "{'Item':{'S':'x'}}", "{'Item':{'S':'x'}}");
    expect(*state, "{'Item':{'L':[]}}", "{'Item':{'L':[]}}");
    expect(*state, "{'Item':{'M':{'a':{'S':'x'}}}}", "{'Item':{'M':{'a':{'S':'x'}}}}");
    expect(*state, "{'Item':{'M':{'M':{'S':'x'}}}}", "{'Item':{'M':{'M':{'S':'x'}}}}");
    expect(*state, "{'Item':{'M':{'a':{'S':'x'}}},'b':{'S':'y'}}",
           "{'Item':{'M':{'a':{'S':'x'}}},'b':{'S':'y'}}");
    expect_fault(*state, STR("{'Item':{'a':{'S':'x'}},'b':{'S':'y'}}"), "bad-type", 10);
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
    struct world *w = *state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(decode(w, str_of(bad[i])), RC_DATA);
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
    struct world *w = *state;
    for (int n = 2; n <= 70; n++) {
        struct buf b;
        buf_init(&b, 1 << 20);
        buf_putc(&b, '{');
        for (int i = 0; i < n; i++)
            buf_addf(&b, "%s'name%d':{'N':'%d'}", i ? "," : "", i, i);
        buf_putc(&b, '}');
        assert_int_equal(decode(w, buf_view(&b)), RC_OK);
        assert_int_equal(w->item.n, n);
        b.len--;
        buf_addf(&b, ",'name%d':{'S':'again'}}", n / 2);
        assert_int_equal(decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "duplicate-member");
        assert_true(strncmp(w->raw + w->why.position, "name", 4) == 0);
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
    struct world *w = *state;
    for (int maps = 0; maps < 2; maps++) {
        struct buf b;
        buf_init(&b, BUF_NO_LIMIT);
        nest(&b, 32, maps);
        assert_int_equal(decode(w, buf_view(&b)), RC_OK);
        buf_clear(&b);
        nest(&b, 33, maps);
        assert_int_equal(decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "too-deep");
        assert_true(w->why.position > 32 * 6);
        buf_clear(&b);
        nest(&b, 100000, maps);
        assert_int_equal(decode(w, buf_view(&b)), RC_DATA);
        assert_string_equal(w->why.reason, "too-deep");
        buf_release(&b);
    }
}

static void test_detail_is_one_clean_line(void **state)
{
    struct world *w = *state;
    assert_int_equal(decode(w, STR("{'a':{'N':'1\\n\\u0007\xC3\xA9'}}")), RC_DATA);
    assert_string_equal(w->why.detail, "\"1  \xC3\xA9\" is not a number");
    assert_int_equal(fault_set(&w->why, "x", 1, "%0250d\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 1),
                     RC_DATA);
    assert_int_equal(strlen(w->why.detail), 254);
    (void)fault_set(&w->why, "x", 1, "a\xFFz");
    assert_string_equal(w->why.detail, "a?z");
}

static void test_large_items_and_many_calls(void **state)
{
    struct world *w = *state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_puts(&b, "{'big':{'S':'");
    for (int i = 0; i < 300000; i++)
        buf_puts(&b, "0123456789");
    buf_puts(&b, "'},'l':{'L':[");
    for (int i = 0; i < 100000; i++)
        buf_addf(&b, "%s{'N':'%d'}", i ? "," : "", i);
    buf_puts(&b, "]}}");
    assert_int_equal(decode(w, buf_view(&b)), RC_OK);
    assert_int_equal(item_get(&w->item, STR("big"))->u.s.n, 3000000);
    const struct val *list = item_get(&w->item, STR("l"));
    assert_int_equal(list->n, 100000);
    assert_true(str_is(list->u.list[99999].u.s, "99999"));
    buf_release(&b);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(decode(w, STR("{'a':{'S':'x'}}")), RC_OK);
}

static void test_value_decode_takes_one_tagged_value(void **state)
{
    struct world *w = *state;
    struct val v;
    struct str raw = quoted(w, "{'NS':['2','1']}", 16);
    assert_int_equal(value_decode(w->decoder, raw, &w->arena, &v, &w->why), RC_OK);
    assert_int_equal(v.kind, VAL_NS);
    assert_true(str_is(v.u.list[0].u.s, "1"));
    raw = quoted(w, "{'Item':{'a':{'S':'x'}}}", 24);
    assert_int_equal(value_decode(w->decoder, raw, &w->arena, &v, &w->why), RC_DATA);
    assert_string_equal(w->why.reason, "bad-type");
    raw = quoted(w, "'x'", 3);
    assert_int_equal(value_decode(w->decoder, raw, &w->arena, &v, &w->why), RC_DATA);
    assert_string_equal(w->why.reason, "bad-type");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_every_type_is_taken),
        CASE(test_sets_are_sorted),
        CASE(test_members_keep_the_order_of_the_text),
        CASE(test_escapes_and_blanks_are_read),
        CASE(test_strings_without_escapes_are_views),
        CASE(test_item_wrapper_is_taken_off),
        CASE(test_item_is_an_attribute_where_it_is_tagged),
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
        CASE(test_large_items_and_many_calls),
        CASE(test_value_decode_takes_one_tagged_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
