/* SPDX-License-Identifier: MIT */
/* Answers to Scan: what is taken from them, and which are not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/source/table/scan_private.h"

struct given {
    struct page page;
    struct scan_answer answer;
    struct err err;
};

static enum rc give(struct given *g, const char *body)
{
    page_init(&g->page, 1 << 20);
    g->err = (struct err){0};
    return scan_answer_read(str_of(body), &g->page, &g->answer, &g->err);
}

static void test_a_page_in_the_middle(void **state)
{
    (void)state;
    struct given g;
    assert_int_equal(
        give(&g, "{\"Count\":2,\"ScannedCount\":5,\"Items\":[{\"a\":{\"S\":\"x\"}},{}],"
                 "\"LastEvaluatedKey\":{\"PK\": {\"S\":\"\\u00e9\"}},"
                 "\"ConsumedCapacity\":{\"TableName\":\"t\",\"CapacityUnits\":1.5}}"),
        RC_OK);
    assert_int_equal(g.page.nextents, 2);
    assert_int_equal(g.page.scanned_out, 3);
    assert_false(g.page.last);
    assert_true(str_is(buf_view(&g.page.resume), "{\"PK\": {\"S\":\"\\u00e9\"}}"));
    assert_int_equal(g.answer.units, BUDGET_UNIT * 3 / 2);
    assert_int_equal(g.answer.largest_item, 15);
    page_release(&g.page);
}

static void test_the_last_page(void **state)
{
    (void)state;
    struct given g;
    assert_int_equal(give(&g, "{\"Count\":0,\"ScannedCount\":0,\"Items\":[]}"), RC_OK);
    assert_true(g.page.last);
    assert_int_equal(g.page.resume.len, 0);
    assert_int_equal(g.answer.units, -1);
    page_release(&g.page);
}

static void refused(const char *body)
{
    struct given g;
    assert_int_equal(give(&g, body), RC_TRANSIENT);
    assert_true(g.err.msg[0] != '\0');
    page_release(&g.page);
}

static void test_damaged_answers_are_refused(void **state)
{
    (void)state;
    refused("{\"Count\":1,\"ScannedCount\":1,\"Items\":[]}");
    refused("{\"Count\":1,\"ScannedCount\":0,\"Items\":[{}]}");
    refused("{\"Count\":1,\"ScannedCount\":1,\"Items\":[{\"a\":{\"S\":\"\x01\"}}]}");
    refused("{\"Count\":1,\"ScannedCount\":1,\"Items\":[{\"a\":{\"S\":\"12345678\x1f\"}}]}");
    refused("{\"Count\":1,\"ScannedCount\":1,\"Items\":[{\"a\"");
    refused("");
}

/* No real answer lacks one of these: without them it is a proxy's, and would end the segment. */
static void test_an_answer_that_is_not_of_a_scan_is_refused(void **state)
{
    (void)state;
    refused("{}");
    refused("{\"message\":\"Please sign in\"}");
    refused("{\"Items\":[],\"Count\":0}");
    refused("{\"Items\":[],\"ScannedCount\":0}");
    refused("{\"Count\":0,\"ScannedCount\":0}");
    refused("{\"Count\":0,\"ScannedCount\":0,\"Items\":null}");
    refused("{\"Count\":0,\"ScannedCount\":0,\"Items\":{}}");
}

static void test_a_control_byte_is_damage_anywhere(void **state)
{
    (void)state;
    static const char WHOLE[] =
        "{\"Count\":2,\"ScannedCount\":2,\"Other\":\"a\\\\b\",\"Items\":["
        "{\"PK\":{\"S\":\"an item longer than the sixty-four bytes seen at once\"},"
        "\"Data\":{\"L\":[{\"N\":\"1\"},{\"M\":{}}]}},{\"PK\":{\"S\":\"short\"}}],"
        "\"LastEvaluatedKey\":{\"PK\":{\"S\":\"short\"}}}";
    char body[sizeof WHOLE];
    for (size_t i = 0; i < sizeof WHOLE - 1; i++) {
        memcpy(body, WHOLE, sizeof WHOLE);
        body[i] = '\x02';
        refused(body);
    }
}

static void test_white_space_is_no_damage(void **state)
{
    (void)state;
    struct given g;
    assert_int_equal(
        give(&g, "{\n\t\"Count\": 1,\r\n\"ScannedCount\": 1, \"Items\": [ {\"a\":\n{}} ] }"),
        RC_OK);
    assert_int_equal(g.page.nextents, 1);
    page_release(&g.page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_page_in_the_middle),
        cmocka_unit_test(test_the_last_page),
        cmocka_unit_test(test_damaged_answers_are_refused),
        cmocka_unit_test(test_an_answer_that_is_not_of_a_scan_is_refused),
        cmocka_unit_test(test_a_control_byte_is_damage_anywhere),
        cmocka_unit_test(test_white_space_is_no_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
