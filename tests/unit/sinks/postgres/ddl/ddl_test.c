/* SPDX-License-Identifier: MIT */
/* Names, literals and DDL: nothing a model writes can be more than a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinks/postgres/ddl/ddl.h"

static const char long_name[] =
    "a_name_of_more_than_sixty_three_bytes_that_goes_on_and_on_and_on_and_on";

static void ident_is(const char *name, const char *want)
{
    struct buf b;
    buf_init(&b, 1000);
    pg_add_ident(&b, str_of(name));
    assert_string_equal(buf_cstr(&b), want);
    buf_release(&b);
}

static void test_ident_always_quoted(void **state)
{
    (void)state;
    ident_is("orders", "\"orders\"");
    ident_is("Order", "\"Order\"");
    ident_is("a\"b", "\"a\"\"b\"");
    ident_is("x\"; drop table y; --", "\"x\"\"; drop table y; --\"");
}

static void test_literal_quoted(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100);
    pg_add_literal(&b, STR("it's \\ here"));
    assert_string_equal(buf_cstr(&b), "'it''s \\ here'");
    buf_release(&b);
}

static void test_name_long_cut_the_same_way(void **state)
{
    (void)state;
    bool cut = false;
    struct pg_name a = pg_name_fit(str_of(long_name), &cut);
    struct pg_name b = pg_name_fit(str_of(long_name), NULL);
    assert_true(cut);
    assert_true(a.n <= PG_NAME_MAX);
    assert_string_equal(a.text, b.text);
    struct pg_name other = pg_name_fit(str_make(long_name, sizeof long_name - 2), NULL);
    assert_string_not_equal(a.text, other.text);
    pg_name_fit(str_make(long_name, PG_NAME_MAX), &cut);
    assert_false(cut);
}

static void test_name_cut_between_characters(void **state)
{
    (void)state;
    char name[101];
    for (size_t i = 0; i + 1 < sizeof name; i += 2) {
        name[i] = '\303';
        name[i + 1] = '\251';
    }
    for (size_t skip = 0; skip < 2; skip++) {
        name[0] = 'x';
        struct pg_name fit = pg_name_fit(str_make(name + skip, 100 - skip), NULL);
        size_t plain = 0;
        while (plain < fit.n && fit.text[plain] != '_')
            plain++;
        /* the last byte kept ends a character */
        assert_int_equal((unsigned char)fit.text[plain - 1], 0251);
        assert_true(fit.n <= PG_NAME_MAX);
    }
}

static uint32_t first[] = {0}, second[] = {1};

static struct column parent_columns[] = {
    {.name = {"id", 2}, .type = COL_TEXT, .not_null = true, .key = true, .from = {"PK", 2}},
    {.name = {"extra", 5}, .type = COL_JSONB, .extra = true}};
static struct column child_columns[] = {
    {.name = {"n", 1}, .type = COL_BIGINT, .not_null = true, .key = true},
    {.name = {"id", 2}, .type = COL_TEXT, .key = true}};
static struct reference to_parent[] = {
    {.columns = second, .n = 1, .to = 0, .to_columns = first},
    {.columns = second, .n = 1, .to = 0, .to_columns = first}};
static struct table tables[] = {{.name = {"parent", 6},
                                 .columns = parent_columns,
                                 .ncolumns = 2,
                                 .key = first,
                                 .nkey = 1,
                                 .parent = UINT32_MAX,
                                 .comment = {"entity P's", 10}},
                                {.name = {"child", 5},
                                 .columns = child_columns,
                                 .ncolumns = 2,
                                 .key = first,
                                 .nkey = 1,
                                 .references = to_parent,
                                 .nreferences = 2,
                                 .parent = UINT32_MAX}};
static struct schema model = {.name = {"shop", 4}, .tables = tables, .ntables = 2};

static void test_print_whole_model(void **state)
{
    (void)state;
    struct buf b;
    struct err err;
    buf_init(&b, 1 << 16);
    assert_int_equal(pg_ddl_print(&b, &model, STR("s"), false, &err), RC_OK);
    assert_string_equal(
        buf_cstr(&b),
        "CREATE SCHEMA IF NOT EXISTS \"s\";\n\n"
        "CREATE TABLE \"s\".\"parent\" (\n"
        "    \"id\" text COLLATE \"C\" NOT NULL,\n"
        "    \"extra\" jsonb\n);\n"
        "COMMENT ON TABLE \"s\".\"parent\" IS 'entity P''s';\n"
        "COMMENT ON COLUMN \"s\".\"parent\".\"id\" IS 'from PK';\n"
        "COMMENT ON COLUMN \"s\".\"parent\".\"extra\" IS 'attributes the model does not name, "
        "as "
        "DynamoDB JSON';\n\n"
        "CREATE TABLE \"s\".\"child\" (\n"
        "    \"n\" bigint NOT NULL,\n"
        "    \"id\" text COLLATE \"C\"\n);\n\n"
        "-- after the load\n"
        "ALTER TABLE \"s\".\"parent\" ADD CONSTRAINT \"parent_pkey\" PRIMARY KEY (\"id\");\n"
        "ALTER TABLE \"s\".\"child\" ADD CONSTRAINT \"child_pkey\" PRIMARY KEY (\"n\");\n"
        "CREATE INDEX \"child_id_idx\" ON \"s\".\"child\" (\"id\");\n"
        "ALTER TABLE \"s\".\"child\" ADD CONSTRAINT \"child_id_fkey\" FOREIGN KEY (\"id\") "
        "REFERENCES \"s\".\"parent\" (\"id\") NOT VALID;\n"
        "ALTER TABLE \"s\".\"child\" VALIDATE CONSTRAINT \"child_id_fkey\";\n"
        "ALTER TABLE \"s\".\"child\" ADD CONSTRAINT \"child_id_fkey1\" FOREIGN KEY (\"id\") "
        "REFERENCES \"s\".\"parent\" (\"id\") NOT VALID;\n"
        "ALTER TABLE \"s\".\"child\" VALIDATE CONSTRAINT \"child_id_fkey1\";\n"
        "ANALYZE \"s\".\"parent\";\n"
        "ANALYZE \"s\".\"child\";\n");
    buf_release(&b);
}

static void test_too_many_columns_refused(void **state)
{
    (void)state;
    struct err err;
    static struct column columns[1600];
    struct table wide = {.name = {"wide", 4}, .columns = columns, .ncolumns = 1600};
    struct schema s = {.tables = &wide, .ntables = 1};
    assert_int_equal(pg_ddl_check(&s, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "1600 columns"));
    wide.ncolumns = 1599;
    assert_int_equal(pg_ddl_check(&s, &err), RC_OK);
}

/* The server would refuse them in the middle of a load. */
static void test_reserved_names_refused(void **state)
{
    (void)state;
    struct err err;
    struct column c = {.name = {"a", 1}};
    struct table t = {.name = {"t", 1}, .columns = &c, .ncolumns = 1};
    struct schema s = {.tables = &t, .ntables = 1};
    assert_int_equal(pg_ddl_check(&s, &err), RC_OK);
    for (const char **name = (const char *[]){"xmin", "ctid", "renorm:pos", NULL}; *name;
         name++) {
        c.name = str_of(*name);
        assert_int_equal(pg_ddl_check(&s, &err), RC_USAGE);
        assert_non_null(strstr(err.msg, *name));
    }
    c.name = STR("xmin_"), t.name = STR("renorm:items");
    assert_int_equal(pg_ddl_check(&s, &err), RC_USAGE);
    t.name = STR("xmin"); /* as a table it is a name like others */
    assert_int_equal(pg_ddl_check(&s, &err), RC_OK);
}

static void test_types_told_apart(void **state)
{
    (void)state;
    struct column c = {.type = COL_TIMESTAMPTZ};
    assert_true(pg_ddl_type_is(&c, "timestamp with time zone", false));
    assert_false(pg_ddl_type_is(&c, "timestamp(3) with time zone", false));
    assert_true(pg_ddl_type_is(&c, "timestamp(3) with time zone", true));
    assert_false(pg_ddl_type_is(&c, "timestamp(3) without time zone", true));
    c.type = COL_NUMERIC_ARRAY;
    assert_true(pg_ddl_type_is(&c, "numeric(10,2)[]", true));
    assert_false(pg_ddl_type_is(&c, "numeric", true));
    c.type = COL_NUMERIC;
    assert_false(pg_ddl_type_is(&c, "numeric(10,2)", false));
    assert_false(pg_ddl_type_is(&c, "numeric[]", true));
    assert_false(pg_ddl_type_is(&c, "", true));
}

static bool same_name(struct pg_name a, struct pg_name b)
{
    return str_eq(str_make(a.text, a.n), str_make(b.text, b.n));
}

/* orders (line_pid) and orders_line (pid): joined by "_" the same */
static void test_index_names_differ_where_texts_meet(void **state)
{
    (void)state;
    struct column a[] = {{.name = {"line_pid", 8}}}, b[] = {{.name = {"pid", 3}}};
    struct reference ref = {.columns = first, .n = 1, .to = 2, .to_columns = first};
    struct table t[] = {
        {.name = {"orders", 6},
         .columns = a,
         .ncolumns = 1,
         .references = &ref,
         .nreferences = 1},
        {.name = {"orders_line", 11},
         .columns = b,
         .ncolumns = 1,
         .references = &ref,
         .nreferences = 1},
        {.name = {"orders_pkey", 11}, .columns = b, .ncolumns = 1, .key = first, .nkey = 1}};
    struct schema s = {.tables = t, .ntables = 3};
    struct pg_name x = pg_ddl_index_name(&s, 0, 0), y = pg_ddl_index_name(&s, 1, 0);
    assert_false(same_name(x, y));
    assert_true(same_name(x, pg_ddl_index_name(&s, 0, 0)));
    assert_memory_equal(x.text, "orders_line_pid_idx_", 20);
    assert_memory_equal(y.text, "orders_line_pid_idx_", 20);
    s.ntables = 1;
    assert_string_equal(pg_ddl_index_name(&s, 0, 0).text, "orders_line_pid_idx");
    /* a table's own name stands, the key of another gives way */
    s.ntables = 3;
    t[0].key = first;
    t[0].nkey = 1;
    assert_memory_equal(pg_ddl_key_name(&s, 0).text, "orders_pkey_", 12);
    assert_string_equal(pg_ddl_key_name(&s, 2).text, "orders_pkey_pkey");
}

static void test_foreign_names_differ_where_texts_meet(void **state)
{
    (void)state;
    uint32_t one[] = {0}, two[] = {1, 2};
    struct column c[] = {{.name = {"a_b", 3}}, {.name = {"a", 1}}, {.name = {"b", 1}}};
    struct reference refs[] = {{.columns = one, .n = 1, .to = 0},
                               {.columns = two, .n = 2, .to = 0},
                               {.columns = two, .n = 2, .to = 0}};
    struct table t = {
        .name = {"t", 1}, .columns = c, .ncolumns = 3, .references = refs, .nreferences = 3};
    struct schema s = {.tables = &t, .ntables = 1};
    assert_false(same_name(pg_ddl_foreign_name(&t, 0), pg_ddl_foreign_name(&t, 1)));
    assert_false(same_name(pg_ddl_foreign_name(&t, 1), pg_ddl_foreign_name(&t, 2)));
    assert_false(same_name(pg_ddl_foreign_name(&t, 0), pg_ddl_foreign_name(&t, 2)));
    assert_false(same_name(pg_ddl_index_name(&s, 0, 0), pg_ddl_index_name(&s, 0, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ident_always_quoted),
        cmocka_unit_test(test_literal_quoted),
        cmocka_unit_test(test_name_long_cut_the_same_way),
        cmocka_unit_test(test_name_cut_between_characters),
        cmocka_unit_test(test_print_whole_model),
        cmocka_unit_test(test_too_many_columns_refused),
        cmocka_unit_test(test_reserved_names_refused),
        cmocka_unit_test(test_types_told_apart),
        cmocka_unit_test(test_index_names_differ_where_texts_meet),
        cmocka_unit_test(test_foreign_names_differ_where_texts_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
