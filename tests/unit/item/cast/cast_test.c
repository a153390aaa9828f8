/* SPDX-License-Identifier: MIT */
/*
 * Casts: a table of values, column types and the JSON text of the cell, then what is refused,
 * then the lossy rules. Texts are written with ' for ".
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

static void test_values_fit_the_types_that_take_them(void **state)
{
    static const struct {
        const char *text;
        enum col_type type;
        const char *json;
    } cases[] = {
        {"{'S':''}", COL_TEXT, "''"},
        {"{'S':'a\\n\\\\'}", COL_TEXT, "'a\\n\\\\'"},
        {"{'N':'1.50'}", COL_TEXT, "'1.5'"},
        {"{'N':'2147483647'}", COL_INTEGER, "2147483647"},
        {"{'N':'-2147483648'}", COL_INTEGER, "-2147483648"},
        {"{'S':'42'}", COL_INTEGER, "42"},
        {"{'S':'1e3'}", COL_INTEGER, "1000"},
        {"{'N':'0'}", COL_BIGINT, "0"},
        {"{'N':'9223372036854775807'}", COL_BIGINT, "9223372036854775807"},
        {"{'N':'-9223372036854775808'}", COL_BIGINT, "-9223372036854775808"},
        {"{'S':'-7'}", COL_BIGINT, "-7"},
        {"{'N':'12345678901234567890.123456789012345678'}", COL_NUMERIC,
         "12345678901234567890.123456789012345678"},
        {"{'N':'1E+125'}", COL_NUMERIC, "1E+125"},
        {"{'S':'007.50'}", COL_NUMERIC, "7.5"},
        {"{'BOOL':true}", COL_BOOLEAN, "true"},
        {"{'S':'false'}", COL_BOOLEAN, "false"},
        {"{'S':'True'}", COL_BOOLEAN, "true"},
        {"{'B':'AAEC/w=='}", COL_BYTEA, "'AAEC/w=='"},
        {"{'B':''}", COL_BYTEA, "''"},
        {"{'S':'2024-02-29'}", COL_DATE, "'2024-02-29'"},
        {"{'S':'2024-02-29T12:00:00+02:00'}", COL_TIMESTAMPTZ, "'2024-02-29T10:00:00Z'"},
        {"{'S':'2024-02-29T12:00:00.500000000Z'}", COL_TIMESTAMPTZ, "'2024-02-29T12:00:00.5Z'"},
        {"{'S':'6BA7B810-9DAD-11D1-80B4-00C04FD430C8'}", COL_UUID,
         "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"},
        {"{'S':'6ba7b8109dad11d180b400c04fd430c8'}", COL_UUID,
         "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"},
        {"{'S':'x'}", COL_JSONB, "'x'"},
        {"{'N':'12345678901234567890.5'}", COL_JSONB, "12345678901234567890.5"},
        {"{'M':{'b':{'L':[{'NULL':true}]},'a':{'N':'1E+99'}}}", COL_JSONB,
         "{'a':1E+99,'b':[null]}"},
        {"{'SS':['b','a','']}", COL_TEXT_ARRAY, "['','a','b']"},
        {"{'L':[{'S':'b'},{'NULL':true},{'S':''},{'S':'b'}]}", COL_TEXT_ARRAY,
         "['b',null,'','b']"},
        {"{'L':[]}", COL_TEXT_ARRAY, "[]"},
        {"{'NS':['10','9']}", COL_NUMERIC_ARRAY, "[9,10]"},
        {"{'L':[{'N':'2'},{'N':'1'}]}", COL_NUMERIC_ARRAY, "[2,1]"},
        {"{'BS':['AQ==']}", COL_BYTEA_ARRAY, "['AQ==']"},
        {"{'L':[{'B':''},{'NULL':true}]}", COL_BYTEA_ARRAY, "['',null]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        casts_expect(*state, cases[i].text, (struct cast){.type = cases[i].type},
                     cases[i].json);
    }
}

static void test_null_and_missing_fit_every_type(void **state)
{
    struct items_world *w = *state;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        casts_expect(w, "{'NULL':true}", (struct cast){.type = t}, "null");
        assert_int_equal(w->cell.state, DATUM_NULL);
        struct val missing = {.kind = VAL_MISSING};
        struct cast cast = {.type = t};
        assert_int_equal(cast_value(&cast, &missing, &w->t->arena, &w->cell, &w->used, &w->why),
                         RC_OK);
        assert_int_equal(w->cell.state, DATUM_MISSING);
    }
}

/* For each type the kinds that may fit; all others never do, whatever the column allows. */
static void test_other_kinds_are_refused(void **state)
{
    static const char *const samples[] = {
        [VAL_S] = "{'S':'x'}",        [VAL_N] = "{'N':'1'}",     [VAL_B] = "{'B':'AQ=='}",
        [VAL_BOOL] = "{'BOOL':true}", [VAL_M] = "{'M':{}}",      [VAL_L] = "{'L':[{'M':{}}]}",
        [VAL_SS] = "{'SS':['x']}",    [VAL_NS] = "{'NS':['1']}", [VAL_BS] = "{'BS':['AQ==']}"};
    static const unsigned takes[COL_TYPES] = {
        [COL_TEXT] = 1 << VAL_S | 1 << VAL_N,
        [COL_INTEGER] = 1 << VAL_N,
        [COL_BIGINT] = 1 << VAL_N,
        [COL_NUMERIC] = 1 << VAL_N,
        [COL_DOUBLE] = 1 << VAL_N,
        [COL_BOOLEAN] = 1 << VAL_BOOL,
        [COL_BYTEA] = 1 << VAL_B,
        [COL_TIMESTAMPTZ] = 1 << VAL_N,
        [COL_TEXT_ARRAY] = 1 << VAL_SS,
        [COL_NUMERIC_ARRAY] = 1 << VAL_NS,
        [COL_BYTEA_ARRAY] = 1 << VAL_BS,
        [COL_INTEGER_ARRAY] = 1 << VAL_NS,
        [COL_BIGINT_ARRAY] = 1 << VAL_NS,
        [COL_DOUBLE_ARRAY] = 1 << VAL_NS,
        [COL_TIMESTAMPTZ_ARRAY] = 1 << VAL_NS,
        [COL_JSONB] = ~0U,
    };
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        for (enum val_kind k = VAL_S; k <= VAL_BS; k++) {
            struct cast all = {.type = t,
                               .unit = UNIT_S,
                               .lossy = LOSSY_FLOAT | LOSSY_JSON | LOSSY_NUL | LOSSY_ROUND};
            if (!samples[k])
                continue;
            if (takes[t] & 1U << k) {
                assert_int_equal(casts_try(*state, samples[k], all), RC_OK);
            } else {
                casts_expect_refused(*state, samples[k], all);
            }
        }
    }
}

static void test_values_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        const char *text;
        enum col_type type;
    } cases[] = {
        {"{'N':'2147483648'}", COL_INTEGER},
        {"{'N':'-2147483649'}", COL_INTEGER},
        {"{'N':'1.5'}", COL_INTEGER},
        {"{'S':'12a'}", COL_BIGINT},
        {"{'S':''}", COL_BIGINT},
        {"{'S':' 1'}", COL_BIGINT},
        {"{'N':'9223372036854775808'}", COL_BIGINT},
        {"{'N':'1E+40'}", COL_BIGINT},
        {"{'N':'0.5'}", COL_BIGINT},
        {"{'N':'1E-50'}", COL_BIGINT},
        {"{'S':'NaN'}", COL_NUMERIC},
        {"{'S':'123456789012345678901234567890123456789'}", COL_NUMERIC},
        {"{'S':'1E126'}", COL_NUMERIC},
        {"{'N':'1'}", COL_DOUBLE},
        {"{'S':'1'}", COL_DOUBLE},
        {"{'S':'yes'}", COL_BOOLEAN},
        {"{'S':'tru'}", COL_BOOLEAN},
        {"{'S':'truee'}", COL_BOOLEAN},
        {"{'N':'1'}", COL_BOOLEAN},
        {"{'S':'AQ=='}", COL_BYTEA},
        {"{'S':'2023-02-29'}", COL_DATE},
        {"{'N':'20240101'}", COL_DATE},
        {"{'S':'2024-01-01T00:00:00'}", COL_TIMESTAMPTZ},
        {"{'S':'2024-01-01T00:00:00.1234567Z'}", COL_TIMESTAMPTZ},
        {"{'N':'1700000000'}", COL_TIMESTAMPTZ},
        {"{'S':'6ba7b810-9dad-11d1-80b4-00c04fd430c'}", COL_UUID},
        {"{'S':'6ba7b810-9dad-11d1-80b4-00c04fd430cg'}", COL_UUID},
        {"{'S':'6ba7b8109dad-11d1-80b4-00c04fd430c8-'}", COL_UUID},
        {"{'S':'6ba7b810x9dad-11d1-80b4-00c04fd430c8'}", COL_UUID},
        {"{'S':'a\\u0000b'}", COL_TEXT},
        {"{'SS':['a\\u0000b']}", COL_TEXT_ARRAY},
        {"{'S':'a\\u0000b'}", COL_JSONB},
        {"{'M':{'a\\u0000':{'S':'b'}}}", COL_JSONB},
        {"{'L':[{'M':{'a':{'S':'\\u0000'}}}]}", COL_JSONB},
        {"{'B':'AQ=='}", COL_JSONB},
        {"{'L':[{'SS':['a']}]}", COL_JSONB},
        {"{'L':[{'N':'1'}]}", COL_TEXT_ARRAY},
        {"{'SS':['1']}", COL_NUMERIC_ARRAY},
        {"{'L':[{'S':'a'},{'N':'1'}]}", COL_TEXT_ARRAY},
        {"{'L':[{'L':[]}]}", COL_BYTEA_ARRAY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        casts_expect_refused(*state, cases[i].text, (struct cast){.type = cases[i].type});
}

static void test_epochs_need_a_unit_and_are_exact(void **state)
{
    static const struct {
        const char *text;
        enum time_unit unit;
        const char *json;
    } cases[] = {
        {"{'N':'0'}", UNIT_S, "'1970-01-01T00:00:00Z'"},
        {"{'N':'1700000000'}", UNIT_S, "'2023-11-14T22:13:20Z'"},
        {"{'S':'1700000000'}", UNIT_S, "'2023-11-14T22:13:20Z'"},
        {"{'S':'+17E8'}", UNIT_S, "'2023-11-14T22:13:20Z'"},
        {"{'N':'1700000000.25'}", UNIT_S, "'2023-11-14T22:13:20.25Z'"},
        {"{'N':'1700000000123'}", UNIT_MS, "'2023-11-14T22:13:20.123Z'"},
        {"{'N':'1700000000123.5'}", UNIT_MS, "'2023-11-14T22:13:20.1235Z'"},
        {"{'N':'1700000000123456'}", UNIT_US, "'2023-11-14T22:13:20.123456Z'"},
        {"{'N':'-1.5'}", UNIT_S, "'1969-12-31T23:59:58.5Z'"},
        {"{'N':'0.000001'}", UNIT_S, "'1970-01-01T00:00:00.000001Z'"},
        {"{'N':'-62135596800'}", UNIT_S, "'0001-01-01T00:00:00Z'"},
        {"{'N':'253402300799.999999'}", UNIT_S, "'9999-12-31T23:59:59.999999Z'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        casts_expect(*state, cases[i].text,
                     (struct cast){.type = COL_TIMESTAMPTZ, .unit = cases[i].unit, .lossy = 0},
                     cases[i].json);
    }
    static const char *const beyond[] = {"{'N':'253402300800'}", "{'N':'-62135596801'}",
                                         "{'N':'1E+125'}", "{'N':'0.0000001'}"};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        casts_expect_refused(
            *state, beyond[i],
            (struct cast){.type = COL_TIMESTAMPTZ, .unit = UNIT_S, .lossy = 0});
    }
    casts_expect_refused(*state, "{'S':'1700000000'}",
                         (struct cast){.type = COL_TIMESTAMPTZ, .unit = UNIT_NONE, .lossy = 0});
    casts_expect_refused(*state, "{'S':'253402300800'}",
                         (struct cast){.type = COL_TIMESTAMPTZ, .unit = UNIT_S, .lossy = 0});
}

static void test_lossy_rules_are_used_where_allowed(void **state)
{
    static const struct {
        const char *text;
        struct cast cast;
        const char *json;
    } cases[] = {
        {"{'N':'0.1'}", {.type = COL_DOUBLE, .unit = UNIT_NONE, .lossy = LOSSY_FLOAT}, "0.1"},
        {"{'N':'0.30000000000000004'}",
         {.type = COL_DOUBLE, .unit = UNIT_NONE, .lossy = LOSSY_FLOAT},
         "0.30000000000000004"},
        {"{'N':'12345678901234567890'}",
         {.type = COL_DOUBLE, .unit = UNIT_NONE, .lossy = LOSSY_FLOAT},
         "1.2345678901234567e+19"},
        {"{'N':'1E+125'}",
         {.type = COL_DOUBLE, .unit = UNIT_NONE, .lossy = LOSSY_FLOAT},
         "1e+125"},
        {"{'N':'1.9'}", {.type = COL_INTEGER, .unit = UNIT_NONE, .lossy = LOSSY_ROUND}, "1"},
        {"{'N':'-1.9'}", {.type = COL_INTEGER, .unit = UNIT_NONE, .lossy = LOSSY_ROUND}, "-1"},
        {"{'N':'-0.5'}", {.type = COL_BIGINT, .unit = UNIT_NONE, .lossy = LOSSY_ROUND}, "0"},
        {"{'N':'1E-99'}", {.type = COL_BIGINT, .unit = UNIT_NONE, .lossy = LOSSY_ROUND}, "0"},
        {"{'S':'7.25'}", {.type = COL_BIGINT, .unit = UNIT_NONE, .lossy = LOSSY_ROUND}, "7"},
        {"{'S':'2024-01-01T00:00:00.1234567Z'}",
         {.type = COL_TIMESTAMPTZ, .unit = UNIT_NONE, .lossy = LOSSY_ROUND},
         "'2024-01-01T00:00:00.123456Z'"},
        {"{'N':'0.0000019'}",
         {.type = COL_TIMESTAMPTZ, .unit = UNIT_S, .lossy = LOSSY_ROUND},
         "'1970-01-01T00:00:00.000001Z'"},
        {"{'N':'-0.0000001'}",
         {.type = COL_TIMESTAMPTZ, .unit = UNIT_S, .lossy = LOSSY_ROUND},
         "'1969-12-31T23:59:59.999999Z'"},
        {"{'S':'\\u0000a\\u0000b\\u0000'}",
         {.type = COL_TEXT, .unit = UNIT_NONE, .lossy = LOSSY_NUL},
         "'ab'"},
        {"{'S':'\\u0000'}", {.type = COL_TEXT, .unit = UNIT_NONE, .lossy = LOSSY_NUL}, "''"},
        {"{'L':[{'S':'\\u0000'},{'NULL':true}]}",
         {.type = COL_TEXT_ARRAY, .unit = UNIT_NONE, .lossy = LOSSY_NUL},
         "['',null]"},
        {"{'M':{'b\\u0000':{'L':[{'S':'x\\u0000'}]},'a':{'N':'1'}}}",
         {.type = COL_JSONB, .unit = UNIT_NONE, .lossy = LOSSY_NUL},
         "{'a':1,'b':['x']}"},
        {"{'M':{'a':{'B':'AQ=='},'b':{'NS':['2','1']}}}",
         {.type = COL_JSONB, .unit = UNIT_NONE, .lossy = LOSSY_JSON},
         "{'a':'AQ==','b':[1,2]}"},
        {"{'SS':['a\\u0000']}",
         {.type = COL_JSONB, .unit = UNIT_NONE, .lossy = LOSSY_JSON | LOSSY_NUL},
         "['a']"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        casts_expect(*state, cases[i].text, cases[i].cast, cases[i].json);
}

static void test_lossy_rules_are_not_used_without_need(void **state)
{
    struct items_world *w = *state;
    struct cast cast = {.type = COL_BIGINT, .unit = UNIT_NONE, .lossy = LOSSY_ROUND};
    assert_int_equal(casts_try(w, "{'N':'12'}", cast), RC_OK);
    assert_int_equal(w->used, 0);
    cast = (struct cast){.type = COL_JSONB, .unit = UNIT_NONE, .lossy = LOSSY_JSON | LOSSY_NUL};
    assert_int_equal(casts_try(w, "{'M':{'a':{'S':'x'}}}", cast), RC_OK);
    assert_int_equal(w->used, 0);
    /* what rounding cannot mend */
    casts_expect_refused(
        w, "{'N':'9223372036854775808.5'}",
        (struct cast){.type = COL_BIGINT, .unit = UNIT_NONE, .lossy = LOSSY_ROUND});
    casts_expect_refused(
        w, "{'N':'3000000000.5'}",
        (struct cast){.type = COL_INTEGER, .unit = UNIT_NONE, .lossy = LOSSY_ROUND});
    /* one of two members would vanish */
    casts_expect_refused(
        w, "{'M':{'a':{'S':'x'},'a\\u0000':{'S':'y'}}}",
        (struct cast){.type = COL_JSONB, .unit = UNIT_NONE, .lossy = LOSSY_NUL});
}

static void test_detail_says_what_it_was_and_what_would_fit(void **state)
{
    struct items_world *w = *state;
    casts_expect_refused(w, "{'S':'abc'}", (struct cast){.type = COL_BIGINT});
    assert_string_equal(w->why.detail, "S \"abc\" does not fit bigint");
    casts_expect_refused(w, "{'L':[{'S':'a'}]}", (struct cast){.type = COL_TEXT});
    assert_string_equal(w->why.detail, "L of 1 members does not fit text");
    casts_expect_refused(w, "{'N':'1'}", (struct cast){.type = COL_TIMESTAMPTZ});
    assert_non_null(strstr(w->why.detail, "\"unit\""));
}

static void test_cmp_orders_within_a_type(void **state)
{
    static const struct {
        enum col_type type;
        const char *a, *same, *below;
    } cases[] = {
        {COL_TEXT, "{'S':'a'}", "{'S':'\\u0061'}", "{'S':'B'}"},
        {COL_BIGINT, "{'N':'1'}", "{'S':'1'}", "{'N':'-2'}"},
        {COL_INTEGER, "{'N':'1'}", "{'N':'1.0'}", "{'N':'-1'}"},
        {COL_NUMERIC, "{'N':'1.5'}", "{'S':'1.50'}", "{'N':'1.49'}"},
        {COL_NUMERIC, "{'N':'10'}", "{'S':'10.0'}", "{'N':'9'}"},
        {COL_NUMERIC, "{'N':'-9'}", "{'N':'-9'}", "{'N':'-1E+20'}"},
        {COL_DOUBLE, "{'N':'0.5'}", "{'N':'0.50'}", "{'N':'0.25'}"},
        {COL_BOOLEAN, "{'BOOL':true}", "{'S':'true'}", "{'BOOL':false}"},
        {COL_BYTEA, "{'B':'AQ=='}", "{'B':'AQ=='}", "{'B':''}"},
        {COL_DATE, "{'S':'2024-01-01'}", "{'S':'2024-01-01'}", "{'S':'2023-12-31'}"},
        {COL_TIMESTAMPTZ, "{'S':'2024-01-01T00:00:00Z'}", "{'S':'2024-01-01T01:00:00+01'}",
         "{'N':'0'}"},
        {COL_UUID, "{'S':'6ba7b810-9dad-11d1-80b4-00c04fd430c8'}",
         "{'S':'6BA7B810-9DAD-11D1-80B4-00C04FD430C8'}",
         "{'S':'6ba7b810-9dad-11d1-80b4-00c04fd430c7'}"},
        {COL_JSONB, "{'M':{'a':{'N':'1'},'b':{'N':'2'}}}",
         "{'M':{'b':{'N':'2'},'a':{'N':'1'}}}", "{'M':{'a':{'N':'0'},'b':{'N':'2'}}}"},
        {COL_TEXT_ARRAY, "{'SS':['a','']}", "{'L':[{'S':''},{'S':'a'}]}",
         "{'L':[{'NULL':true},{'S':'a'}]}"},
        {COL_NUMERIC_ARRAY, "{'NS':['1','2']}", "{'NS':['2','1']}", "{'NS':['1']}"},
        {COL_BYTEA_ARRAY, "{'BS':['AQ==']}", "{'L':[{'B':'AQ=='}]}", "{'BS':['AA==']}"},
    };
    struct items_world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cast cast = {.type = cases[i].type, .unit = UNIT_S, .lossy = LOSSY_FLOAT};
        assert_int_equal(casts_try(w, cases[i].a, cast), RC_OK);
        struct datum a = w->cell, null = {.state = DATUM_NULL}, missing = {0};
        assert_int_equal(casts_try(w, cases[i].same, cast), RC_OK);
        assert_true(datum_cmp(cast.type, &a, &w->cell) == 0);
        assert_int_equal(casts_try(w, cases[i].below, cast), RC_OK);
        assert_true(datum_cmp(cast.type, &a, &w->cell) > 0);
        assert_true(datum_cmp(cast.type, &w->cell, &a) < 0);
        assert_true(datum_cmp(cast.type, &a, &null) > 0);
        assert_true(datum_cmp(cast.type, &missing, &null) < 0);
        assert_true(datum_cmp(cast.type, &null, &null) == 0);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, items_world_set_up, items_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_fit_the_types_that_take_them),
        CASE(test_null_and_missing_fit_every_type),
        CASE(test_other_kinds_are_refused),
        CASE(test_values_that_do_not_fit_are_refused),
        CASE(test_epochs_need_a_unit_and_are_exact),
        CASE(test_lossy_rules_are_used_where_allowed),
        CASE(test_lossy_rules_are_not_used_without_need),
        CASE(test_detail_says_what_it_was_and_what_would_fit),
        CASE(test_cmp_orders_within_a_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
