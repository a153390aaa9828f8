/* SPDX-License-Identifier: MIT */
/* What is left to the server: attributes nobody reads, items no entity takes. */
#include "pipeline/plan/pushdown.h"
#include "pipeline/stage/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct made {
    struct model *model;
    struct plan *plan;
    struct problems problems;
    struct arena arena;
    struct attributes_read needs;
    struct pushdown push;
};

/* `entities` stands inside the braces of "entities"; quotes are written as '. */
static void make(struct made *m, const char *source, const char *entities)
{
    struct err err = {0};
    struct buf text;
    buf_init(&text, 1 << 16);
    buf_addf(&text, "{'renorm':1,'name':'t',%s'entities':{%s}}", source, entities);
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\'')
            text.p[i] = '"';
    }
    problems_init(&m->problems);
    arena_init(&m->arena, 1024);
    pushdown_init(&m->push);
    struct plan_options opts = {0};
    assert_int_equal(model_read(buf_view(&text), stage_table, &m->model, &m->problems, &err),
                     RC_OK);
    assert_int_equal(plan_new(m->model, &opts, &m->plan, &m->problems, &err), RC_OK);
    assert_int_equal(plan_attributes_read(m->plan, &m->arena, &m->needs), RC_OK);
    buf_release(&text);
}

static void unmake(struct made *m)
{
    pushdown_release(&m->push);
    plan_free(m->plan);
    model_free(m->model);
    problems_release(&m->problems);
    arena_release(&m->arena);
}

static bool needs_name(const struct made *m, const char *name)
{
    for (uint32_t i = 0; i < m->needs.names.n; i++) {
        if (str_is(m->needs.names.v[i], name))
            return true;
    }
    return false;
}

static void test_the_rest_is_needed_where_it_is_kept(void **state)
{
    (void)state;
    struct made m;
    struct err err = {0};
    make(&m, "", "'A':{'table':'a','columns':{'x':{'type':'text','from':'X'}}}");
    assert_true(m.needs.rest);
    assert_true(needs_name(&m, "X"));
    assert_int_equal(pushdown_projection(&m.push, &m.needs, &err), RC_OK);
    assert_int_equal(m.push.projection.len, 0);
    assert_int_equal(m.push.names.len, 0);
    unmake(&m);
}

static void test_a_column_found_by_its_name_needs_all(void **state)
{
    (void)state;
    struct made m;
    make(&m, "'rest':'drop',", "'A':{'table':'a','columns':{'x_y':'text'}}");
    assert_true(m.needs.rest); /* xY, X-Y, x y ... */
    assert_false(m.needs.kept);
    assert_int_equal(m.needs.unlisted.n, 1);
    unmake(&m);
}

static void test_spellings_are_projected_where_the_rest_is_dropped(void **state)
{
    (void)state;
    struct made m;
    struct err err = {0};
    make(&m, "'source':{'type':'Kind','key':['PK']},'rest':'drop',",
         "'A':{'table':'a','columns':{'name':'text','Kind':'text'}},"
         "'B':{'table':'b','columns':{'n':{'type':'text','from':'NAME'}}}");
    assert_false(m.needs.rest);
    assert_int_equal(pushdown_projection(&m.push, &m.needs, &err), RC_OK);
    for (size_t i = 0; i < 5; i++) {
        static const char *const WANT[] = {"\"PK\"", "\"Kind\"", "\"name\"", "\"Name\"",
                                           "\"NAME\""};
        struct str all = buf_view(&m.push.names);
        size_t at = str_find(all, str_of(WANT[i]), 0);
        assert_true(at < all.n);
        assert_int_equal(str_find(all, str_of(WANT[i]), at + 1), all.n); /* once */
    }
    assert_int_equal(m.push.nnames, 5);
    unmake(&m);

    /* one entity that keeps its rest needs all */
    make(&m, "'rest':'drop',",
         "'A':{'table':'a','columns':{'name':'text'}},"
         "'B':{'table':'b','rest':'extra','columns':{'name':'text'}}");
    assert_true(m.needs.rest && m.needs.kept);
    unmake(&m);
}

static void test_picked_attributes_are_projected(void **state)
{
    (void)state;
    struct made m;
    struct err err = {0};
    make(&m, "'source':{'type':'Kind','key':['PK'],'ttl':'Gone'},",
         "'A':{'when':{'Flag.on':true},'keys':{'GSI1PK':'A#{a}'},'table':'a',"
         "'stages':[{'pick':['name','Status']}],'columns':{'name':'text'}}");
    assert_false(m.needs.rest);
    static const char *const WANT[] = {"PK",     "Kind", "Gone",  "Flag",
                                       "GSI1PK", "name", "Status"};
    for (size_t i = 0; i < sizeof WANT / sizeof WANT[0]; i++)
        assert_true(needs_name(&m, WANT[i]));
    assert_int_equal(m.needs.names.n, sizeof WANT / sizeof WANT[0]);
    assert_int_equal(pushdown_projection(&m.push, &m.needs, &err), RC_OK);
    assert_true(str_is(buf_view(&m.push.projection), "#n0,#n1,#n2,#n3,#n4,#n5,#n6"));
    assert_true(str_starts(buf_view(&m.push.names), STR("\"#n0\":\"PK\",\"#n1\":\"Kind\"")));
    unmake(&m);
}

static void filter_is(const char *entities, const char *filter, const char *values)
{
    struct made m;
    struct err err = {0};
    make(&m, "", entities);
    assert_int_equal(pushdown_filter(&m.push, m.plan, &err), RC_OK);
    assert_string_equal(buf_cstr(&m.push.filter), filter);
    assert_string_equal(buf_cstr(&m.push.values), values);
    unmake(&m);
}

static void test_types_and_untyped_items_pass(void **state)
{
    (void)state;
    filter_is("'A':{'table':'a'}", "#n0 IN (:v0)", "\":v0\":{\"S\":\"A\"}");
    filter_is("'A':{'table':'a','keys':{'PK':'A#{x}'}}",
              "#n0 IN (:v0) OR attribute_not_exists(#n1) OR NOT attribute_type(#n2,:v1)",
              "\":v0\":{\"S\":\"A\"},\":v1\":{\"S\":\"S\"}");
}

static void test_conditions_become_expressions(void **state)
{
    (void)state;
    filter_is("'A':{'table':'a','when':{'x':'one'}}", "#n0 = :v0", "\":v0\":{\"S\":\"one\"}");
    filter_is("'A':{'table':'a','when':{'m.n':{'>=':5}}}", "#n0.#n1 >= :v0",
              "\":v0\":{\"N\":\"5\"}");
    filter_is("'A':{'table':'a','when':{'x':'pre*'}}", "begins_with(#n0,:v0)",
              "\":v0\":{\"S\":\"pre\"}");
    filter_is("'A':{'table':'a','when':{'x':'pre*post'}}", "begins_with(#n0,:v0)",
              "\":v0\":{\"S\":\"pre\"}");
    filter_is("'A':{'table':'a','when':{'not':{'x':true}}}", "NOT (#n0 = :v0)",
              "\":v0\":{\"BOOL\":true}");
}

static void test_filter_stages_in_front_are_said_with_their_entity(void **state)
{
    (void)state;
    filter_is("'A':{'table':'a','stages':[{'filter':{'x':'one'}},"
              "{'filter':{'drop':{'y':{'exists':true}}}}]}",
              "(#n0 IN (:v0) AND #n1 = :v1 AND NOT (attribute_exists(#n2)))",
              "\":v0\":{\"S\":\"A\"},\":v1\":{\"S\":\"one\"}");
    /* entities without one stay among the types */
    filter_is("'A':{'table':'a','stages':[{'filter':{'n':{'<':3}}}]},'B':{'table':'b'}",
              "#n0 IN (:v0) OR (#n1 IN (:v1) AND #n2 < :v2)",
              "\":v0\":{\"S\":\"B\"},\":v1\":{\"S\":\"A\"},\":v2\":{\"N\":\"3\"}");
    filter_is("'A':{'table':'a','when':{'k':'a'},'stages':[{'filter':{'x':'one'}}]}",
              "(#n0 = :v0 AND #n1 = :v1)", "\":v0\":{\"S\":\"a\"},\":v1\":{\"S\":\"one\"}");
    /* behind another stage, on a part of the key, a pattern below not: only the type is said */
    filter_is("'A':{'table':'a','stages':[{'rename':{'x':'z'}},{'filter':{'x':'one'}}]}",
              "#n0 IN (:v0)", "\":v0\":{\"S\":\"A\"}");
    filter_is("'A':{'table':'a','when':{'k':'a'},'keys':{'PK':'A#{x}'},'stages':[{'filter':{'x'"
              ":'one'}}]}",
              "#n0 = :v0", "\":v0\":{\"S\":\"a\"}");
    filter_is("'A':{'table':'a','stages':[{'filter':{'drop':{'x':'a*b'}}}]}", "#n0 IN (:v0)",
              "\":v0\":{\"S\":\"A\"}");
}

static void test_an_entity_that_takes_all_is_what_its_filters_keep(void **state)
{
    (void)state;
    filter_is("'A':{'table':'a','when':{},'stages':[{'filter':{'x':'one'}}]}", "#n0 = :v0",
              "\":v0\":{\"S\":\"one\"}");
    filter_is("'A':{'table':'a','when':{'all':[{}]},'stages':[{'filter':{'drop':{'x':'one'}}},"
              "{'filter':{'y':'two','z':{'exists':true}}}]}",
              "NOT (#n0 = :v0) AND (#n1 = :v1 AND attribute_exists(#n2))",
              "\":v0\":{\"S\":\"one\"},\":v1\":{\"S\":\"two\"}");
    /* the first that cannot be tested is left out, the next one stands alone */
    filter_is(
        "'A':{'table':'a','when':{},'stages':[{'filter':{'x':'*z'}},{'filter':{'y':'b'}}]}",
        "#n0 = :v0", "\":v0\":{\"S\":\"b\"}");
    filter_is("'A':{'table':'a'},'B':{'table':'b','when':{},'stages':[{'filter':{'x':'b'}}]}",
              "#n0 IN (:v0) OR #n1 = :v1", "\":v0\":{\"S\":\"A\"},\":v1\":{\"S\":\"b\"}");
    filter_is("'A':{'table':'a','when':{}}", "", "");
    filter_is("'A':{'table':'a','when':{},'stages':[{'filter':{'x':'*z'}}]}", "", "");
    filter_is("'A':{'table':'a','when':{'k':'a'}},'B':{'table':'b','when':{}}", "", "");
}

static bool only_x_and_keys(const void *ctx, struct str name)
{
    return str_is(name, ctx) || str_is(name, "x") || str_is(name, "PK");
}

/* As filter_is, of a server that holds "x", "PK" and what `also` names. */
static void held_is(const char *also, const char *entities, const char *projection,
                    const char *filter)
{
    struct made m;
    struct err err = {0};
    make(&m, "'source':{'type':'Type'},'rest':'drop',", entities);
    m.push.holds = only_x_and_keys;
    m.push.ctx = also;
    assert_int_equal(pushdown_projection(&m.push, &m.needs, &err), RC_OK);
    assert_string_equal(buf_cstr(&m.push.projection), projection);
    assert_null(m.push.names.len ? strstr(buf_cstr(&m.push.names), "gone") : NULL);
    assert_int_equal(pushdown_filter(&m.push, m.plan, &err), RC_OK);
    assert_string_equal(buf_cstr(&m.push.filter), filter);
    unmake(&m);
}

static void test_what_the_server_does_not_hold_is_not_mentioned(void **state)
{
    (void)state;
    static const char COLUMNS[] =
        "'A':{'table':'a','keys':{'PK':'A#{k}'},'columns':{'k':{'type':'text','from':'k'},"
        "'x':{'type':'text','from':'x'},'y':{'type':'text','from':'gone'}}}";
    held_is("Type", COLUMNS, "#n0,#n1,#n2",
            "#n3 IN (:v0) OR attribute_not_exists(#n4) OR NOT attribute_type(#n5,:v1)");
    held_is("", COLUMNS, "#n0,#n1", "");
    held_is("Type", "'A':{'table':'a','when':{'gone':'one'}}", "#n0", "");
    held_is("Type",
            "'A':{'table':'a','stages':[{'filter':{'drop':{'gone':{'missing':true}}}}]}", "#n0",
            "#n1 IN (:v0)");
    /* nobody asks for the type where every entity has a condition */
    held_is("", "'A':{'table':'a','when':{},'stages':[{'filter':{'x':'one'}}]}", "#n0",
            "#n1 = :v0");
}

static void test_what_cannot_be_said_is_not_pushed(void **state)
{
    (void)state;
    filter_is("'A':{'table':'a','when':{'x':'*post'}}", "", "");
    filter_is("'A':{'table':'a','when':{'not':{'x':'pre*post'}}}", "", "");
    filter_is("'A':{'table':'a','when':{'x':'one'}},'B':{'table':'b','when':{'y':'?'}}", "",
              "");
}

/* Without a type attribute a `when` alone can be tested by the service. */
static void test_no_type_attribute(void **state)
{
    static const struct {
        const char *entities, *filter;
    } CASES[] = {{"'A':{'table':'a','keys':{'PK':'A#{x}'}}", ""},
                 {"'A':{'table':'a','when':{'x':'one'}}", "#n0 = :v0"},
                 {"'A':{'when':{'x':'one'}},'B':{'keys':[{'PK':'B#{y}'},{'PK':'b#{y}'}]}", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct made m;
        struct err err = {0};
        make(&m, "'source':{'type':null},", CASES[i].entities);
        assert_int_equal(pushdown_filter(&m.push, m.plan, &err), RC_OK);
        assert_string_equal(buf_cstr(&m.push.filter), CASES[i].filter);
        unmake(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rest_is_needed_where_it_is_kept),
        cmocka_unit_test(test_a_column_found_by_its_name_needs_all),
        cmocka_unit_test(test_spellings_are_projected_where_the_rest_is_dropped),
        cmocka_unit_test(test_picked_attributes_are_projected),
        cmocka_unit_test(test_types_and_untyped_items_pass),
        cmocka_unit_test(test_conditions_become_expressions),
        cmocka_unit_test(test_filter_stages_in_front_are_said_with_their_entity),
        cmocka_unit_test(test_an_entity_that_takes_all_is_what_its_filters_keep),
        cmocka_unit_test(test_what_the_server_does_not_hold_is_not_mentioned),
        cmocka_unit_test(test_what_cannot_be_said_is_not_pushed),
        cmocka_unit_test(test_no_type_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
