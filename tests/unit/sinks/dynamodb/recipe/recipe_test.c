/* SPDX-License-Identifier: MIT */
/* What a backfill does to an item: fates, values, reasons, and what it is conditional on. */
#include "sinks/dynamodb/recipe/recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/harness/backfills.h"

static const char TABLE[] =
    "'KeySchema':[{'AttributeName':'PK','KeyType':'HASH'},{'AttributeName':'SK','KeyType':"
    "'RANGE'}],'AttributeDefinitions':[{'AttributeName':'PK','AttributeType':'S'},"
    "{'AttributeName':'SK','AttributeType':'S'},{'AttributeName':'G','AttributeType':'S'},"
    "{'AttributeName':'H','AttributeType':'N'}],"
    "'GlobalSecondaryIndexes':[{'IndexName':'g','KeySchema':[{'AttributeName':'G','KeyType':"
    "'HASH'},{'AttributeName':'H','KeyType':'RANGE'}],'Projection':{'ProjectionType':'ALL'}},"
    "{'IndexName':'r','KeySchema':[{'AttributeName':'x','KeyType':'HASH'},"
    "{'AttributeName':'G','KeyType':'RANGE'}],'Projection':{'ProjectionType':'KEYS_ONLY'}}]";

struct one {
    const char *item, *shown;
};

static void expect_all(struct backfills *t, const struct one *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct item item;
        struct change c = backfills_apply(t, cases[i].item, &item);
        assert_string_equal(backfills_show(t, &c), cases[i].shown);
    }
}

#define EXPECT(t, cases) expect_all(t, cases, sizeof(cases) / sizeof((cases)[0]))
#define K                "'PK':{'S':'O#7'},'SK':{'S':'A'}"
#define OK               "'PK':{'S':'O#7'},'SK':{'S':'A'},'Type':{'S':'O'}"

static const char ORDER[] =
    "'O':{'keys':{'PK':'O#{id}','SK':'A'},'table':'o','primary_key':['id'],"
    "'backfill':{'G':'STATUS#{status|lower}','H':{'type':'N','value':'{id}'},'Old':null},"
    "'backfill_when':{'status':{'exists':true}}},"
    "'P':{'table':'p','columns':{'x':'text'}}";

static void test_fates(void **state)
{
    static const struct one CASES[] = {
        {"{" OK ",'status':{'S':'Open'}}", "changed O G=-->{'S':'STATUS#open'} H=-->{'N':'7'} "
                                           "Old=-->- | status={'S':'Open'} id=- "
                                           "Type={'S':'O'}"},
        {"{" K ",'status':{'S':'Open'},'Old':{'L':[]},'H':{'S':'7'}}",
         "changed O G=-->{'S':'STATUS#open'} H={'S':'7'}->{'N':'7'} Old={'L':[]}->- | "
         "status={'S':'Open'} id=- Type=-"},
        {"{" OK ",'status':{'S':'open'},'G':{'S':'STATUS#open'},'H':{'N':'7.0'}}",
         "already O G={'S':'STATUS#open'}->{'S':'STATUS#open'} H={'N':'7'}->{'N':'7'} Old=-->- "
         "| "
         "status={'S':'open'} id=- Type={'S':'O'}"},
        {"{" OK "}", "filtered O"},
        {"{" OK ",'status':{'NULL':true}}", "skipped O missing-input"},
        {"{" OK ",'status':{'L':[]}}", "failed O template"},
        {"{'PK':{'S':'O#x'},'SK':{'S':'A'},'Type':{'S':'O'},'status':{'S':'a'}}",
         "failed O bad-number"},
        {"{'PK':{'S':'odd'},'SK':{'S':'A'},'Type':{'S':'O'},'status':{'S':'a'}}",
         "failed O key-template"},
        {"{'PK':{'S':'O#7'},'Type':{'S':'O'},'status':{'S':'a'}}", "failed missing-key"},
        {"{" OK ",'ttl':{'N':'1699999999'},'status':{'S':'a'}}", "filtered"},
        {"{'PK':{'S':'1'},'SK':{'S':'A'},'Type':{'S':'P'}}", "skipped P no-backfill"},
        {"{'PK':{'S':'1'},'SK':{'S':'A'},'Type':{'S':'Q'}}", "unrouted"},
        {"{" OK ",'status':{'S':'a'},'id':{'N':'7'}}",
         "changed O G=-->{'S':'STATUS#a'} H=-->{'N':'7'} Old=-->- | status={'S':'a'} "
         "id={'N':'7'} "
         "Type={'S':'O'}"},
        {"{" OK ",'status':{'S':'a'},'id':{'S':'8'}}", "failed O key-mismatch"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t, ORDER, NULL), RC_OK);
    EXPECT(t, CASES);
    assert_int_equal(backfills_make(t, ORDER, TABLE), RC_OK);
    EXPECT(t, CASES);
}

static void test_missing_inputs_fail_where_the_model_says_so(void **state)
{
    static const struct one CASES[] = {
        {"{" OK "}", "failed O missing-input"},
        {"{" OK ",'a':{'M':{}}}", "failed O missing-input"},
        {"{" OK ",'a':{'M':{'b':{'S':'x'}}}}", "changed O G=-->{'S':'x'} | a.b={'S':'x'} "
                                               "Type={'S':'O'}"},
        {"{" OK ",'a':{'M':{'b':{'S':'x'}}},'c':{'N':'1'}}",
         "changed O G=-->{'S':'x#1'} | a.b={'S':'x'} c={'N':'1'} Type={'S':'O'}"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'O':{'table':'o','columns':{'x':'text'},"
                                    "'backfill':{'set':{'G':'{a.b}'},'missing':'fail'}}",
                                    NULL),
                     RC_OK);
    expect_all(t, CASES, 3);
    assert_int_equal(backfills_make(t,
                                    "'O':{'table':'o','columns':{'x':'text'},"
                                    "'backfill':{'G':'{a.b}#{c?}'}}",
                                    NULL),
                     RC_OK);
    expect_all(t, CASES + 3, 1);
}

static void test_types_of_values(void **state)
{
    static const struct one CASES[] = {
        {"{" K ",'v':{'B':'AQI='}}", "changed A b=-->{'B':'AQI='} | v={'B':'AQI='}"},
        {"{" K ",'v':{'S':'AQ'}}", "changed A b=-->{'B':'QVE='} | v={'S':'AQ'}"},
        {"{" K ",'v':{'N':'7'}}", "changed A b=-->{'B':'Nw=='} | v={'N':'7'}"},
        {"{" K ",'n':{'S':'+007.50'}}", "changed B n={'S':'+007.50'}->{'N':'7.5'} | v=-"},
        {"{" K ",'n':{'B':'Nw=='}}", "failed B template"},
        {"{" K ",'n':{'N':'7'}}", "already B n={'N':'7'}->{'N':'7'} | v=-"},
        {"{" K ",'s':{'B':'Nw=='}}", "failed C template"},
        {"{" K ",'s':{'N':'1E2'}}", "changed C t=-->{'S':'100'} | s={'N':'100'} v=- n=-"},
        {"{" K ",'s':{'BOOL':true}}", "changed C t=-->{'S':'true'} | s={'BOOL':true} v=- n=-"},
    };
    struct backfills *t = *state;
    assert_int_equal(
        backfills_make(t,
                       "'A':{'when':{'v':{'exists':true}},'table':'a','columns':{'x':'text'},"
                       "'backfill':{'b':{'type':'B','value':'{v}'}}},"
                       "'B':{'when':{'n':{'exists':true}},'table':'b','columns':{'x':'text'},"
                       "'backfill':{'n':{'type':'N','value':'{n}'}}},"
                       "'C':{'when':{'s':{'exists':true}},'table':'c','columns':{'x':'text'},"
                       "'backfill':{'t':'{s}'}}",
                       NULL),
        RC_OK);
    EXPECT(t, CASES);
}

/* The classic first use: items are known by their keys, and get the type they lack. */
static void test_a_missing_type_is_added(void **state)
{
    static const struct one CASES[] = {
        {"{" K "}", "changed O Type=-->{'S':'O'}"},
        {"{" OK "}", "already O Type={'S':'O'}->{'S':'O'}"},
        {"{'PK':{'S':'O#7'},'SK':{'S':'A'},'Type':{'S':'Ord'}}",
         "changed O Type={'S':'Ord'}->{'S':'O'}"},
        {"{'PK':{'S':'O#7'},'SK':{'S':'B'}}", "unrouted"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'O':{'types':['Ord'],'keys':{'PK':'O#{id}','SK':'A'},"
                                    "'table':'o','primary_key':['id'],'backfill':{'Type':'O'}}",
                                    NULL),
                     RC_OK);
    EXPECT(t, CASES);
}

/* An index key that is both parsed and written: its old value demands nothing. */
static void test_a_key_that_is_written_gives_way(void **state)
{
    static const struct one CASES[] = {
        {"{" OK ",'s':{'S':'new'},'G':{'S':'S#old'}}",
         "changed O G={'S':'S#old'}->{'S':'S#new'} | s={'S':'new'} Type={'S':'O'}"},
        {"{" OK ",'s':{'S':'new'},'G':{'S':'odd'}}",
         "changed O G={'S':'odd'}->{'S':'S#new'} | s={'S':'new'} Type={'S':'O'}"},
        {"{" OK ",'G':{'S':'S#old'}}",
         "already O G={'S':'S#old'}->{'S':'S#old'} | s=- Type={'S':'O'}"},
        {"{" OK ",'G':{'S':'odd'}}", "skipped O missing-input"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'O':{'keys':{'PK':'O#{id}','G':'S#{s}'},'table':'o',"
                                    "'primary_key':['id'],'backfill':{'G':'S#{s}'}}",
                                    NULL),
                     RC_OK);
    EXPECT(t, CASES);
}

static void test_parts_and_attributes_by_preference(void **state)
{
    static const struct one CASES[] = {
        {"{" OK ",'id':{'S':'8'},'G2':{'S':'a'}}",
         "changed O x=-->{'S':'7#a'} | id={'S':'8'} a=- G2={'S':'a'} Type={'S':'O'}"},
        {"{" OK ",'a':{'S':'b'},'G2':{'S':'a'}}",
         "changed O x=-->{'S':'7#b'} | id=- a={'S':'b'} G2={'S':'a'} Type={'S':'O'}"},
        {"{" OK ",'a':{'S':'b'}}",
         "changed O x=-->{'S':'7#b'} | id=- a={'S':'b'} G2=- Type={'S':'O'}"},
    };
    struct backfills *t = *state;
    assert_int_equal(
        backfills_make(
            t,
            "'O':{'keys':{'PK':'O#{id}','G2':'{a}'},'table':'o','primary_key':['id'],"
            "'columns':{'id':'text','a':{'type':'text','prefer':'attribute'}},"
            "'prefer':'part','backfill':{'x':'{id}#{a}'}}",
            NULL),
        RC_OK);
    EXPECT(t, CASES);
}

static void test_conditions_see_parts(void **state)
{
    static const struct one CASES[] = {
        {"{" OK "}", "changed O x=-->{'S':'1'} | y=- id=- Type={'S':'O'}"},
        {"{" OK ",'y':{'S':'b'}}", "filtered O"},
        {"{'PK':{'S':'O#8'},'SK':{'S':'A'},'Type':{'S':'O'}}", "filtered O"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'O':{'keys':{'PK':'O#{id}'},'table':'o','primary_key':"
                                    "['id'],'backfill':{'set':{'x':'1'},'when':{'any':[{'y':"
                                    "'a'},{'y':{'missing':true}}],'id':'7'}}}",
                                    NULL),
                     RC_OK);
    EXPECT(t, CASES);
}

static void test_a_change_that_would_never_settle_fails(void **state)
{
    static const struct one CASES[] = {
        {"{" K ",'a':{'S':'X'}}", "changed A a={'S':'X'}->{'S':'x'}"},
        {"{" K ",'b':{'S':'X'}}", "failed B unstable b={'S':'X'}->{'S':'#X'} | a=-"},
        {"{" K ",'c':{'S':'X'}}", "changed C d=-->{'S':'X'} c={'S':'X'}->- | a=- b=-"},
        {"{" K ",'d':{'S':'X'}}", "unrouted"},
        {"{" K ",'e':{'S':'X'}}", "failed E unstable b=-->{'S':'1'} | a=- c=- e={'S':'X'}"},
        {"{" K ",'f':{'S':'X'}}", "changed F G=-->{'S':'X'} | f={'S':'X'} a=- b=- c=- e=-"},
        {"{" K ",'f':{'S':'X'},'G':{'S':'Y'}}", "filtered F"},
    };
    struct backfills *t = *state;
    assert_int_equal(
        backfills_make(t,
                       "'A':{'when':{'a':{'exists':true}},'table':'a','columns':{'x':'text'},"
                       "'backfill':{'a':'{a|lower}'}},"
                       "'B':{'when':{'b':{'exists':true}},'table':'b','columns':{'x':'text'},"
                       "'backfill':{'b':'#{b}'}},"
                       "'C':{'when':{'c':{'exists':true}},'table':'c','columns':{'x':'text'},"
                       "'backfill':{'d':'{c}','c':null}},"
                       "'E':{'when':{'e':{'exists':true}},'table':'e','columns':{'x':'text'},"
                       "'backfill':{'b':'1'}},"
                       "'F':{'when':{'f':{'exists':true}},'table':'f','columns':{'x':'text'},"
                       "'backfill':{'G':'{f}'},'backfill_when':{'G':{'missing':true}}}",
                       NULL),
        RC_OK);
    EXPECT(t, CASES);
}

static void fill_text(struct buf *b, const char *head, size_t n, const char *tail)
{
    buf_clear(b);
    buf_puts(b, head);
    for (size_t i = 0; i < n; i++)
        buf_putc(b, 'x');
    buf_puts(b, tail);
}

static void test_what_the_service_would_refuse(void **state)
{
    static const struct {
        size_t n;
        const char *entity, *fate, *reason;
    } CASES[] = {
        {1024, "G", "changed", ""},       {1025, "G", "failed", "key-too-long"},
        {2048, "x", "changed", ""},       {2049, "x", "failed", "key-too-long"},
        {0, "G", "failed", "empty-key"},  {0, "H", "failed", "key-type"},
        {0, "free", "changed", ""},       {200000, "free", "changed", ""},
        {204791, "free", "changed", ""},  {204792, "free", "failed", "item-too-large"},
        {204792, "moved", "changed", ""},
    };
    struct backfills *t = *state;
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    assert_int_equal(
        backfills_make(t,
                       "'G':{'table':'a','columns':{'v':'text'},'backfill':{'G':'{v}'}},"
                       "'H':{'table':'b','columns':{'v':'text'},'backfill':{'H':'{v}'}},"
                       "'x':{'table':'c','columns':{'v':'text'},'backfill':{'x':'{v}'}},"
                       "'free':{'table':'d','columns':{'v':'text'},'backfill':{'f':'{v}'}},"
                       "'moved':{'table':'e','columns':{'v':'text'},"
                       "'backfill':{'f':'{v}','v':null}}",
                       TABLE),
        RC_OK);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct item item;
        fill_text(&text, "{" K ",'v':{'S':'", CASES[i].n, "'},'Type':{'S':'");
        buf_addf(&text, "%s'}}", CASES[i].entity);
        struct change c = backfills_apply(t, buf_cstr(&text), &item);
        assert_string_equal(recipe_fate_names[c.fate], CASES[i].fate);
        assert_string_equal(c.why.reason ? c.why.reason : "", CASES[i].reason);
    }
    buf_release(&text);
}

static void test_entities_before_are_part_of_what_was_read(void **state)
{
    static const struct one CASES[] = {
        {"{" K ",'Type':{'S':'C'},'s':{'S':'v'}}",
         "changed C G=-->{'S':'v'} | s={'S':'v'} flag=- Type={'S':'C'}"},
        {"{" K ",'flag':{'S':'no'},'s':{'S':'v'},'K':{'S':'other'}}",
         "changed C G=-->{'S':'v'} | s={'S':'v'} flag={'S':'no'} Type=- K={'S':'other'}"},
        {"{" K ",'flag':{'S':'yes'},'s':{'S':'v'}}", "skipped A no-backfill"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t,
                                    "'A':{'when':{'flag':'yes'},'table':'a'},"
                                    "'B':{'keys':{'K':'B#{k}'},'table':'b'},"
                                    "'C':{'keys':{'PK':'O#{c}'},'table':'c',"
                                    "'backfill':{'G':'{s}'}},"
                                    "'D':{'when':{'later':'1'},'table':'d'}",
                                    TABLE),
                     RC_OK);
    EXPECT(t, CASES);
}

static void test_sizes_before_and_after(void **state)
{
    struct backfills *t = *state;
    struct item item;
    assert_int_equal(backfills_make(t, ORDER, TABLE), RC_OK);
    struct change c =
        backfills_apply(t, "{" K ",'status':{'S':'open'},'Old':{'S':'12345'}}", &item);
    assert_int_equal(c.fate, FATE_CHANGED);
    /* PK O#7, SK A, status open, Old 12345 */
    assert_int_equal(c.size_before, 5 + 3 + 10 + 8);
    /* G STATUS#open, H 7 */
    assert_int_equal(c.size_after, 5 + 3 + 10 + 12 + 3);
}

static void test_what_stands_in_an_item(void **state)
{
    struct backfills *t = *state;
    struct item item;
    assert_int_equal(backfills_make(t, ORDER, NULL), RC_OK);
    struct change c = backfills_apply(t, "{" K ",'status':{'S':'a'},'Old':{'N':'1'}}", &item);
    assert_false(recipe_change_stands(&c, &item, false));
    assert_true(recipe_change_stands(&c, &item, true));
    struct item written = items_item(t->items, "{'G':{'S':'STATUS#a'},'H':{'N':'7'}}");
    assert_true(recipe_change_stands(&c, &written, false));
    assert_false(recipe_change_stands(&c, &written, true));
    struct item half = items_item(t->items, "{'G':{'S':'STATUS#a'},'Old':{'N':'1'}}");
    assert_false(recipe_change_stands(&c, &half, false));
    assert_false(recipe_change_stands(&c, &half, true));
    assert_true(recipe_change_left(&c, &half));
    assert_false(recipe_change_left(&c, &item));
    struct item other = items_item(t->items, "{'G':{'S':'b'},'H':{'N':'8'},'Old':{'N':'2'}}");
    assert_false(recipe_change_left(&c, &other));
}

/* The form that the item has gives the parts; the attributes of all forms are what a write depends
   on. A template of what the backfill itself writes contradicts nothing. */
static void test_key_forms(void **state)
{
    static const char FORMS[] =
        "'O':{'keys':[{'PK':'USER#{id}','SK':'A','x':'X#{id}'},{'PK':'O#{id}'}],'table':'o',"
        "'backfill':{'x':'X#{id}'}}";
    static const struct one CASES[] = {
        {"{" OK "}", "changed O x=-->{'S':'X#7'} | id=- Type={'S':'O'}"},
        {"{'PK':{'S':'USER#7'},'SK':{'S':'A'},'x':{'S':'X#7'}}",
         "already O x={'S':'X#7'}->{'S':'X#7'} | id=- Type=-"},
        {"{'PK':{'S':'USER#7'},'SK':{'S':'A'},'x':{'S':'old'},'Type':{'S':'O'}}",
         "changed O x={'S':'old'}->{'S':'X#7'} | id=- Type={'S':'O'}"},
        {"{'PK':{'S':'Z#7'},'SK':{'S':'A'},'Type':{'S':'O'}}", "failed O key-template"},
    };
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t, FORMS, NULL), RC_OK);
    EXPECT(t, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fates),
        cmocka_unit_test(test_missing_inputs_fail_where_the_model_says_so),
        cmocka_unit_test(test_types_of_values),
        cmocka_unit_test(test_a_missing_type_is_added),
        cmocka_unit_test(test_a_key_that_is_written_gives_way),
        cmocka_unit_test(test_parts_and_attributes_by_preference),
        cmocka_unit_test(test_conditions_see_parts),
        cmocka_unit_test(test_a_change_that_would_never_settle_fails),
        cmocka_unit_test(test_what_the_service_would_refuse),
        cmocka_unit_test(test_entities_before_are_part_of_what_was_read),
        cmocka_unit_test(test_sizes_before_and_after),
        cmocka_unit_test(test_what_stands_in_an_item),
        cmocka_unit_test(test_key_forms),
    };
    return cmocka_run_group_tests(tests, backfills_set_up, backfills_tear_down);
}
