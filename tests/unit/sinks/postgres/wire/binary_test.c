/* SPDX-License-Identifier: MIT */
/* Encoders of the binary COPY format, against what a PostgreSQL server itself prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinks/postgres/wire/binary.h"

static const char vectors[] = "../shared/data/pg-binary-vectors.txt";

static struct datum text_of(const char *s)
{
    return (struct datum){.state = DATUM_VALUE, .u.text = str_of(s)};
}

static struct datum int_of(int64_t i)
{
    return (struct datum){.state = DATUM_VALUE, .u.i = i};
}

static void hex_of(const struct buf *b, struct buf *out)
{
    for (size_t i = 0; i < b->len; i++)
        buf_addf(out, "%02x", (unsigned char)b->p[i]);
}

static void expect(const char *what, enum col_type type, struct datum d, const char *hex)
{
    struct buf b, got;
    struct err err;
    buf_init(&b, 1 << 20);
    buf_init(&got, 1 << 20);
    assert_int_equal(pg_binary_cell(&b, type, &d, &err), RC_OK);
    hex_of(&b, &got);
    if (strcmp(buf_cstr(&got), hex) != 0)
        fail_msg("%s: %s, not %s", what, buf_cstr(&got), hex);
    buf_release(&b);
    buf_release(&got);
}

/* A row of one cell of each type given, into a buffer that has room for `room` bytes. */
static void cells_into(struct buf *b, size_t room, const enum col_type *types,
                       const struct datum *cells, uint32_t n)
{
    struct column columns[16];
    struct table t = {.name = STR("t"), .columns = columns, .ncolumns = n};
    struct err err;
    memset(columns, 0, sizeof columns);
    for (uint32_t i = 0; i < n; i++)
        columns[i].type = types[i];
    buf_init(b, 1 << 20);
    assert_true(buf_room(b, room));
    assert_int_equal(pg_binary_cells(b, &t, cells, &err), RC_OK);
}

static void test_row_is_its_cells_whatever_the_room(void **state)
{
    (void)state;
    struct datum array[] = {text_of("7"), {.state = DATUM_NULL}};
    const enum col_type types[] = {COL_TEXT,    COL_NUMERIC, COL_NUMERIC,       COL_INTEGER,
                                   COL_BIGINT,  COL_DATE,    COL_TIMESTAMPTZ,   COL_BOOLEAN,
                                   COL_BYTEA,   COL_UUID,    COL_NUMERIC_ARRAY, COL_JSONB,
                                   COL_NUMERIC, COL_TEXT,    COL_DOUBLE,        COL_TEXT};
    const struct datum cells[] = {text_of("a text longer than thirty-two bytes, all plain"),
                                  text_of("-12345.678"),
                                  text_of("1E-130"),
                                  int_of(-7),
                                  int_of(INT64_MIN),
                                  int_of(-719162),
                                  int_of(253402300799999999),
                                  {.state = DATUM_VALUE, .u.boolean = true},
                                  {.state = DATUM_VALUE, .u.text = {"\0\1", 2}},
                                  {.state = DATUM_VALUE, .u.uuid = {1, 2, 3}},
                                  {.state = DATUM_VALUE, .n = 2, .u.array = array},
                                  text_of("{}"),
                                  text_of("0"),
                                  {.state = DATUM_NULL},
                                  {.state = DATUM_VALUE, .u.d = -0.5},
                                  {.state = DATUM_MISSING}};
    enum { N = sizeof cells / sizeof *cells };
    struct buf alone, row;
    struct err err;
    buf_init(&alone, 1 << 20);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(pg_binary_cell(&alone, types[i], &cells[i], &err), RC_OK);
    for (size_t room = 1; room < alone.len + 40; room++) {
        cells_into(&row, room, types, cells, N);
        assert_int_equal(row.len, alone.len);
        assert_memory_equal(row.p, alone.p, alone.len);
        buf_release(&row);
    }
    buf_release(&alone);
}

static void test_row_names_the_column_that_does_not_fit(void **state)
{
    (void)state;
    struct column columns[2] = {{.name = STR("id"), .type = COL_BIGINT},
                                {.name = STR("body"), .type = COL_TEXT}};
    struct table t = {.name = STR("post"), .columns = columns, .ncolumns = 2};
    struct datum cells[2] = {int_of(1), text_of("x")};
    struct buf b;
    struct err err = {0};
    buf_init(&b, 1 << 20);
    cells[1].u.text.n = PG_FIELD_MAX + 1; /* never read */
    assert_int_equal(pg_binary_cells(&b, &t, cells, &err), RC_DATA);
    assert_non_null(strstr(err.msg, "post.body"));
    buf_release(&b);
}

static void test_numeric_known_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"0", "000000080000000000000000"},
        {"1", "0000000a00010000000000000001"},
        {"-1.5", "0000000c000200004000000100011388"},
        {"10000", "0000000a00010001000000000001"},
        {"123.45", "0000000c0002000000000002007b1194"},
        {"0.0001", "0000000a0001ffff000000040001"},
        {"1E-130", "0000000a0001ffdf000000820064"},
        {"9.9999999999999999999999999999999999999E+125",
         "0000001c000a001f000000000063270f270f270f270f270f270f270f270f270f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(cases[i].text, COL_NUMERIC, text_of(cases[i].text), cases[i].hex);
}

/* One value of the file, made here as a datum. */
static bool datum_named(const char *name, enum col_type *type, struct datum *d)
{
    static struct datum ab[] = {{.state = DATUM_VALUE, .u.text = {"a", 1}},
                                {.state = DATUM_VALUE, .u.text = {"bc", 2}}},
                        nums[] = {{.state = DATUM_VALUE, .u.text = {"1", 1}},
                                  {.state = DATUM_VALUE, .u.text = {"2.5", 3}}},
                        bytes[] = {{.state = DATUM_VALUE, .u.text = {"\1", 1}},
                                   {.state = DATUM_NULL}};
    static const struct {
        const char *name;
        enum col_type type;
        struct datum d;
    } table[] = {
        {"-2::int4", COL_INTEGER, {.state = DATUM_VALUE, .u.i = -2}},
        {"3::int8", COL_BIGINT, {.state = DATUM_VALUE, .u.i = 3}},
        {"1.5::float8", COL_DOUBLE, {.state = DATUM_VALUE, .u.d = 1.5}},
        {"true", COL_BOOLEAN, {.state = DATUM_VALUE, .u.boolean = true}},
        {"'h\303\251llo'::text",
         COL_TEXT,
         {.state = DATUM_VALUE, .u.text = {"h\303\251llo", 6}}},
        {"''::text", COL_TEXT, {.state = DATUM_VALUE, .u.text = {"", 0}}},
        {"NULL::text", COL_TEXT, {.state = DATUM_NULL}},
        {"'\\xdeadbeef'::bytea",
         COL_BYTEA,
         {.state = DATUM_VALUE, .u.text = {"\xde\xad\xbe\xef", 4}}},
        {"'2000-01-02'::date", COL_DATE, {.state = DATUM_VALUE, .u.i = 10958}},
        {"'1970-01-01'::date", COL_DATE, {.state = DATUM_VALUE, .u.i = 0}},
        {"'1970-01-01 00:00:00+00'::timestamptz",
         COL_TIMESTAMPTZ,
         {.state = DATUM_VALUE, .u.i = 0}},
        {"'{\"a\": 1}'::jsonb", COL_JSONB, {.state = DATUM_VALUE, .u.text = {"{\"a\": 1}", 8}}},
        {"ARRAY['a','bc']::text[]",
         COL_TEXT_ARRAY,
         {.state = DATUM_VALUE, .n = 2, .u.array = ab}},
        {"ARRAY[]::text[]", COL_TEXT_ARRAY, {.state = DATUM_VALUE, .n = 0, .u.array = ab}},
        {"ARRAY[1,2.5]::numeric[]",
         COL_NUMERIC_ARRAY,
         {.state = DATUM_VALUE, .n = 2, .u.array = nums}},
        {"ARRAY['\\x01'::bytea,NULL]",
         COL_BYTEA_ARRAY,
         {.state = DATUM_VALUE, .n = 2, .u.array = bytes}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *type = table[i].type;
            *d = table[i].d;
            return true;
        }
    }
    if (strcmp(name, "'00112233-4455-6677-8899-aabbccddeeff'::uuid") == 0) {
        *type = COL_UUID;
        *d = (struct datum){.state = DATUM_VALUE};
        for (int i = 0; i < 16; i++)
            d->u.uuid[i] = (unsigned char)(i * 17);
        return true;
    }
    return false;
}

/* Splits "VALUE     HEX" in place. */
static char *split(char *line)
{
    line[strcspn(line, "\n")] = 0;
    char *hex = strrchr(line, ' ');
    if (line[0] == '#' || hex == NULL)
        return NULL;
    char *end = hex;
    while (end > line && end[-1] == ' ')
        end--;
    *end = 0;
    return hex + 1;
}

static void test_cells_server_vectors(void **state)
{
    (void)state;
    char line[4096];
    unsigned used = 0;
    FILE *f = fopen(vectors, "r");
    if (f == NULL) {
        print_message("SKIPPED: %s is not there\n", vectors);
        skip();
    }
    while (fgets(line, sizeof line, f)) {
        enum col_type type = COL_NUMERIC;
        struct datum d = {0};
        char *hex = split(line), *cast = hex ? strstr(line, "::numeric") : NULL;
        if (hex == NULL)
            continue;
        /* display scale and the infinities are beyond DynamoDB's numbers */
        bool plain =
            cast && cast[9] == 0 && line[0] != '\'' && strcmp(line, "100.00::numeric") != 0;
        if (plain) {
            *cast = 0;
            d = text_of(line);
        }
        if (plain || datum_named(line, &type, &d)) {
            expect(line, type, d, hex);
            used++;
        }
    }
    fclose(f);
    assert_true(used >= 28);
}

static void test_cell_too_long_refused(void **state)
{
    (void)state;
    struct buf b;
    struct err err;
    struct str huge = {"x", PG_FIELD_MAX + 1};
    struct datum d = {.state = DATUM_VALUE, .u.text = huge};
    struct datum list = {.state = DATUM_VALUE, .n = 1, .u.array = &d};
    buf_init(&b, 100);
    assert_int_equal(pg_binary_cell(&b, COL_TEXT, &d, &err), RC_DATA);
    assert_int_equal(pg_binary_cell(&b, COL_JSONB, &d, &err), RC_DATA);
    assert_int_equal(pg_binary_cell(&b, COL_BYTEA_ARRAY, &list, &err), RC_DATA);
    assert_non_null(strstr(err.msg, "past PostgreSQL's limit"));
    assert_int_equal(b.len, 0);
    buf_release(&b);
}

static void test_times_edges(void **state)
{
    (void)state;
    expect("0001-01-01", COL_DATE, int_of(-719162), "00000004fff4dbf9");
    expect("9999-12-31", COL_DATE, int_of(2932896), "00000004002c95d3");
    expect("missing", COL_DATE, (struct datum){.state = DATUM_MISSING}, "ffffffff");
}

static void test_stream_frame(void **state)
{
    (void)state;
    struct buf b, hex;
    buf_init(&b, 100);
    buf_init(&hex, 200);
    pg_binary_header(&b);
    pg_binary_row(&b, 2);
    pg_binary_int(&b, -1);
    pg_binary_bigint(&b, 5);
    pg_binary_trailer(&b);
    hex_of(&b, &hex);
    assert_string_equal(buf_cstr(&hex), "5047434f50590aff0d0a000000000000000000"
                                        "0002"
                                        "00000004ffffffff"
                                        "000000080000000000000005"
                                        "ffff");
    buf_release(&b);
    buf_release(&hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numeric_known_bytes),
        cmocka_unit_test(test_cells_server_vectors),
        cmocka_unit_test(test_cell_too_long_refused),
        cmocka_unit_test(test_row_is_its_cells_whatever_the_room),
        cmocka_unit_test(test_row_names_the_column_that_does_not_fit),
        cmocka_unit_test(test_times_edges),
        cmocka_unit_test(test_stream_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
