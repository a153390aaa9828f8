/* SPDX-License-Identifier: MIT */
/* The texts of the requests, and what is read from answers. */
#include "sinks/dynamodb/writer/update.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/recipe/change.h"

struct fixture {
    struct arena arena;
    struct decoder *decoder;
    struct buf out;
    struct err err;
};

static int set_up(void **state)
{
    static struct fixture f;
    arena_init(&f.arena, 4096);
    buf_init(&f.out, BUF_NO_LIMIT);
    f.decoder = decoder_new();
    *state = &f;
    return f.decoder ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_release(&f->arena);
    buf_release(&f->out);
    decoder_free(f->decoder);
    return 0;
}

static struct item item_of(struct fixture *f, const char *json)
{
    struct item item = {0};
    struct fault why = {0};
    assert_int_equal(item_decode(f->decoder, str_of(json), &f->arena, &item, &why), RC_OK);
    return item;
}

static void test_key_keeps_numbers_and_bytes_as_they_came(void **state)
{
    struct fixture *f = *state;
    struct item item = item_of(f, "{\"x\":{\"S\":\"1\"},\"n\":{\"N\":\"1.50E+2\"},"
                                  "\"b\":{\"B\":\"AAE=\"},\"s\":{\"S\":\"a\\\"b\"}}");
    struct str nb[] = {STR("n"), STR("b")}, s[] = {STR("s")};
    assert_int_equal(update_key(&f->out, &item, &(struct names){nb, 2}, &f->err), RC_OK);
    assert_string_equal(buf_cstr(&f->out),
                        "{\"n\":{\"N\":\"1.50E+2\"},\"b\":{\"B\":\"AAE=\"}}");
    buf_clear(&f->out);
    assert_int_equal(update_key(&f->out, &item, &(struct names){s, 1}, &f->err), RC_OK);
    assert_string_equal(buf_cstr(&f->out), "{\"s\":{\"S\":\"a\\\"b\"}}");
}

static struct path path_of(struct fixture *f, const char *text)
{
    struct path p;
    assert_int_equal(path_parse(str_of(text), &f->arena, &p), RC_OK);
    return p;
}

static void test_condition_names_all_that_was_read(void **state)
{
    struct fixture *f = *state;
    struct item item =
        item_of(f, "{\"a\":{\"S\":\"1\"},\"b\":{\"S\":\"2\"},\"c\":{\"N\":\"3\"}}");
    const struct val *one = item_get(&item, STR("a")), *two = item_get(&item, STR("b"));
    struct setting targets[] = {{path_of(f, "new"), NULL, one},
                                {path_of(f, "right"), two, two},
                                {path_of(f, "old"), two, NULL},
                                {path_of(f, "absent"), NULL, NULL}};
    struct setting reads[] = {{path_of(f, "m.k"), item_get(&item, STR("c")), NULL},
                              {path_of(f, "gone"), NULL, NULL}};
    struct change c = {.targets = targets, .ntargets = 4, .reads = reads, .nreads = 2};
    update_write(&f->out, STR("t"), STR("pk"), STR("{K}"), &c);
    assert_string_equal(
        buf_cstr(&f->out),
        "{\"TableName\":\"t\",\"Key\":{K},\"UpdateExpression\":\"SET #t0_0 = :n0 REMOVE "
        "#t2_0\","
        "\"ConditionExpression\":\"attribute_exists(#p) AND attribute_not_exists(#t0_0)"
        " AND #t1_0 = :t1 AND #t2_0 = :t2 AND attribute_not_exists(#t3_0)"
        " AND #r0_0.#r0_1 = :r0 AND attribute_not_exists(#r1_0)\","
        "\"ExpressionAttributeNames\":{\"#p\":\"pk\",\"#t0_0\":\"new\",\"#t1_0\":\"right\","
        "\"#t2_0\":\"old\",\"#t3_0\":\"absent\",\"#r0_0\":\"m\",\"#r0_1\":\"k\",\"#r1_0\":"
        "\"gone\"},"
        "\"ExpressionAttributeValues\":{\":n0\":{\"S\":\"1\"}, \":t1\":{\"S\":\"2\"}, "
        "\":t2\":{\"S\":\"2\"}, \":r0\":{\"N\":\"3\"}},"
        "\"ReturnConsumedCapacity\":\"INDEXES\","
        "\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"}");
}

static void test_removal_of_nothing_known_has_no_values(void **state)
{
    struct fixture *f = *state;
    struct setting t = {path_of(f, "x"), NULL, NULL};
    struct change c = {.targets = &t, .ntargets = 1};
    update_write(&f->out, STR("t"), STR("pk"), STR("{}"), &c);
    assert_null(strstr(buf_cstr(&f->out), "ExpressionAttributeValues"));
}

static void test_answer_tells_units_and_item(void **state)
{
    struct fixture *f = *state;
    struct update_answer a;
    const char *json =
        "{\"ConsumedCapacity\":{\"CapacityUnits\":3.5,\"Table\":{\"CapacityUnits\":"
        "2.0},\"LocalSecondaryIndexes\":{\"l\":{\"CapacityUnits\":1}},"
        "\"GlobalSecondaryIndexes\":{\"a\":{\"CapacityUnits\":1},\"b\":{"
        "\"CapacityUnits\":0.5}}},\"Item\":{\"n\":{\"N\":\"1.50\"}}}";
    assert_int_equal(update_answer_read(&f->out, str_of(json), &a, &f->err), RC_OK);
    assert_true(a.item);
    assert_string_equal(buf_cstr(&f->out), "{\"n\":{\"N\":\"1.50\"}}");
    assert_int_equal(a.total, 7 * BUDGET_UNIT / 2);
    assert_int_equal(a.table, 3 * BUDGET_UNIT);
    assert_int_equal(a.indexes, 3 * BUDGET_UNIT / 2);
    assert_int_equal(update_answer_read(&f->out, STR("{}"), &a, &f->err), RC_OK);
    assert_false(a.item);
    assert_int_equal(a.table, -1);
    assert_int_equal(update_answer_read(&f->out, STR("<html>"), &a, &f->err), RC_TRANSIENT);
}

static void test_copy_outlives_its_origin(void **state)
{
    struct fixture *f = *state;
    struct arena origin;
    struct fault why = {0};
    struct item item = {0};
    char text[] = "{\"m\":{\"M\":{\"l\":{\"L\":[{\"S\":\"deep\"},{\"NS\":[\"1\",\"2\"]}]}}}}";
    arena_init(&origin, 4096);
    assert_int_equal(item_decode(f->decoder, str_of(text), &origin, &item, &why), RC_OK);
    struct setting t = {path_of(f, "m"), item_get(&item, STR("m")), NULL};
    struct change copy, c = {.fate = FATE_CHANGED, .targets = &t, .ntargets = 1};
    assert_int_equal(change_copy(&c, &f->arena, &copy), RC_OK);
    memset(text, 'x', sizeof text - 1);
    arena_release(&origin);
    update_write(&f->out, STR("t"), STR("p"), STR("{}"), &copy);
    assert_non_null(
        strstr(buf_cstr(&f->out),
               "{\"M\":{\"l\":{\"L\":[{\"S\":\"deep\"},{\"NS\":[\"1\",\"2\"]}]}}}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_key_keeps_numbers_and_bytes_as_they_came, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_condition_names_all_that_was_read, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_removal_of_nothing_known_has_no_values, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_answer_tells_units_and_item, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_copy_outlives_its_origin, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
