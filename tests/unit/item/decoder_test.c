/* SPDX-License-Identifier: MIT */
/*
 * Items from text: each type, spellings, the wrapper of export lines. Compared by the
 * canonical text of what was decoded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/canon.h"
#include "tests/harness/items.h"

static void expect(struct items_world *w, const char *text, const char *canonical)
{
    if (items_world_decode(w, str_of(text)))
        fail_msg("%s: %s at %zu: %s", text, w->why.reason, w->why.position, w->why.detail);
    assert_ptr_equal(w->item.raw.p, w->raw.p);
    assert_int_equal(w->item.raw.n, strlen(text));
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    canon_ddb_members(&b, w->item.members, w->item.n);
    for (size_t i = 0; i < b.len; i++) {
        if (b.p[i] == '"')
            b.p[i] = '\'';
    }
    assert_string_equal(buf_cstr(&b), canonical);
    buf_release(&b);
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
    struct items_world *w = *state;
    assert_int_equal(items_world_decode(w, STR("{'z':{'S':'1'},'a':{'S':'2'},'m':{'S':'3'}}")),
                     RC_OK);
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
    struct items_world *w = *state;
    assert_int_equal(items_world_decode(w, STR("{'name':{'S':'text'},'esc':{'S':'a\\n'}}")),
                     RC_OK);
    const struct val *v = item_get(&w->item, STR("name"));
    assert_ptr_equal(v->u.s.p, w->raw.p + 14);
    v = item_get(&w->item, STR("esc"));
    assert_true(v->u.s.p < w->raw.p || v->u.s.p > w->raw.p + w->item.raw.n);
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
}

static void test_large_items_and_many_calls(void **state)
{
    struct items_world *w = *state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_puts(&b, "{'big':{'S':'");
    for (int i = 0; i < 300000; i++)
        buf_puts(&b, "0123456789");
    buf_puts(&b, "'},'l':{'L':[");
    for (int i = 0; i < 100000; i++)
        buf_addf(&b, "%s{'N':'%d'}", i ? "," : "", i);
    buf_puts(&b, "]}}");
    assert_int_equal(items_world_decode(w, buf_view(&b)), RC_OK);
    assert_int_equal(item_get(&w->item, STR("big"))->u.s.n, 3000000);
    const struct val *list = item_get(&w->item, STR("l"));
    assert_int_equal(list->n, 100000);
    assert_true(str_is(list->u.list[99999].u.s, "99999"));
    buf_release(&b);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items_world_decode(w, STR("{'a':{'S':'x'}}")), RC_OK);
}

/* Decodes; the item's own text must be `raw`. */
static void expect_again(struct items_world *w, const char *text, const char *raw,
                         const char *canon)
{
    struct buf b;
    if (items_world_decode(w, str_of(text)))
        fail_msg("%s: %s at %zu: %s", text, w->why.reason, w->why.position, w->why.detail);
    buf_init(&b, BUF_NO_LIMIT);
    canon_ddb_members(&b, w->item.members, w->item.n);
    assert_string_equal(buf_cstr(&b), canon);
    buf_release(&b);
    assert_int_equal(w->item.raw.n, strlen(raw));
    assert_memory_equal(w->item.raw.p, raw, strlen(raw));
}

static void test_item_that_was_set_aside(void **state)
{
    struct items_world *w = *state;
    static const char PLAIN[] = "{\"PK\":{\"S\":\"x}\"}}";
    expect_again(w,
                 "{\"renorm\":{\"reason\":\"cast\",\"detail\":\"d\"},\"item\":"
                 "{\"PK\":{\"S\":\"x}\"}}}",
                 PLAIN, PLAIN);
    expect_again(w,
                 " { \"renorm\" : { \"reason\" : \"cast\" } , \"item\" : "
                 "{\"Item\":{\"PK\":{\"S\":\"x}\"}}} } ",
                 "{\"Item\":{\"PK\":{\"S\":\"x}\"}}}", PLAIN);
    expect_again(w,
                 "{\"renorm\":{\"reason\":\"bad-json\"},"
                 "\"item_base64\":\"eyJQSyI6eyJTIjoieH0ifX0=\"}",
                 PLAIN, PLAIN);
}

static void refused(struct items_world *w, const char *text, const char *reason,
                    const char *raw)
{
    assert_int_equal(items_world_decode(w, str_of(text)), RC_DATA);
    assert_string_equal(w->why.reason, reason);
    assert_int_equal(w->item.raw.n, strlen(raw));
    assert_memory_equal(w->item.raw.p, raw, strlen(raw));
}

static void test_item_that_was_set_aside_is_no_better(void **state)
{
    struct items_world *w = *state;
    /* rejected again: the item alone is kept, so lines do not grow */
    refused(w, "{\"renorm\":{\"reason\":\"x\"},\"item\":{\"PK\":{\"Q\":\"x\"}}}", "bad-type",
            "{\"PK\":{\"Q\":\"x\"}}");
    refused(w, "{\"renorm\":{\"reason\":\"x\"},\"item_base64\":\"e1BL\"}", "bad-json", "{PK");
    refused(w, "{\"renorm\":{\"reason\":\"x\"},\"item\":5}", "bad-item", "5");
    refused(w, "{\"renorm\":{\"reason\":\"x\"},\"item_base64\":\"\"}", "bad-json", "");
    /* one wrapping, not two */
    refused(w,
            "{\"renorm\":{\"reason\":\"x\"},\"item\":"
            "{\"renorm\":{\"reason\":\"x\"},\"item\":{\"PK\":{\"S\":\"x\"}}}}",
            "bad-type", "{\"renorm\":{\"reason\":\"x\"},\"item\":{\"PK\":{\"S\":\"x\"}}}");
    /* not written by a run */
    static const char ODD[] = "{\"renorm\":{\"reason\":\"x\"},\"item_base64\":\"*\"}";
    refused(w, ODD, "bad-type", ODD);
    static const char MORE[] =
        "{\"renorm\":{\"reason\":\"x\"},\"item\":{\"PK\":{\"S\":\"x\"}},\"z\":{\"S\":\"x\"}}";
    refused(w, MORE, "bad-type", MORE);
}

static void test_attributes_called_renorm_and_item(void **state)
{
    expect(*state, "{'renorm':{'M':{'reason':{'S':'r'}}},'item':{'S':'i'}}",
           "{'item':{'S':'i'},'renorm':{'M':{'reason':{'S':'r'}}}}");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, items_world_set_up, items_world_tear_down)

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
        CASE(test_item_that_was_set_aside),
        CASE(test_item_that_was_set_aside_is_no_better),
        CASE(test_attributes_called_renorm_and_item),
        CASE(test_large_items_and_many_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
