/* SPDX-License-Identifier: MIT */
/* What SQLSTATEs mean, connection strings, options: no server needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinks/postgres/postgres.h"
#include "sinks/postgres/wire/connection.h"
#include "sinks/postgres/wire/conninfo.h"

static void test_sqlstate_classes(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        enum rc rc;
        bool heals;
    } cases[] = {
        {"40001", RC_TRANSIENT, true},  {"40P01", RC_TRANSIENT, true},
        {"57P01", RC_TRANSIENT, true},  {"57P02", RC_TRANSIENT, true},
        {"57P03", RC_TRANSIENT, true},  {"57014", RC_TRANSIENT, true},
        {"08006", RC_TRANSIENT, true},  {"53300", RC_TRANSIENT, true},
        {"55P03", RC_TRANSIENT, true},  {"53100", RC_TRANSIENT, false},
        {"53200", RC_TRANSIENT, false}, {"25006", RC_USAGE, false},
        {"42501", RC_AUTH, false},      {"28P01", RC_AUTH, false},
        {"3D000", RC_USAGE, false},     {"22021", RC_SINK, false},
        {"XX000", RC_SINK, false},      {"57P04", RC_SINK, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *hint = NULL;
        assert_int_equal(pg_class(cases[i].code, &hint), cases[i].rc);
        assert_int_equal(pg_heals(cases[i].code), cases[i].heals);
    }
    /* a lost connection has no code */
    assert_true(pg_heals(""));
}

static void test_error_heals_by_its_text(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, RC_TRANSIENT, "PostgreSQL: deadlock detected (SQLSTATE 40P01)");
    assert_true(pg_err_heals(&err));
    err_set(&err, RC_TRANSIENT, "PostgreSQL: could not extend file (SQLSTATE 53100)");
    assert_false(pg_err_heals(&err));
    err_set(&err, RC_TRANSIENT, "the connection to PostgreSQL was lost");
    assert_true(pg_err_heals(&err));
    err_set(&err, RC_SINK, "PostgreSQL: ... (SQLSTATE 40P01)");
    assert_false(pg_err_heals(&err));
}

static void test_conninfo_bad_not_quoted(void **state)
{
    (void)state;
    struct pg_target t;
    struct err err;
    assert_int_equal(pg_target_init(&t, "host=x password=secret garbage", NULL, 0, &err),
                     RC_USAGE);
    assert_null(strstr(err.msg, "secret"));
    assert_null(strstr(err.msg, "garbage"));
    pg_target_release(&t);
    assert_int_equal(pg_target_init(&t, "postgresql://u:secret@h:badport/d?x", NULL, 0, &err),
                     RC_USAGE);
    assert_null(strstr(err.msg, "secret"));
    pg_target_release(&t);
}

static enum pg_conninfo fit(const char *word)
{
    enum pg_conninfo out = PG_CONNINFO_NO;
    struct err err;
    assert_int_equal(pg_conninfo(word, &out, &err), RC_OK);
    return out;
}

static void test_conninfo_recognised(void **state)
{
    (void)state;
    assert_int_equal(fit("postgresql://h/d"), PG_CONNINFO_YES);
    assert_int_equal(fit("postgres://h/d"), PG_CONNINFO_YES);
    assert_int_equal(fit("postgresql://"), PG_CONNINFO_YES);
    assert_int_equal(fit("host=/tmp dbname=x"), PG_CONNINFO_YES);
    assert_int_equal(fit("host=/tmp"), PG_CONNINFO_YES);
    assert_int_equal(fit("  dbname = x"), PG_CONNINFO_YES);
    assert_int_equal(fit("user='a/b c' password = 'it''s' port=1"), PG_CONNINFO_YES);
    assert_int_equal(fit("user=a\\ b/c dbname=x"), PG_CONNINFO_YES);
    assert_int_equal(fit("sslrootcert=certs/ca.crt host=h"), PG_CONNINFO_YES);
    assert_int_equal(fit("service=x"), PG_CONNINFO_YES);
    assert_int_equal(fit("user="), PG_CONNINFO_YES);
}

static void test_paths_are_no_conninfo(void **state)
{
    (void)state;
    assert_int_equal(fit(""), PG_CONNINFO_NO);
    assert_int_equal(fit("="), PG_CONNINFO_NO);
    assert_int_equal(fit("out"), PG_CONNINFO_NO);
    assert_int_equal(fit("./user=5"), PG_CONNINFO_NO);
    assert_int_equal(fit("a=b.jsonl"), PG_CONNINFO_NO);
    assert_int_equal(fit("year=2024/out"), PG_CONNINFO_NO);
    assert_int_equal(fit("year=2024/user=5"), PG_CONNINFO_NO);
    assert_int_equal(fit("lake/host=x dbname=y"), PG_CONNINFO_NO);
    assert_int_equal(fit("users=5"), PG_CONNINFO_NO);
    assert_int_equal(fit("USER=5"), PG_CONNINFO_NO);
}

static void test_a_list_with_a_mistyped_key_is_no_path(void **state)
{
    (void)state;
    assert_int_equal(fit("dbnme=shop password=pw"), PG_CONNINFO_MAYBE);
}

static void test_what_could_be_both(void **state)
{
    (void)state;
    assert_int_equal(fit("user=5/out"), PG_CONNINFO_MAYBE);
    assert_int_equal(fit("user=5/"), PG_CONNINFO_MAYBE);
    assert_int_equal(fit("user=5/year=2024"), PG_CONNINFO_MAYBE);
    assert_int_equal(fit("user=5/my folder"), PG_CONNINFO_MAYBE);
    /* refused by libpq, which says why */
    assert_int_equal(fit("host=/tmp dbname=x nonsense=1"), PG_CONNINFO_YES);
}

static void test_options_checked(void **state)
{
    (void)state;
    struct sink *sink = NULL;
    struct err err;
    struct pg_options o = {.conninfo = "dbname=x", .synchronous_commit = "on; drop table x"};
    assert_int_equal(pg_sink_open(&o, &sink, &err), RC_USAGE);
    o = (struct pg_options){.conninfo = "dbname=x", .delete_missing = true};
    assert_int_equal(pg_sink_open(&o, &sink, &err), RC_USAGE);
    o = (struct pg_options){.conninfo = "dbname=x", .no_constraints = true, .mode = PG_MERGE};
    assert_int_equal(pg_sink_open(&o, &sink, &err), RC_USAGE);
    o = (struct pg_options){.conninfo = "dbname=x", .synchronous_commit = "off"};
    assert_int_equal(pg_sink_open(&o, &sink, &err), RC_OK);
    sink->ops->close(sink);
}

static void test_option_names(void **state)
{
    (void)state;
    enum pg_mode mode = PG_REPLACE;
    enum pg_duplicates dup = PG_DUP_DEFAULT;
    enum pg_orphans orphans = PG_ORPHANS_KEEP;
    assert_true(pg_mode_parse(STR("merge"), &mode) && mode == PG_MERGE);
    assert_false(pg_mode_parse(STR("upsert"), &mode));
    assert_true(pg_duplicates_parse(STR("last"), &dup) && dup == PG_DUP_LAST);
    assert_false(pg_duplicates_parse(STR("default"), &dup));
    assert_true(pg_orphans_parse(STR("fail"), &orphans) && orphans == PG_ORPHANS_FAIL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sqlstate_classes),
        cmocka_unit_test(test_error_heals_by_its_text),
        cmocka_unit_test(test_conninfo_bad_not_quoted),
        cmocka_unit_test(test_conninfo_recognised),
        cmocka_unit_test(test_paths_are_no_conninfo),
        cmocka_unit_test(test_a_list_with_a_mistyped_key_is_no_path),
        cmocka_unit_test(test_what_could_be_both),
        cmocka_unit_test(test_options_checked),
        cmocka_unit_test(test_option_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
