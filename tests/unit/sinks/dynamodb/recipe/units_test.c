/* SPDX-License-Identifier: MIT */
/* Write units of a change: the table's, and those of each index it touches. */
#include "sinks/dynamodb/recipe/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/harness/backfills.h"

#define SCHEMA                                                                                 \
    "'KeySchema':[{'AttributeName':'PK','KeyType':'HASH'},{'AttributeName':'SK','KeyType':"    \
    "'RANGE'}],'AttributeDefinitions':[{'AttributeName':'PK','AttributeType':'S'},"            \
    "{'AttributeName':'SK','AttributeType':'S'},{'AttributeName':'G','AttributeType':'S'},"    \
    "{'AttributeName':'H','AttributeType':'N'}]"
#define INDEX(name, projection)                                                                \
    "{'IndexName':'" name "','KeySchema':[{'AttributeName':'G','KeyType':'HASH'},"             \
    "{'AttributeName':'H','KeyType':'RANGE'}],'Projection':{'ProjectionType':" projection "}}"
#define INDEXES(list)  SCHEMA ",'GlobalSecondaryIndexes':[" list "]"
#define ENTITY(fields) "'A':{'backfill':{" fields "}}"

static const char SETS_BOTH[] = ENTITY("'G':'{a}','H':{'type':'N','value':'{n}'}");
static const char REMOVES[] = ENTITY("'G':null");
static const char OTHER[] = ENTITY("'o':'{a}'");

static const char NONE[] = SCHEMA;
static const char ALL[] = INDEXES(INDEX("g", "'ALL'"));
static const char KEYS[] = INDEXES(INDEX("g", "'KEYS_ONLY'"));
static const char INCLUDE[] = INDEXES(INDEX("g", "'INCLUDE','NonKeyAttributes':['o']"));
static const char TWO[] = INDEXES(INDEX("g", "'ALL'") "," INDEX("h", "'KEYS_ONLY'"));
static const char LOCAL[] =
    SCHEMA ",'LocalSecondaryIndexes':[{'IndexName':'l','KeySchema':[{'AttributeName':'PK',"
           "'KeyType':'HASH'},{'AttributeName':'o','KeyType':'RANGE'}],'Projection':{"
           "'ProjectionType':'ALL'}}]";

/* An item with `bytes` of payload, and what its change costs. */
static struct units cost(struct backfills *t, const char *attributes, size_t bytes)
{
    struct buf text;
    struct item item;
    buf_init(&text, BUF_NO_LIMIT);
    buf_addf(&text, "{'PK':{'S':'p'},'SK':{'S':'s'},'Type':{'S':'A'}%s,'load':{'S':'",
             attributes);
    for (size_t i = 0; i < bytes; i++)
        buf_putc(&text, 'x');
    buf_puts(&text, "'}}");
    struct change c = backfills_apply(t, buf_cstr(&text), &item);
    assert_int_equal(c.fate, FATE_CHANGED);
    buf_release(&text);
    return units_of(&t->table, &item, &c);
}

#define AN  ",'a':{'S':'v'},'n':{'N':'1'}"
#define GH  ",'G':{'S':'w'},'H':{'N':'2'}"
#define GH1 ",'G':{'S':'w'},'H':{'N':'1'}"

static void test_costs(void **state)
{
    static const struct {
        const char *model, *table, *attributes;
        size_t load;
        uint64_t units, indexes;
    } CASES[] = {
        {SETS_BOTH, NONE, AN, 10, 1, 0},
        {SETS_BOTH, NONE, AN, 2000, 2, 0},
        {SETS_BOTH, ALL, AN, 10, 1, 1},                  /* a new entry */
        {SETS_BOTH, ALL, AN, 2000, 2, 2},                /* by its size */
        {SETS_BOTH, KEYS, AN, 2000, 2, 1},               /* keys alone are small */
        {SETS_BOTH, INCLUDE, AN, 2000, 2, 1},            /* load is not included */
        {SETS_BOTH, TWO, AN, 2000, 2, 3},                /* each index by its own entry */
        {SETS_BOTH, ALL, AN GH, 2000, 2, 4},             /* another key: one out, one in */
        {SETS_BOTH, ALL, AN GH1, 10, 1, 2},              /* half of a key is a key */
        {SETS_BOTH, ALL, AN ",'G':{'S':'w'}", 10, 1, 1}, /* was not in the index */
        {SETS_BOTH, ALL, AN ",'G':{'S':'w'},'H':{'S':'1'}", 10, 1, 1}, /* nor by that type */
        {REMOVES, ALL, GH, 2000, 2, 2},                                /* the entry goes */
        {REMOVES, ALL, ",'G':{'S':'w'}", 2000, 2, 0},                  /* there was none */
        {OTHER, ALL, AN GH, 2000, 2, 2},  /* a projected attribute: one write */
        {OTHER, ALL, AN, 2000, 2, 0},     /* the item is not in the index */
        {OTHER, KEYS, AN GH, 2000, 2, 0}, /* the attribute is not */
        {OTHER, INCLUDE, AN GH, 2000, 2, 1},
        {OTHER, LOCAL, AN, 2000, 4, 0},
        {OTHER, LOCAL, AN ",'o':{'S':'x'}", 10, 3, 0},
    };
    struct backfills *t = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(backfills_make(t, CASES[i].model, CASES[i].table), RC_OK);
        struct units u = cost(t, CASES[i].attributes, CASES[i].load);
        if (u.table != CASES[i].units || u.indexes != CASES[i].indexes) {
            fail_msg("case %zu: %llu and %llu units", i, (unsigned long long)u.table,
                     (unsigned long long)u.indexes);
        }
    }
}

static void test_bytes_to_units(void **state)
{
    (void)state;
    assert_int_equal(units_for(0), 1);
    assert_int_equal(units_for(1024), 1);
    assert_int_equal(units_for(1025), 2);
    assert_int_equal(units_for(409600), 400);
}

/* The larger of the two sizes counts, also where the item shrinks. */
static void test_table_units_by_the_larger_size(void **state)
{
    struct backfills *t = *state;
    assert_int_equal(backfills_make(t, ENTITY("'load':null"), NONE), RC_OK);
    assert_int_equal(cost(t, "", 3000).table, 3);
    assert_int_equal(backfills_make(t, ENTITY("'o':'{load}'"), NONE), RC_OK);
    /* PK p, SK s, Type A, load, o */
    assert_int_equal(cost(t, "", (2048 - 3 - 3 - 5 - 4 - 1) / 2).table, 2);
    assert_int_equal(cost(t, "", (2048 - 3 - 3 - 5 - 4 - 1) / 2 + 1).table, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_bytes_to_units),
        cmocka_unit_test(test_table_units_by_the_larger_size),
    };
    return cmocka_run_group_tests(tests, backfills_set_up, backfills_tear_down);
}
