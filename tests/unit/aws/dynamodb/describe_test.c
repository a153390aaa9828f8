/* SPDX-License-Identifier: MIT */
/* DescribeTable as the service and the emulators answer it. */
#include "pipeline/aws/dynamodb/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char FULL[] =
    "{\"Table\":{\"AttributeDefinitions\":[{\"AttributeName\":\"PK\",\"AttributeType\":\"S\"},"
    "{\"AttributeName\":\"SK\",\"AttributeType\":\"N\"},{\"AttributeName\":\"G\","
    "\"AttributeType\":\"B\"}],\"TableName\":\"shop\",\"KeySchema\":[{\"AttributeName\":\"SK\","
    "\"KeyType\":\"RANGE\"},{\"AttributeName\":\"PK\",\"KeyType\":\"HASH\"}],\"TableStatus\":"
    "\"ACTIVE\",\"CreationDateTime\":1.421866952062E9,\"ProvisionedThroughput\":{"
    "\"NumberOfDecreasesToday\":0,\"ReadCapacityUnits\":0,\"WriteCapacityUnits\":0},"
    "\"TableSizeBytes\":987654321012,\"ItemCount\":123456789,\"TableArn\":\"arn:t\","
    "\"TableId\":"
    "\"11991185-e7ab\",\"BillingModeSummary\":{\"BillingMode\":\"PAY_PER_REQUEST\"},"
    "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"g1\",\"KeySchema\":[{\"AttributeName\":\"G\","
    "\"KeyType\":\"HASH\"},{\"AttributeName\":\"X\",\"KeyType\":\"RANGE\"}],\"Projection\":{"
    "\"ProjectionType\":\"INCLUDE\",\"NonKeyAttributes\":[\"a\",\"b\"]},\"IndexStatus\":"
    "\"ACTIVE\",\"Backfilling\":true,\"IndexSizeBytes\":7,\"ItemCount\":3,"
    "\"OnDemandThroughput\":{\"MaxReadRequestUnits\":5,\"MaxWriteRequestUnits\":-1}}],"
    "\"LocalSecondaryIndexes\":[{\"IndexName\":\"l1\",\"KeySchema\":[{\"AttributeName\":\"PK\","
    "\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
    "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"NEW_IMAGE\"},"
    "\"Replicas\":[{\"RegionName\":\"eu-west-1\"},{\"RegionName\":\"us-east-1\"}],"
    "\"TableClassSummary\":{\"TableClass\":\"STANDARD\"},\"OnDemandThroughput\":{"
    "\"MaxReadRequestUnits\":1000},\"WarmThroughput\":{\"ReadUnitsPerSecond\":12000,"
    "\"WriteUnitsPerSecond\":4000,\"Status\":\"ACTIVE\"},\"NewIn2030\":[1,{}]}}";

static void key_is(const struct dynamodb_key *k, const char *name, char type, bool range)
{
    assert_true(str_is(k->name, name));
    assert_int_equal(k->type, type);
    assert_int_equal(k->range, range);
}

static void read_table(const char *json, struct arena *arena, struct dynamodb_table *out)
{
    struct err err = {0};
    assert_int_equal(dynamodb_table_read(out, str_of(json), arena, &err), RC_OK);
}

static void test_full_answer(void **state)
{
    struct arena *arena = *state;
    struct dynamodb_table t;
    read_table(FULL, arena, &t);
    assert_true(str_is(t.name, "shop"));
    assert_true(str_is(t.id, "11991185-e7ab"));
    assert_true(str_is(t.status, "ACTIVE"));
    assert_true(str_is(t.class, "STANDARD"));
    assert_int_equal(t.schema.n, 2);
    key_is(&t.schema.keys[0], "PK", 'S', false);
    key_is(&t.schema.keys[1], "SK", 'N', true);
    assert_int_equal(t.items, 123456789);
    assert_int_equal(t.bytes, 987654321012);
    assert_int_equal(t.created_us / 1000, INT64_C(1421866952062));
    assert_true(t.on_demand);
    assert_int_equal(t.capacity.read, 0);
    assert_int_equal(t.capacity.max_read, 1000);
    assert_int_equal(t.capacity.max_write, -1);
    assert_int_equal(t.capacity.warm_read, 12000);
    assert_true(t.stream);
    assert_int_equal(t.n_replicas, 2);
    assert_true(str_is(t.replicas[1], "us-east-1"));
}

static void test_indexes(void **state)
{
    struct arena *arena = *state;
    struct dynamodb_table t;
    read_table(FULL, arena, &t);
    assert_int_equal(t.n_indexes, 2);
    const struct dynamodb_index *g = dynamodb_table_index(&t, STR("g1"));
    const struct dynamodb_index *l = dynamodb_table_index(&t, STR("l1"));
    assert_non_null(g);
    assert_non_null(l);
    assert_null(dynamodb_table_index(&t, STR("g")));
    assert_true(g->global);
    assert_true(g->backfilling);
    assert_int_equal(g->projection, DDB_PROJECT_INCLUDE);
    assert_int_equal(g->n_attributes, 2);
    assert_true(str_is(g->attributes[1], "b"));
    key_is(&g->schema.keys[0], "G", 'B', false);
    key_is(&g->schema.keys[1], "X", '?', true); /* not defined: told as such */
    assert_int_equal(g->capacity.max_read, 5);
    assert_int_equal(g->capacity.warm_read, -1);
    assert_int_equal(g->items, 3);
    assert_false(l->global);
    assert_int_equal(l->projection, DDB_PROJECT_KEYS);
    assert_int_equal(l->n_attributes, 0);
}

static void test_least_answer(void **state)
{
    struct arena *arena = *state;
    struct dynamodb_table t;
    const char *json =
        "{\"Table\":{\"TableName\":\"t\",\"KeySchema\":[{\"AttributeName\":\"k\","
        "\"KeyType\":\"HASH\"}],\"AttributeDefinitions\":[{\"AttributeName\":"
        "\"k\",\"AttributeType\":\"N\"}],\"ProvisionedThroughput\":{"
        "\"ReadCapacityUnits\":10,\"WriteCapacityUnits\":5},\"ItemCount\":null}}";
    read_table(json, arena, &t);
    assert_false(t.on_demand);
    assert_int_equal(t.capacity.read, 10);
    assert_int_equal(t.capacity.write, 5);
    assert_int_equal(t.items, 0);
    assert_int_equal(t.n_indexes, 0);
    assert_int_equal(t.created_us, 0);
    assert_false(t.stream);
}

static void test_answers_that_describe_nothing(void **state)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "{}",
                                      "{\"Table\":{}}",
                                      "{\"Table\":{\"TableName\":\"t\",\"KeySchema\":[]}}",
                                      "{\"Table\":\"x\"}"};
    struct arena *arena = *state;
    struct err err = {0};
    struct dynamodb_table t;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(dynamodb_table_read(&t, str_of(bad[i]), arena, &err), RC_SOURCE);
}

int main(void)
{
    struct arena arena;
    arena_init(&arena, 1024);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_full_answer, &arena),
        cmocka_unit_test_prestate(test_indexes, &arena),
        cmocka_unit_test_prestate(test_least_answer, &arena),
        cmocka_unit_test_prestate(test_answers_that_describe_nothing, &arena),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&arena);
    return failed;
}
