/* SPDX-License-Identifier: MIT */
/*
 * Casts of lists and sets, and of what becomes text by a rule. Texts are written with ' for ".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/item/cast/cast.h"
#include "pipeline/item/cast/column_type.h"
#include "tests/harness/casts.h"

static void test_lists_fit_the_arrays_that_take_them(void **state)
{
    static const struct {
        const char *text;
        enum col_type type;
        const char *json;
    } cases[] = {
        {"{'L':[{'S':'1.50'},{'N':'2'}]}", COL_NUMERIC_ARRAY, "[1.5,2]"},
        {"{'NS':['10','9']}", COL_INTEGER_ARRAY, "[9,10]"},
        {"{'L':[{'N':'-9223372036854775808'},{'NULL':true},{'S':'07'}]}", COL_BIGINT_ARRAY,
         "[-9223372036854775808,null,7]"},
        {"{'L':[{'BOOL':true},{'S':'FALSE'},{'NULL':true}]}", COL_BOOLEAN_ARRAY,
         "[true,false,null]"},
        {"{'SS':['2024-02-29','0001-01-01']}", COL_DATE_ARRAY, "['0001-01-01','2024-02-29']"},
        {"{'L':[{'S':'2024-02-29T12:00:00+02:00'}]}", COL_TIMESTAMPTZ_ARRAY,
         "['2024-02-29T10:00:00Z']"},
        {"{'L':[{'S':'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'}]}", COL_UUID_ARRAY,
         "['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']"},
        {"{'L':[]}", COL_DOUBLE_ARRAY, "[]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        casts_expect(*state, cases[i].text, (struct cast){.type = cases[i].type},
                     cases[i].json);
    }
}

static void test_other_lists_are_refused(void **state)
{
    static const struct {
        const char *text;
        enum col_type type;
    } cases[] = {
        {"{'L':[{'N':'2147483648'}]}", COL_INTEGER_ARRAY},
        {"{'L':[{'N':'1.5'}]}", COL_BIGINT_ARRAY},
        {"{'L':[{'N':'1'}]}", COL_BOOLEAN_ARRAY},
        {"{'SS':['2024-02-30']}", COL_DATE_ARRAY},
        {"{'NS':['1']}", COL_TIMESTAMPTZ_ARRAY},
        {"{'NS':['1']}", COL_DOUBLE_ARRAY},
        {"{'S':'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'}", COL_UUID_ARRAY},
        {"{'L':[{'M':{}}]}", COL_TEXT_ARRAY},
        {"{'L':[{'BOOL':true}]}", COL_TEXT_ARRAY},
        {"{'NS':['1']}", COL_TEXT_ARRAY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        casts_expect_refused(*state, cases[i].text, (struct cast){.type = cases[i].type});
}

static void test_lossy_rules_hold_for_elements(void **state)
{
    static const struct {
        const char *text;
        struct cast cast;
        const char *json;
    } cases[] = {
        {"{'L':[{'N':'0.5'},{'NULL':true}]}",
         {.type = COL_DOUBLE_ARRAY, .unit = UNIT_NONE, .lossy = LOSSY_FLOAT},
         "[0.5,null]"},
        {"{'NS':['2.5']}",
         {.type = COL_INTEGER_ARRAY, .unit = UNIT_NONE, .lossy = LOSSY_ROUND},
         "[2]"},
        {"{'BOOL':true}", {.type = COL_TEXT, .unit = UNIT_NONE, .lossy = LOSSY_TEXT}, "'true'"},
        {"{'BOOL':false}",
         {.type = COL_TEXT, .unit = UNIT_NONE, .lossy = LOSSY_TEXT},
         "'false'"},
        {"{'N':'1.50'}", {.type = COL_TEXT, .unit = UNIT_NONE, .lossy = LOSSY_TEXT}, "'1.5'"},
        {"{'L':[{'S':'a'},{'N':'1E5'},{'BOOL':false},{'NULL':true}]}",
         {.type = COL_TEXT_ARRAY, .unit = UNIT_NONE, .lossy = LOSSY_TEXT},
         "['a','100000','false',null]"},
        {"{'NS':['10','9']}",
         {.type = COL_TEXT_ARRAY, .unit = UNIT_NONE, .lossy = LOSSY_TEXT},
         "['9','10']"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        casts_expect(*state, cases[i].text, cases[i].cast, cases[i].json);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, items_world_set_up, items_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_lists_fit_the_arrays_that_take_them),
        CASE(test_other_lists_are_refused),
        CASE(test_lossy_rules_hold_for_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
