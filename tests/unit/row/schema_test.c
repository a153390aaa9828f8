/* SPDX-License-Identifier: MIT */
/* Rows as JSON: order of columns, missing against null, names; and the names of types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/row/schema.h"

static void expect(const struct table *t, const struct datum *cells, const char *json)
{
    struct buf b;
    buf_init(&b, 1000);
    schema_row_json(&b, t, cells);
    assert_string_equal(buf_cstr(&b), json);
    buf_release(&b);
}

static void test_row_has_its_cells_in_column_order(void **state)
{
    (void)state;
    struct column columns[] = {{.name = STR("z"), .type = COL_TEXT},
                               {.name = STR("a \"b\""), .type = COL_BIGINT},
                               {.name = STR("n"), .type = COL_NUMERIC},
                               {.name = STR("extra"), .type = COL_JSONB, .extra = true}};
    struct table t = {.name = STR("t"), .columns = columns, .ncolumns = 4};
    struct datum cells[4] = {{.state = DATUM_VALUE, .u.text = STR("x\ty")},
                             {.state = DATUM_VALUE, .u.i = -5},
                             {.state = DATUM_VALUE, .u.text = STR("0.10000000000000000001")},
                             {.state = DATUM_VALUE, .u.text = STR("{\"q\":{\"S\":\"\"}}")}};
    expect(&t, cells,
           "{\"z\":\"x\\ty\",\"a \\\"b\\\"\":-5,\"n\":0.10000000000000000001,"
           "\"extra\":{\"q\":{\"S\":\"\"}}}");
    cells[0].state = DATUM_MISSING;
    cells[2].state = DATUM_NULL;
    expect(&t, cells, "{\"a \\\"b\\\"\":-5,\"n\":null,\"extra\":{\"q\":{\"S\":\"\"}}}");
    cells[1].state = cells[2].state = cells[3].state = DATUM_MISSING;
    expect(&t, cells, "{}");
    cells[3].state = DATUM_NULL;
    expect(&t, cells, "{\"extra\":null}");
}

static void test_row_is_the_same_with_and_without_labels(void **state)
{
    (void)state;
    struct column columns[] = {
        {.name = STR("a"), .type = COL_TEXT, .label = STR(",\"a\":")},
        {.name = STR("n"), .type = COL_NUMERIC, .label = STR(",\"n\":")},
        {.name = STR("i"), .type = COL_BIGINT, .label = STR(",\"i\":")},
        {.name = STR("t"), .type = COL_TEXT, .label = STR(",\"t\":")},
    };
    struct table t = {.name = STR("t"), .columns = columns, .ncolumns = 4};
    struct datum cells[4] = {{.state = DATUM_VALUE, .n = VAL_PLAIN, .u.text = STR("x")},
                             {.state = DATUM_VALUE, .u.text = STR("1.5")},
                             {.state = DATUM_VALUE, .u.i = 9},
                             {.state = DATUM_VALUE, .u.text = STR("\"")}};
    expect(&t, cells, "{\"a\":\"x\",\"n\":1.5,\"i\":9,\"t\":\"\\\"\"}");
    cells[0].u.text = (struct str){NULL, 0};
    cells[2].u.i = 10;
    expect(&t, cells, "{\"a\":\"\",\"n\":1.5,\"i\":10,\"t\":\"\\\"\"}");
    cells[0].state = DATUM_MISSING;
    cells[2].u.i = -1;
    expect(&t, cells, "{\"n\":1.5,\"i\":-1,\"t\":\"\\\"\"}");
    cells[1].state = DATUM_NULL;
    expect(&t, cells, "{\"n\":null,\"i\":-1,\"t\":\"\\\"\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_has_its_cells_in_column_order),
        cmocka_unit_test(test_row_is_the_same_with_and_without_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
