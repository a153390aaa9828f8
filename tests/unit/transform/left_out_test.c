/* SPDX-License-Identifier: MIT */
/* Index attributes beside the rows of their item: what they say stands in a cell, or does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/transform/left_out.h"

#define TEXT(s)                                                                                \
    {                                                                                          \
        .state = DATUM_VALUE, .u.text = {(s), sizeof(s) - 1 }                                  \
    }
#define INT(n)                                                                                 \
    {                                                                                          \
        .state = DATUM_VALUE, .u.i = (n)                                                       \
    }

static bool said(enum val_kind kind, const char *text)
{
    static struct datum tags[] = {TEXT("t15"), TEXT("u-19")};
    static struct column columns[] = {
        {.type = COL_TEXT},       {.type = COL_BIGINT},      {.type = COL_NUMERIC},
        {.type = COL_DATE},       {.type = COL_TIMESTAMPTZ}, {.type = COL_UUID},
        {.type = COL_TEXT_ARRAY}, {.type = COL_JSONB},       {.type = COL_TEXT}};
    static struct datum cells[] = {TEXT("c0@example.com"),
                                   INT(42),
                                   TEXT("-1.5"),
                                   INT(19782),                     /* 2024-02-29 */
                                   INT(INT64_C(1709208000000000)), /* 2024-02-29T12:00:00Z */
                                   {.state = DATUM_VALUE,
                                    .u.uuid = {0xa0, 0xee, 0xbc, 0x99, 0x9c, 0x0b, 0x4e, 0xf8,
                                               0xbb, 0x6d, 0x6b, 0xb9, 0xbd, 0x38, 0x0a, 0x11}},
                                   {.state = DATUM_VALUE, .n = 2, .u.array = tags},
                                   TEXT("{\"Zip\":{\"S\":\"W1\"}}"),
                                   {.state = DATUM_MISSING}};
    struct table table = {.columns = columns, .ncolumns = sizeof columns / sizeof columns[0]};
    struct schema schema = {.tables = &table, .ntables = 1};
    struct row row = {.table = 0, .cells = cells};
    struct val v = {.kind = kind, .u.s = str_of(text)};
    return left_out_is_said(&v, &(struct left_out_rows){&schema, &row, 1});
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const SAID[] = {"",
                                       "STATUS#open",
                                       "MAIL#c0@example.com",
                                       "c0@example.com#42",
                                       "N#00042#x",
                                       "1.5",
                                       "D#2024-02-29",
                                       "AT#2024-02-29T12:00:00.000Z#42",
                                       "2024-02-29T13:00:00+01:00",
                                       "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                                       "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                                       "TAG#u-19#t15",
                                       "ZIP#W1",
                                       "##--"};
    static const char *const NEW[] = {"follows#2",
                                      "N#420",
                                      "N#4",
                                      "xc0@example.com",
                                      "c0@example.comx1",
                                      "D#2024-03-01",
                                      "2024-02-29T12:00:01Z",
                                      "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12",
                                      "t1",
                                      "W",
                                      "W12"};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++) {
        if (!said(VAL_S, SAID[i]))
            fail_msg("\"%s\" is said", SAID[i]);
    }
    for (size_t i = 0; i < sizeof NEW / sizeof NEW[0]; i++) {
        bool literal = NEW[i][0] == 'W' && !NEW[i][1];
        if (said(VAL_S, NEW[i]) != literal)
            fail_msg("\"%s\"", NEW[i]);
    }
}

static void test_other_kinds(void **state)
{
    (void)state;
    assert_true(said(VAL_N, "42"));
    assert_false(said(VAL_N, "43"));
    assert_true(said(VAL_NULL, ""));
    assert_false(said(VAL_B, "42"));
    assert_false(said(VAL_M, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_other_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
