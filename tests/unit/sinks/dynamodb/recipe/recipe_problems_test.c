/* SPDX-License-Identifier: MIT */
/* What is wrong with a backfill whatever the items, each with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/backfills.h"

static void test_problems(void **state)
{
    static const struct {
        const char *entity, *table, *told;
    } CASES[] = {
        {"'table':'a','columns':{'x':'text'}", NULL,
         "m: no entity has a 'backfill'\nhint: say what to write, as in 'backfill': {'GSI1PK': "
         "'STATUS#{status}'}\n"},
        {"'backfill':{'SK':'{x}'}", NULL,
         "m:2:30: 'SK' is part of the table's primary key, which can never be changed\n"},
        {"'backfill':{'a':'{^x}'}", NULL,
         "m:2:30: {^x} is no attribute of the item\nhint: a backfill reads attributes and "
         "parts "
         "of keys\n"},
        {"'backfill':{'a':{'type':'N','value':'{x}#'}}", NULL,
         "m:2:30: 'a' is to be a number, '{x}#' can print none\n"},
        {"'backfill':{'Type':'B'}", NULL,
         "m:2:30: an item of type 'B' would no longer be of entity 'A'\nhint: write its name, "
         "or "
         "one of its 'types'\n"},
        {"'backfill':{'id':'{x}'}",
         "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}],'AttributeDefinitions':"
         "[{'AttributeName':'id','AttributeType':'S'}]",
         "m:2:30: 'id' is part of the table's primary key, which can never be changed\n"},
    };
    struct backfills *t = *state;
    struct buf entity;
    buf_init(&entity, 4096);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        buf_clear(&entity);
        buf_addf(&entity, "'A':{%s}", CASES[i].entity);
        assert_int_equal(backfills_make(t, buf_cstr(&entity), CASES[i].table), RC_USAGE);
        assert_null(t->recipe);
        assert_string_equal(backfills_problems(t), CASES[i].told);
    }
    buf_release(&entity);
}

static void test_conditions_need_a_backfill(void **state)
{
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'A':{'backfill_when':{'a':1},'table':'a','columns':"
                                    "{'x':'text'}},'B':{'backfill':{'a':'1'}}",
                                    NULL),
                     RC_USAGE);
    assert_non_null(strstr(backfills_problems(t),
                           "entity 'A' has a condition for a backfill, but no 'backfill'\n"));
}

/* One target, the type, and inputs of so many. */
static enum rc make_inputs(struct backfills *t, int n, const char *input)
{
    struct buf entity;
    buf_init(&entity, BUF_NO_LIMIT);
    buf_puts(&entity, "'A':{'backfill':{'t':'");
    for (int i = 0; i < n; i++)
        buf_addf(&entity, "{%s%d}", input, i);
    buf_puts(&entity, "'}}");
    enum rc rc = backfills_make(t, buf_cstr(&entity), NULL);
    buf_release(&entity);
    return rc;
}

static void test_a_condition_has_a_largest_size(void **state)
{
    struct backfills *t = *state;
    /* attribute_exists(#p) has 20 bytes; " AND attribute_not_exists(#r0_0)" has 32, from #r10_0 on
     * 33, from #r100_0 on 34: 20 + 32 + 10 * 32 + 90 * 33 + 22 * 34 = 4090 */
    assert_int_equal(make_inputs(t, 121, "a"), RC_OK);
    assert_int_equal(make_inputs(t, 122, "a"), RC_USAGE);
    assert_non_null(
        strstr(backfills_problems(t),
               "m:2:30: the condition of a write to 'A' would name 124 attributes "
               "in 4124 bytes with 249 operators, DynamoDB takes 4096 bytes and 300 "
               "operators\nhint: "));
    /* ".#r0_1" more for each: 20 + 32 + 10 * 38 + 90 * 40 + 32 for the type */
    assert_int_equal(make_inputs(t, 100, "m.a"), RC_OK);
    assert_int_equal(make_inputs(t, 102, "m.a"), RC_USAGE);
}

static void test_the_key_must_be_the_tables(void **state)
{
    static const char *const WRONG[] = {"'key':['PK','SK'],", "'key':'PK',", "'key':'ID',"};
    struct backfills *t = *state;
    for (size_t i = 0; i < 3; i++) {
        t->key = WRONG[i];
        assert_int_equal(
            backfills_make(t, "'A':{'backfill':{'a':'1'}}",
                           "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}]"),
            RC_USAGE);
        assert_string_equal(backfills_problems(t),
                            "m: the key of the model is not the key of the table\nhint: write "
                            "'key': ['id'] under 'source', or leave it out\n");
    }
    t->key = "'key':'id',";
    assert_int_equal(backfills_make(t, "'A':{'backfill':{'a':'1'}}",
                                    "'KeySchema':[{'AttributeName':'id','KeyType':'HASH'}]"),
                     RC_OK);
    t->key = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_the_key_must_be_the_tables),
        cmocka_unit_test(test_conditions_need_a_backfill),
        cmocka_unit_test(test_a_condition_has_a_largest_size),
    };
    return cmocka_run_group_tests(tests, backfills_set_up, backfills_tear_down);
}
