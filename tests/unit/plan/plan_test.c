/* SPDX-License-Identifier: MIT */
/*
 * Models compiled: the tables that come out, and every problem the planner tells. Models and
 * texts are written with ' for ".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/plan/plan.h"
#include "pipeline/stage/stage.h"

struct made {
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct buf text;
};

static void swap_quotes(struct buf *b, char from, char to)
{
    for (size_t i = 0; i < b->len; i++) {
        if (b->p[i] == from)
            b->p[i] = to;
    }
}

/* Reads and compiles; the problems are in m->text. */
static enum rc make(struct made *m, const char *entities)
{
    struct err err = {0};
    struct buf text;
    *m = (struct made){0};
    buf_init(&text, (size_t)1 << 20);
    buf_init(&m->text, (size_t)1 << 20);
    buf_puts(&text, "{'renorm':1,'name':'t','source':{'key':['PK']},'entities':{\n");
    buf_puts(&text, entities);
    buf_puts(&text, "}}");
    swap_quotes(&text, '\'', '"');
    problems_init(&m->problems);
    enum rc rc = model_read(buf_view(&text), stage_table, &m->model, &m->problems, &err);
    if (!rc)
        rc = plan_new(m->model, &(struct plan_options){0}, &m->plan, &m->problems, &err);
    problems_print(&m->problems, "m", &m->text);
    swap_quotes(&m->text, '"', '\'');
    buf_release(&text);
    return rc;
}

static void done(struct made *m)
{
    plan_free(m->plan);
    model_free(m->model);
    problems_release(&m->problems);
    buf_release(&m->text);
}

struct faulty_plan {
    const char *entities, *problems;
};

static void each(const struct faulty_plan *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct made m;
        enum rc rc = make(&m, v[i].entities);
        assert_string_equal(buf_cstr(&m.text), v[i].problems);
        assert_int_equal(rc, RC_USAGE);
        done(&m);
    }
}

#define COUNT(v) (sizeof(v) / sizeof(v)[0])

static void test_problems_of_keys(void **state)
{
    (void)state;
    static const struct faulty_plan CASES[] = {
        {"'A':{'table':'a','primary_key':['x'],'columns':{'y':'text'}}",
         "m:2:18: the primary key of 'A' names 'x', which is neither a column nor a key part\n"
         "hint: add it to 'columns'\n"},
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'text','y':'text'}},\n"
         "'B':{'table':'a','primary_key':['y'],'columns':{'x':'text','y':'text'}}",
         "m:3:1: table 'a' has another primary key in an entity before this one\n"},
        {"'A':{'table':'a','columns':{'x':'text'}},\n"
         "'B':{'table':'a','columns':{'x':'bigint'}}",
         "m:3:29: column 'x' of table 'a' is bigint here and text elsewhere\n"
         "hint: give it one type, or another name\n"},
    };
    each(CASES, COUNT(CASES));
}

static void test_problems_of_references(void **state)
{
    (void)state;
    static const struct faulty_plan CASES[] = {
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'text','y':'text'}},\n"
         "'B':{'table':'b','references':[{'columns':['z'],'to':'a'}],'columns':{'q':'text'}}",
         "m:3:33: no column 'z' in table 'b'\nhint: add it to 'columns'\n"},
        /* what follows from a mistake is not told, nor the mistake again */
        {"'A':{'table':'a','primary_key':['nme'],'columns':{'name':'text'}},\n"
         "'B':{'table':'b','references':[{'columns':['nam'],'to':'a'},{'columns':['nam'],\n"
         "'to':'c'}],'columns':{'name':'text'}},\n"
         "'C':{'table':'c','primary_key':'name','columns':{'name':'text'}}",
         "m:2:18: the primary key of 'A' names 'nme', which is neither a column nor a key "
         "part\nhint: did you mean 'name'?\n"
         "m:3:62: no column 'nam' in table 'b'\nhint: did you mean 'name'?\n"},
        {"'A':{'table':'a','primary_key':['x','y'],'columns':{'x':'text','y':'text'}},\n"
         "'B':{'table':'b','references':[{'columns':['q'],'to':'a'}],'columns':{'q':'text'}}",
         "m:3:33: the key of table 'a' has 2 columns, 1 are named here\n"},
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'text'}},\n"
         "'B':{'table':'b','references':[{'columns':['q'],'to':'a'}],'columns':{'q':'bigint'}}",
         "m:3:33: column 'q' is bigint, but 'x' of table 'a' is text\n"
         "hint: give both one type\n"},
        {"'B':{'table':'b','references':[{'columns':['q'],'to':'a'}],'columns':{'q':'bigint'}}",
         "m:2:33: no entity or stage makes a table 'a'\n"
         "hint: name one that 'table' or 'into' names\n"},
    };
    each(CASES, COUNT(CASES));
}

static void test_problems_of_children(void **state)
{
    (void)state;
    static const struct faulty_plan CASES[] = {
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'explode':{'from':'L','into':'l'}}]}",
         "m:3:12: 'L' is exploded, but table 'a' has no primary key for its children\n"
         "hint: add 'primary_key'\n"},
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'text'},\n"
         "'stages':[{'explode':{'from':'L','into':'l'}},\n"
         "{'explode':{'from':'M','into':'l'}}]}",
         "m:4:2: two things are exploded into, or named, table 'l'\n"
         "hint: give each its own\n"},
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'text'},\n"
         "'stages':[{'explode':{'from':'L','into':'l','columns':{'extra':'text'}}}]}",
         "m: table 'l' has a column 'extra', which is the name of the column for what the "
         "model does not name\n"
         "hint: rename it, or set 'rest' to 'drop' or 'reject'\n"},
        {"'A':{'table':'a','primary_key':['value'],'columns':{'value':'text'},\n"
         "'stages':[{'explode':{'from':'L','into':'l'}}]}",
         "m:3:12: table 'l': 'value' would be both of the parent and of the element\n"
         "hint: give one of them another name\n"},
        {"'A':{'table':'a','primary_key':['x'],'columns':{'x':'integer'},\n"
         "'stages':[{'explode':{'from':'L','into':'l','ordinal':'x'}}]}",
         "m:3:12: table 'l': 'x' would be both of the parent and of the element\n"
         "hint: give one of them another name\n"},
        {"'A':{'table':'a','columns':{'x':{'type':'text','from':'^Name'}}}",
         "m:2:29: '^Name' reads a parent, but this is not inside an explode\n"
         "hint: leave out the ^\n"},
        {"'A':{'table':'a','columns':{'extra':'text'}}",
         "m:2:1: table 'a' has a column 'extra', which is the name of the column for what the "
         "model does not name\n"
         "hint: rename it, or set 'rest' to 'drop' or 'reject'\n"},
    };
    each(CASES, COUNT(CASES));
}

static void test_problems_of_links_and_extracts(void **state)
{
    (void)state;
    static const struct faulty_plan CASES[] = {
        {"'A':{'table':'a','columns':{'x':'text','y':'text','z':'text'},\n"
         "'stages':[{'link':{'x':'p','y':'p','z':'p','symmetric':true}}]},\n"
         "'P':{'table':'p','primary_key':['i'],'columns':{'i':'text'}}",
         "m:3:12: a symmetric link needs two columns, not 3\n"},
        {"'A':{'table':'a','columns':{'x':'text','y':'bigint'},\n"
         "'stages':[{'link':{'x':'p','y':'q','symmetric':true}}]},\n"
         "'P':{'table':'p','primary_key':['i'],'columns':{'i':'text'}},\n"
         "'Q':{'table':'q','primary_key':['i'],'columns':{'i':'bigint'}}",
         "m:2:1: the two columns of a symmetric link must be of one type, 'x' is text and 'y' "
         "is bigint\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','v':'text'}}}]},\n"
         "'C':{'table':'e_conflict','columns':{'x':'text'}}",
         "m:3:12: table 'e_conflict' holds the conflicts of an extract, a merge or a symmetric "
         "link, and is the "
         "table of something else\nhint: rename one of them\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','v':'text'}}},\n"
         "{'extract':{'into':'e_conflict','key':['k'],'columns':{'k':'text'}}}]}",
         "m:4:2: table 'e_conflict' holds the conflicts of an extract, a merge or a symmetric "
         "link, and is the "
         "table of something else\nhint: rename one of them\n"},
        {"'A':{'table':'a','columns':{'x':'text','y':'text'},\n"
         "'stages':[{'link':{'x':'p','y':'p'}},\n"
         "{'link':{'y':'p','x':'p'}}]},\n"
         "'P':{'table':'p','primary_key':['i'],'columns':{'i':'text'}}",
         "m:4:2: a second 'link' in one entity\n"
         "hint: name all sides in one link\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'v':'text'}}}]}",
         "m:3:12: key column 'k' is not among the columns of the extract\n"
         "hint: add it to 'columns'\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','v':'text'},'rule'"
         ":'owner'}}]}",
         "m:3:12: rule 'owner' needs 'e' to be the table of an entity\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','v':'text'},'rule'"
         ":'first'}}]},\n"
         "'B':{'table':'b','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','v':'text'},'rule'"
         ":'last'}}]}",
         "m:5:12: extracts into 'e' name different rules\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['v'],'columns':{'k':'text','v':'text'}}}]},\n"
         "'E':{'table':'e','primary_key':['k'],'columns':{'k':'text','v':'text'}}",
         "m:3:12: the key of this extract is not the primary key of 'e'\n"},
        {"'A':{'table':'a','columns':{'x':'text'},\n"
         "'stages':[{'extract':{'into':'e','key':['k'],'columns':{'k':'text','w':'text'}}}]},\n"
         "'E':{'table':'e','primary_key':['k'],'columns':{'k':'text','v':'text'}}",
         "m:3:68: table 'e' has no column 'w' to extract into\n"
         "hint: add it to its entity\n"},
    };
    each(CASES, COUNT(CASES));
}

#define N60 "n12345678901234567890123456789012345678901234567890123456789"

static void test_problems_of_names(void **state)
{
    (void)state;
    static const struct faulty_plan CASES[] = {
        {"'A':{'table':'" N60 "abcX','columns':{'x':'text'}},\n"
         "'B':{'table':'" N60 "abcY','columns':{'x':'text'}}",
         "m:3:1: table '" N60 "'... is equal in its first 63 bytes to table '" N60 "'...\n"
         "hint: shorten one\n"},
        {"'A':{'table':'a','columns':{'" N60 "abcX':'text','" N60 "abcY':'text'}}",
         "m:2:103: column '" N60
         "'... and the one at line 2 are equal in their first 63 bytes\n"
         "hint: shorten one and name its attribute with 'from'\n"},
        {"'A':{'table':'a','columns':{'x':'text'},'stages':[{'extract':{'into':'" N60 "abc',"
         "'key':['k'],'columns':{'k':'text'}}}]}",
         "m: tables '" N60 "abc' and '" N60
         "abc_conflict' are equal in their first 63 bytes\n"},
    };
    each(CASES, COUNT(CASES));
}

static void test_too_many_columns(void **state)
{
    (void)state;
    struct buf text;
    struct made m;
    buf_init(&text, (size_t)1 << 20);
    buf_puts(&text, "'A':{'table':'a','rest':'drop','columns':{");
    for (int i = 0; i < 1600; i++)
        buf_addf(&text, "%s'c%d':'text'", i ? "," : "", i);
    buf_puts(&text, "}}");
    assert_int_equal(make(&m, buf_cstr(&text)), RC_USAGE);
    assert_string_equal(buf_cstr(&m.text),
                        "m: table 'a' has 1600 columns, PostgreSQL takes 1599\n"
                        "hint: keep some of them in a document or a child table\n");
    done(&m);
    buf_release(&text);
}

static void test_too_many_extracts(void **state)
{
    (void)state;
    struct buf text;
    struct made m;
    buf_init(&text, (size_t)1 << 20);
    buf_puts(&text, "'A':{'table':'a','columns':{'x':'text'},'stages':[");
    for (int i = 0; i < 65; i++) {
        buf_addf(&text, "%s{'extract':{'into':'t%d','key':['k%d'],'columns':{'k%d':'text'}}}",
                 i ? ",\n" : "\n", i, i, i);
    }
    buf_puts(&text, "]}");
    assert_int_equal(make(&m, buf_cstr(&text)), RC_USAGE);
    assert_string_equal(buf_cstr(&m.text), "m:67:2: too many extracts in one place\n");
    done(&m);
    buf_release(&text);
}

static const struct table *table_of(const struct made *m, const char *name)
{
    for (uint32_t i = 0; i < m->plan->schema.ntables; i++) {
        if (str_is(m->plan->schema.tables[i].name, name))
            return &m->plan->schema.tables[i];
    }
    fail_msg("no table %s", name);
    return NULL;
}

static void test_tables_keys_and_references(void **state)
{
    (void)state;
    struct made m;
    assert_int_equal(make(&m, "'C':{'keys':{'PK':'C#{c}'},'table':'c','primary_key':['c'],\n"
                              "'stages':[{'explode':{'from':'Tags','into':'tag',"
                              "'ordinal':'at'}}],'columns':{'n':'text'}},\n"
                              "'O':{'keys':{'PK':'O#{o}#{c}'},'table':'o','primary_key':['o'],"
                              "'references':[{'columns':['c'],'to':'c'}],"
                              "'columns':{'c':'text','t':'numeric'}}"),
                     RC_OK);
    assert_int_equal(m.plan->schema.ntables, 3);
    const struct table *c = table_of(&m, "c");
    assert_int_equal(c->kind, TABLE_ENTITY);
    assert_int_equal(c->nkey, 1);
    assert_true(str_is(c->columns[c->key[0]].name, "c"));
    assert_true(c->columns[c->key[0]].not_null);
    const struct table *tag = table_of(&m, "tag");
    assert_int_equal(tag->kind, TABLE_CHILD);
    assert_ptr_equal(&m.plan->schema.tables[tag->parent], c);
    assert_int_equal(tag->nkey, 2);
    assert_true(str_is(tag->columns[tag->key[1]].name, "at"));
    assert_int_equal(tag->columns[tag->key[1]].type, COL_INTEGER);
    const struct table *o = table_of(&m, "o");
    assert_int_equal(o->nreferences, 1);
    assert_ptr_equal(&m.plan->schema.tables[o->references[0].to], c);
    assert_true(str_is(o->columns[o->references[0].columns[0]].name, "c"));
    done(&m);
}

/* A constraint made twice would be checked twice, and its orphans counted twice. */
static void test_a_reference_that_two_entities_say_is_one(void **state)
{
    (void)state;
    struct made m;
    assert_int_equal(
        make(&m,
             "'P':{'table':'p','primary_key':['x','y'],'columns':{'x':'text','y':'text'}},\n"
             "'A':{'table':'o','references':[{'columns':['a','b'],'to':'p'}],"
             "'columns':{'a':'text','b':'text'}},\n"
             "'B':{'table':'o','references':[{'columns':['a','b'],'to':'p'},"
             "{'columns':['b','a'],'to':'p'}],'columns':{'b':'text','a':'text'}}"),
        RC_OK);
    const struct table *o = table_of(&m, "o");
    assert_int_equal(o->nreferences, 2); /* the other order is another reference */
    done(&m);
}

static void test_extract_makes_a_table_and_its_conflicts(void **state)
{
    (void)state;
    struct made m;
    assert_int_equal(make(&m, "'A':{'table':'a','columns':{'x':'text'},'stages':[{'extract':{"
                              "'into':'e','key':['k'],'columns':{'k':'bigint','v':'text'}}}]}"),
                     RC_OK);
    assert_int_equal(m.plan->schema.nextracts, 1);
    const struct extract *x = &m.plan->schema.extracts[0];
    assert_ptr_equal(&m.plan->schema.tables[x->into], table_of(&m, "e"));
    assert_int_equal(x->ncolumns, 2);
    const struct table *conflict = table_of(&m, "e_conflict");
    static const char *const NAMES[] = {"k",    "attribute", "kept",
                                        "lost", "count",     "source_key"};
    assert_ptr_equal(&m.plan->schema.tables[x->conflict], conflict);
    assert_int_equal(conflict->ncolumns, COUNT(NAMES));
    for (size_t i = 0; i < COUNT(NAMES); i++)
        assert_true(str_is(conflict->columns[i].name, NAMES[i]));
    assert_int_equal(conflict->columns[0].type, COL_BIGINT);
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_keys),
        cmocka_unit_test(test_problems_of_references),
        cmocka_unit_test(test_problems_of_children),
        cmocka_unit_test(test_problems_of_links_and_extracts),
        cmocka_unit_test(test_problems_of_names),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test(test_too_many_extracts),
        cmocka_unit_test(test_tables_keys_and_references),
        cmocka_unit_test(test_a_reference_that_two_entities_say_is_one),
        cmocka_unit_test(test_extract_makes_a_table_and_its_conflicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
