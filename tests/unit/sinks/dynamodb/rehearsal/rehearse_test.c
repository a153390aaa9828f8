/* SPDX-License-Identifier: MIT */
/* What a rehearsal gathers and says. */
#include "sinks/dynamodb/rehearsal/rehearse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/harness/backfills.h"

#define KEYS                                                                                   \
    "'KeySchema':[{'AttributeName':'PK','KeyType':'HASH'},{'AttributeName':'SK','KeyType':"    \
    "'RANGE'}],'AttributeDefinitions':[{'AttributeName':'PK','AttributeType':'S'},"            \
    "{'AttributeName':'SK','AttributeType':'S'},{'AttributeName':'GSI1PK','AttributeType':"    \
    "'S'},{'AttributeName':'GSI1SK','AttributeType':'N'}]"
#define INDEX(name, more)                                                                      \
    "{'IndexName':'" name "','KeySchema':[{'AttributeName':'GSI1PK','KeyType':'HASH'},"        \
    "{'AttributeName':'GSI1SK','KeyType':'RANGE'}],'Projection':{'ProjectionType':'ALL'}" more \
    "}"

static const char MODEL[] =
    "'O':{'table':'o','columns':{'x':'text'},"
    "'backfill':{'GSI1PK':'S#{s}','GSI1SK':{'type':'N','value':'{n}'},'Old':null}},"
    "'P':{'table':'p','columns':{'x':'text'},"
    "'backfill':{'GSI2PK':'{s}','GSI2SK':'{n}'}},"
    "'Q':{'table':'q','columns':{'x':'text'}}";
static const char TABLE[] = KEYS ",'GlobalSecondaryIndexes':[" INDEX("g", "") "]";

static void add(struct backfills *t, struct rehearse *r, const char *text)
{
    struct item item;
    struct err err = {0};
    struct change c = backfills_apply(t, text, &item);
    assert_int_equal(rehearse_add(r, &item, &c, &err), RC_OK);
}

#define ITEM(type, more) "{'PK':{'S':'p'},'SK':{'S':'s'},'Type':{'S':'" type "'}" more "}"

static void add_some(struct backfills *t, struct rehearse *r)
{
    add(t, r, ITEM("O", ",'s':{'S':'a'},'n':{'N':'1'},'Old':{'S':'x'}"));
    add(t, r, ITEM("O", ",'s':{'S':'a'},'n':{'N':'2'}"));
    add(t, r,
        ITEM("O", ",'s':{'S':'b'},'n':{'N':'2'},'GSI1PK':{'S':'S#b'},'GSI1SK':{'N':'2'}"));
    add(t, r, ITEM("O", ",'s':{'S':'b'}"));
    add(t, r, ITEM("O", ",'s':{'S':'b'},'n':{'S':'x'}"));
    add(t, r, ITEM("Q", ""));
    add(t, r, ITEM("Z", ""));
}

static void test_what_is_gathered(void **state)
{
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t, MODEL, TABLE), RC_OK);
    struct rehearse *r = rehearse_new(t->plan, &t->table);
    assert_non_null(r);
    add_some(t, r);
    const struct rehearse_entity *e = rehearse_entity(r, 0);
    assert_int_equal(e->fates[FATE_CHANGED], 2);
    assert_int_equal(e->fates[FATE_ALREADY], 1);
    assert_int_equal(e->fates[FATE_SKIPPED], 1);
    assert_int_equal(e->fates[FATE_FAILED], 1);
    assert_int_equal(e->nreasons, 2);
    assert_string_equal(e->reasons[0].reason, "missing-input");
    assert_string_equal(e->reasons[1].reason, "bad-number");
    assert_string_equal(e->reasons[1].example, "\"GSI1SK\": \"x\" is no number");
    assert_int_equal(e->units.table, 2);
    assert_int_equal(e->units.indexes, 2);
    assert_int_equal(e->npairs, 2);
    assert_string_equal(e->pairs[0].key, "{\"PK\":{\"S\":\"p\"},\"SK\":{\"S\":\"s\"}}");
    assert_string_equal(e->pairs[0].before, "{\"Old\":{\"S\":\"x\"}}");
    assert_string_equal(e->pairs[0].after,
                        "{\"GSI1PK\":{\"S\":\"S#a\"},\"GSI1SK\":{\"N\":\"1\"}}");
    assert_int_equal(e->nspreads, 1);
    assert_true(str_is(e->spreads[0].attribute, "GSI1PK"));
    assert_true(str_is(e->spreads[0].index, "g"));
    assert_int_equal(e->spreads[0].values, 3);
    assert_int_equal(e->spreads[0].distinct, 2);
    assert_string_equal(e->spreads[0].top[0].text, "S#a");
    assert_int_equal(e->spreads[0].top[0].count, 2);
    assert_int_equal(e->spreads[0].top[0].units, 2);
    assert_int_equal(e->spreads[0].top[1].units, 0); /* right already */
    assert_int_equal(rehearse_entity(r, 2)->fates[FATE_SKIPPED], 1);
    assert_int_equal(rehearse_entity(r, 3)->fates[FATE_UNROUTED], 1);
    rehearse_free(r);
}

static void test_parts_merged_are_the_whole(void **state)
{
    struct backfills *t = *state;
    struct err err = {0};
    assert_int_equal(backfills_make(t, MODEL, TABLE), RC_OK);
    struct rehearse *a = rehearse_new(t->plan, &t->table),
                    *b = rehearse_new(t->plan, &t->table);
    assert_true(a && b);
    add_some(t, b);
    assert_int_equal(rehearse_merge(a, b, &err), RC_OK); /* into an empty one */
    assert_int_equal(rehearse_merge(a, b, &err), RC_OK);
    const struct rehearse_entity *e = rehearse_entity(a, 0);
    assert_int_equal(e->fates[FATE_CHANGED], 4);
    assert_int_equal(e->nreasons, 2);
    assert_int_equal(e->reasons[0].count, 2);
    assert_int_equal(e->npairs, REHEARSE_PAIRS);
    assert_int_equal(e->units.indexes, 4);
    assert_int_equal(e->bytes, 2 * rehearse_entity(b, 0)->bytes);
    assert_int_equal(e->spreads[0].values, 6);
    assert_int_equal(e->spreads[0].distinct, 2);
    assert_int_equal(e->spreads[0].top[0].units, 4);
    assert_int_equal(rehearse_entity(a, 3)->fates[FATE_UNROUTED], 2);
    rehearse_free(a);
    rehearse_free(b);
}

static void add_long(struct backfills *t, struct rehearse *r, size_t s, size_t n)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_puts(&text, "{'PK':{'S':'p'},'SK':{'S':'s'},'Type':{'S':'P'},'s':{'S':'");
    for (size_t i = 0; i < s; i++)
        buf_putc(&text, 'x');
    buf_puts(&text, "'},'n':{'S':'");
    for (size_t i = 0; i < n; i++)
        buf_putc(&text, 'y');
    buf_puts(&text, "'}}");
    add(t, r, buf_cstr(&text));
    buf_release(&text);
}

/* No index yet: names tell, nothing fails. */
static void test_keys_of_an_index_to_come(void **state)
{
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t, MODEL, NULL), RC_OK);
    struct rehearse *r = rehearse_new(t->plan, NULL);
    assert_non_null(r);
    add_long(t, r, 2048, 1024);
    add_long(t, r, 2049, 1);
    add_long(t, r, 1, 1025);
    add_long(t, r, 3000, 3000);
    add_long(t, r, 0, 1);
    const struct rehearse_entity *e = rehearse_entity(r, 1);
    assert_int_equal(e->fates[FATE_CHANGED], 5);
    assert_int_equal(e->long_keys, 3);
    assert_int_equal(e->empty_keys, 1);
    assert_int_equal(e->units.indexes, 0);
    assert_int_equal(e->nspreads, 1);
    assert_true(str_is(e->spreads[0].attribute, "GSI2PK"));
    assert_int_equal(e->spreads[0].index.n, 0);
    rehearse_free(r);
}

static void test_reasons_have_so_many_places(void **state)
{
    static const char *const REASONS[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                          "k", "l", "m", "n", "o", "p", "q", "r", "s"};
    struct backfills *t = *state;
    struct err err = {0};
    struct item none = {0};
    assert_int_equal(backfills_make(t, MODEL, NULL), RC_OK);
    struct rehearse *r = rehearse_new(t->plan, NULL);
    assert_non_null(r);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++) {
            struct change c = {
                .fate = FATE_FAILED, .entity = UINT32_MAX, .why.reason = REASONS[i]};
            assert_int_equal(rehearse_add(r, &none, &c, &err), RC_OK);
        }
    }
    const struct rehearse_entity *e = rehearse_entity(r, 3);
    assert_int_equal(e->nreasons, REHEARSE_REASONS);
    assert_string_equal(e->reasons[14].reason, "o");
    assert_int_equal(e->reasons[14].count, 2);
    assert_string_equal(e->reasons[15].reason, "other");
    assert_int_equal(e->reasons[15].count, 8);
    rehearse_free(r);
}

static void test_which_targets_are_partition_keys(void **state)
{
    static const struct {
        const char *name;
        uint32_t spreads;
    } CASES[] = {{"GSI1PK", 1},        {"gsi1pk", 1}, {"by_pk", 1},  {"HashKey", 1},
                 {"partition_key", 1}, {"GSI9SK", 0}, {"gsi9sk", 0}, {"sortKey", 0},
                 {"Task", 0},          {"Type", 0},   {"status", 0}, {"Listed", 1}};
    struct backfills *t = *state;
    struct buf model;
    buf_init(&model, 4096);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        buf_clear(&model);
        buf_addf(&model, "'O':{'backfill':{'%s':'%s'}}", CASES[i].name,
                 i == 9 ? "O" : "{x}"); /* a type must lead back */
        assert_int_equal(backfills_make(t, buf_cstr(&model), NULL), RC_OK);
        struct str listed[] = {STR("List*"), STR("Type"), STR("GSI9*")};
        t->plan->indexing = (struct names){listed, 3};
        struct rehearse *r = rehearse_new(t->plan, NULL);
        assert_non_null(r);
        assert_int_equal(rehearse_entity(r, 0)->nspreads, CASES[i].spreads);
        rehearse_free(r);
    }
    buf_release(&model);
}

static const char *warnings(struct backfills *t, struct buf *out, int pitr)
{
    buf_clear(out);
    rehearse_warnings(t->plan, &t->table, pitr, 1234567, out);
    return buf_cstr(out);
}

static void test_warnings(void **state)
{
    static const char BUSY[] =
        KEYS ",'GlobalSecondaryIndexes':[" INDEX("g", ",'IndexStatus':'CREATING'") "," INDEX(
            "h", "") "],'StreamSpecification':{'StreamEnabled':true},'Replicas':["
                     "{'RegionName':'eu-west-1'},{'RegionName':'us-east-1'}]";
    struct backfills *t = *state;
    struct buf out;
    buf_init(&out, 8192);
    assert_int_equal(backfills_make(t, "'O':{'backfill':{'GSI1PK':'{x}','Type':'O'}}", TABLE),
                     RC_OK);
    assert_string_equal(warnings(t, &out, 1), "");
    assert_string_equal(
        warnings(t, &out, 0),
        "warning: point-in-time recovery is off: only the journal knows the old values\n");
    assert_int_equal(backfills_make(t,
                                    "'O':{'backfill':{'GSI1PK':'{x}','GSI1SK':'{y}',"
                                    "'GSI2PK':'1'}},"
                                    "'P':{'backfill':{'GSI1PK':null,'GSI2PK':'2'}}",
                                    BUSY),
                     RC_OK);
    assert_string_equal(
        warnings(t, &out, -1),
        "warning: the table has a stream: 1,234,567 records will reach its consumers\n"
        "warning: the table has replicas (eu-west-1, us-east-1): every write is repeated and "
        "paid there\n"
        "warning: it could not be asked whether point-in-time recovery is on\n"
        "warning: \"GSI1PK\" is a key of 2 indexes (g, h): each of them will change\n"
        "warning: index \"g\" wants \"GSI1SK\" to be of type N, the model writes S: such items "
        "would fail\n"
        "warning: index \"h\" wants \"GSI1SK\" to be of type N, the model writes S: such items "
        "would fail\n"
        "warning: \"GSI1SK\" is a key of 2 indexes (g, h): each of them will change\n"
        "warning: no index has \"GSI2PK\" as a key\n"
        "warning: \"GSI1PK\" is a key of index \"g\": without it an item leaves the index\n"
        "warning: \"GSI1PK\" is a key of index \"h\": without it an item leaves the index\n"
        "warning: index \"g\" is still being built\n");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_gathered),
        cmocka_unit_test(test_parts_merged_are_the_whole),
        cmocka_unit_test(test_keys_of_an_index_to_come),
        cmocka_unit_test(test_reasons_have_so_many_places),
        cmocka_unit_test(test_which_targets_are_partition_keys),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, backfills_set_up, backfills_tear_down);
}
