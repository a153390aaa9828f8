/* SPDX-License-Identifier: MIT */
/* Which form items have, by the first of them. Texts are written with ' for ". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/source/files/format/item_form.h"

static enum rc form(const char *text, enum format format, enum decoder_parse *out,
                    struct err *err)
{
    char json[400];
    size_t n = strlen(text);
    assert_true(n < sizeof json);
    for (size_t i = 0; i <= n; i++)
        json[i] = text[i] == '\'' ? '"' : text[i];
    return item_form(str_make(json, n), "f", format, out, err);
}

static void test_forms(void **state)
{
    static const struct {
        const char *text;
        enum format format;
        enum decoder_parse form;
    } cases[] = {
        {"{'a':{'S':'x'}}", FORMAT_LINES, DECODER_TYPED},
        {"{'a':'x'}", FORMAT_LINES, DECODER_PLAIN},
        {"{'a':1}", FORMAT_LINES, DECODER_PLAIN},
        {"{'a':null}", FORMAT_LINES, DECODER_PLAIN},
        {"{'a':[]}", FORMAT_LINES, DECODER_PLAIN},
        {"{'m':{'x':1},'a':'x'}", FORMAT_LINES, DECODER_PLAIN},
        {"{'a':'x','b':{'N':'1'}}", FORMAT_LINES, DECODER_TYPED},
        {"{'Item':{'a':{'S':'x'}}}", FORMAT_LINES, DECODER_TYPED},
        {"{'Item':{'a':'x'}}", FORMAT_LINES, DECODER_PLAIN},
        {"{'Item':{'S':'x'}}", FORMAT_LINES, DECODER_TYPED},
        {"{'renorm':{'reason':'cast'},'item':{'a':'x'}}", FORMAT_LINES, DECODER_PLAIN},
        {"{'renorm':{'reason':'cast'},'item':{'a':{'N':'1'}}}", FORMAT_LINES, DECODER_TYPED},
        {"{'renorm':{'reason':'cast'},'item':{'Item':{'a':{'N':'1'}}}}", FORMAT_LINES,
         DECODER_TYPED},
        {"{'renorm':{'reason':'bad-json'},'item_base64':'e30='}\n"
         "{'renorm':{'reason':'duplicate-set-member'},'item':{'a':{'NS':['1','1']}}}",
         FORMAT_LINES, DECODER_TYPED},
        {"{'renorm':{'reason':'bad-json'},'item_base64':'e30='}", FORMAT_LINES, DECODER_TEXT},
        {"broken\n{'a':'x'}", FORMAT_LINES, DECODER_PLAIN},
        {"{}\n{'a':{'S':'x'}}", FORMAT_LINES, DECODER_TYPED},
        {"{}", FORMAT_LINES, DECODER_TEXT},
        {"", FORMAT_EMPTY, DECODER_TEXT},
        {"[{'a':'x'}]", FORMAT_ARRAY, DECODER_PLAIN},
        {"[{'a':{'S':'x'}}]", FORMAT_ARRAY, DECODER_TYPED},
        {"[]", FORMAT_ARRAY, DECODER_TEXT},
        {"{'Count':1,'Items':[{'a':'x'}]}", FORMAT_DOCUMENT, DECODER_PLAIN},
        {"{'Items':[{'a':{'S':'x'}}],'Count':1}", FORMAT_DOCUMENT, DECODER_TYPED},
        {"[{'Items':[{'a':'x'}]}]", FORMAT_DOCUMENT, DECODER_PLAIN},
        {"{'Responses':{'t':[{'a':'x'}]}}", FORMAT_DOCUMENT, DECODER_PLAIN},
        {"{'Responses':[{'Item':{'a':'x'}}]}", FORMAT_DOCUMENT, DECODER_PLAIN},
        {"{'DataModel':[]}", FORMAT_DOCUMENT, DECODER_TEXT},
        {"{'a':'cut sho", FORMAT_LINES, DECODER_PLAIN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        enum decoder_parse got = DECODER_TEXT;
        assert_int_equal(form(cases[i].text, cases[i].format, &got, &err), RC_OK);
        if (got != cases[i].form)
            fail_msg("%s is taken for %d", cases[i].text, got);
    }
}

static void test_neither(void **state)
{
    struct err err = {0};
    enum decoder_parse got = DECODER_TEXT;
    (void)state;
    assert_int_equal(form("{'a':{'X':1}}\n{'a':{'Y':1}}", FORMAT_LINES, &got, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "neither DynamoDB JSON nor plain JSON; the first is "
                                    "{\"a\":{\"X\":1}}\nhint: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
