/* SPDX-License-Identifier: MIT */
/*
 * The model reader: what good models come out as, and for bad ones every problem with its place.
 * Models are written here with ' for ".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/model.h"
#include "pipeline/stage/stage.h"

static void quoted(struct buf *out, const char *text)
{
    for (; *text; text++)
        buf_putc(out, *text == '\'' ? '"' : *text);
}

/* Reads; the problems as printed are in *out. */
static struct model *read_text(struct str text, struct buf *out, enum rc *rc)
{
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    problems_init(&problems);
    *rc = model_read(text, stage_table, &m, &problems, &err);
    problems_print(&problems, "m", out);
    assert_int_equal(*rc == RC_USAGE, problems.count > 0);
    problems_release(&problems);
    return m;
}

static struct model *read_good(const char *text)
{
    struct buf b, told;
    enum rc rc = RC_OK;
    buf_init(&b, BUF_NO_LIMIT);
    buf_init(&told, BUF_NO_LIMIT);
    quoted(&b, text);
    struct model *m = read_text(buf_view(&b), &told, &rc);
    if (rc)
        fail_msg("%s", buf_cstr(&told));
    buf_release(&b);
    buf_release(&told);
    return m;
}

static void expect_problems(const char *text, const char *want)
{
    struct buf b, told, w;
    enum rc rc = RC_OK;
    buf_init(&b, BUF_NO_LIMIT);
    buf_init(&told, BUF_NO_LIMIT);
    buf_init(&w, BUF_NO_LIMIT);
    quoted(&b, text);
    quoted(&w, want);
    struct model *m = read_text(buf_view(&b), &told, &rc);
    if (strcmp(buf_cstr(&told), buf_cstr(&w)) != 0)
        fail_msg("got:\n%swant:\n%s", buf_cstr(&told), buf_cstr(&w));
    model_free(m);
    buf_release(&b);
    buf_release(&told);
    buf_release(&w);
}

static void test_read_fills_the_model(void **state)
{
    (void)state;
    struct model *m =
        read_good("{\n"
                  "  // comments and trailing commas are fine\n"
                  "  'renorm': 1, '$schema': 'x', 'name': 'shop',\n"
                  "  'source': {'type': '_et', 'key': ['PK', 'SK'],\n"
                  "             'indexing': ['GSI*'], 'ttl': 'TTL'},\n"
                  "  'rest': 'drop', 'nulls': 'keep',\n"
                  "  'entities': {\n"
                  "    'OrderLine': {'types': ['line', 'Line'],\n"
                  "      'keys': {'PK': 'O#{o}', 'SK': 'L#{n:bigint:3}'},\n"
                  "      'primary_key': 'o', 'rest': 'reject', 'prefer': 'part',\n"
                  "      'references': [{'columns': 'o', 'to': 'orders'}],\n"
                  "      'columns': {'o': 'text', 'at': {'type': 'timestamptz',\n"
                  "        'from': 'A.b', 'unit': 'ms', 'not_null': true,\n"
                  "        'lossy': ['round', 'nul'], 'prefer': 'attribute'}},},\n"
                  "    'Order': {'table': 'orders', 'when': {'PK': 'O#*'}},\n"
                  "  },\n"
                  "}\n");
    assert_true(str_is(m->name, "shop") && str_is(m->type, "_et") && str_is(m->ttl, "TTL"));
    assert_int_equal(m->key.n, 2);
    assert_true(m->indexing_given && str_is(m->indexing.v[0], "GSI*"));
    assert_int_equal(m->rest, REST_DROP);
    assert_int_equal(m->nulls, NULLS_KEEP);
    assert_int_equal(m->nentities, 2);
    const struct entity *e = &m->entities[0];
    assert_true(str_is(e->name, "OrderLine") && str_is(e->table, "order_line"));
    assert_string_equal(e->table.p, "order_line");
    assert_int_equal(e->place.line, 8);
    assert_int_equal(e->place.column, 5);
    assert_int_equal(e->types.n, 2);
    assert_int_equal(e->keys.n, 2);
    assert_int_equal(e->keys.v[1].tpl.pieces[1].pad, 3);
    assert_int_equal(e->primary_key.n, 1);
    assert_int_equal(e->rest, REST_REJECT);
    assert_int_equal(e->prefer, PREFER_PART);
    assert_true(str_is(e->references.v[0].to, "orders"));
    const struct column_spec *c = &e->columns.v[1];
    assert_int_equal(c->cast.type, COL_TIMESTAMPTZ);
    assert_int_equal(c->cast.unit, UNIT_MS);
    assert_int_equal(c->cast.lossy, LOSSY_ROUND | LOSSY_NUL);
    assert_true(c->not_null && c->from.n == 2 && str_is(c->from.members[1], "b"));
    assert_int_equal(c->prefer, PREFER_ATTRIBUTE);
    assert_int_equal(c->place.line, 12);
    assert_non_null(m->entities[1].when);
    model_free(m);
}

static void test_read_has_defaults(void **state)
{
    (void)state;
    struct model *m = read_good("{'renorm': 1, 'entities': {'A': {}}}");
    assert_true(str_is(m->type, "Type"));
    assert_int_equal(m->name.n, 0);
    assert_int_equal(m->key.n, 0);
    assert_false(m->indexing_given);
    assert_int_equal(m->rest, REST_EXTRA);
    assert_int_equal(m->nulls, NULLS_FOLD);
    assert_int_equal(m->entities[0].rest, REST_INHERIT);
    model_free(m);
}

static void expect_stage(const struct stage_spec *s, const char *name, const char *explained)
{
    struct transform_trace no_rows = {.fate = ITEM_FILTERED};
    struct buf out;
    buf_init(&out, BUF_NO_LIMIT);
    assert_string_equal(s->stage->name, name);
    s->stage->explain(s->spec, &(struct stage_explain){&out, &no_rows, NULL});
    assert_string_equal(buf_cstr(&out), explained);
    buf_release(&out);
}

static void test_read_takes_every_stage(void **state)
{
    (void)state;
    struct model *m = read_good(
        "{'renorm': 1, 'entities': {'A': {'stages': [\n"
        "  {'keys': {'GSI1PK': 'X#{x}'}}, {'strip': ['GSI*']}, {'pick': ['a', ['b', 'c']]},\n"
        "  {'drop': 'd.e'}, {'rename': {'old.x': 'new'}}, {'default': {'n': 1.50, 's': "
        "null}},\n"
        "  {'flatten': 'Address'}, {'flatten': {'from': ['B'], 'depth': 2}},\n"
        "  {'explode': {'from': 'L', 'into': 'l', 'ordinal': 'i', 'columns': {'p': {'type':\n"
        "    'text', 'from': '^Name'}}, 'rest': 'drop', 'stages': [{'explode': {'from': 'M',\n"
        "    'into': 'm'}}]}},\n"
        "  {'extract': {'into': 'c', 'key': 'id', 'columns': ['id', 'x'], 'rule': 'latest',\n"
        "    'by': 'At'}},\n"
        "  {'link': {'x': 'l', 'y': 'm', 'symmetric': true}},\n"
        "  {'symmetric': true, 'link': {'x': 'l', 'symmetric': 'm'}},\n"
        "  {'derive': {'k': '{a.b|lower}#{c}'}}, {'filter': {'n': {'>': 1}}},\n"
        "  {'filter': {'drop': {'n': 1}}}, {'filter': {'drop': 'x'}}, {'mask': ['email']},\n"
        "  {'mask': {'fields': ['a'], 'method': 'blank'}}, {'document': 'PayLoad'},\n"
        "  {'document': {'from': '*', 'into': 'left'}}]}}}");
    /* what a stage has read is its own: it shows in how it explains itself */
    static const char *const WANT[][2] = {
        {"keys", ": GSI1PK \"X#{x}\" is not there"},
        {"strip", ": nothing here"},
        {"pick", ": a, b.c"},
        {"drop", ": d.e"},
        {"rename", ": old.x becomes new"},
        {"default", ": n, if missing, is 1.5, s, if missing, is null"},
        {"flatten", ": Address"},
        {"flatten", ": B"},
        {"explode", ": L, into l"},
        {"extract", ": into c"},
        {"link", ": x to l, y to m"},
        {"link", ": x to l, symmetric to m"},
        {"derive", ": k from \"{a.b|lower}#{c}\""},
        {"filter", ": keeps if n > 1"},
        {"filter", ": drops if n = 1"},
        {"filter", ": keeps if drop = \"x\""}, /* an attribute called drop */
        {"mask", ": email hashed"},
        {"mask", ": a blanked"},
        {"document", ": PayLoad as pay_load"},
        {"document", ": all that is left as left"}};
    const struct stages_spec *s = &m->entities[0].stages;
    assert_int_equal(s->n, sizeof WANT / sizeof WANT[0]);
    for (size_t i = 0; i < s->n; i++)
        expect_stage(&s->v[i], WANT[i][0], WANT[i][1]);
    model_free(m);
}

static void test_read_takes_both_forms_of_backfill(void **state)
{
    (void)state;
    struct model *m = read_good(
        "{'renorm': 1, 'entities': {\n"
        "'A': {'backfill': {'GSI1PK': 'S#{s}', 'Old': null, 'n': {'type': 'N', 'value':\n"
        "  '{n}'}}, 'backfill_when': {'s': {'exists': true}}, 'backfill_missing': 'fail'},\n"
        "'B': {'backfill': {'set': {'GSI1PK': 'S#{s}'}, 'when': {'a': 1},\n"
        "  'missing': 'fail'}},\n"
        "'C': {'backfill': {'set': 'S#{s}'}}}}");
    const struct entity *e = m->entities;
    assert_int_equal(e[0].nbackfill, 3);
    assert_true(e[0].backfill[1].remove);
    assert_int_equal(e[0].backfill[0].kind, VAL_S);
    assert_int_equal(e[0].backfill[2].kind, VAL_N);
    assert_non_null(e[0].backfill_when);
    assert_int_equal(e[0].backfill_missing, MISSING_FAIL);
    assert_int_equal(e[1].nbackfill, 1);
    assert_non_null(e[1].backfill_when);
    assert_int_equal(e[1].backfill_missing, MISSING_FAIL);
    assert_true(str_is(e[2].backfill[0].attribute, "set"));
    model_free(m);
}

static void expect_same_hash(const char *a, const char *b, bool same)
{
    struct model *x = read_good(a), *y = read_good(b);
    assert_int_equal(x->hash.n, 64);
    if (str_eq(x->hash, y->hash) != same)
        fail_msg("%s and %s", a, b);
    model_free(x);
    model_free(y);
}

static void test_hash_sees_meaning_not_spelling(void **state)
{
    (void)state;
    const char *plain = "{'renorm':1,'entities':{'A':{},'B':{}}}";
    expect_same_hash(plain, "{ 'renorm': 1, // one\n 'entities': {'A': {}, 'B': {},},}", true);
    expect_same_hash(plain, "{'$schema':'s','renorm':1,'entities':{'\\u0041':{},'B':{}}}",
                     true);
    expect_same_hash(plain, "{'renorm':1,'entities':{'B':{},'A':{}}}", false);
    expect_same_hash(plain, "{'renorm':1,'entities':{'A':{},'B':{'rest':'drop'}}}", false);
}

static void test_read_skips_a_byte_order_mark(void **state)
{
    (void)state;
    struct model *m = read_good("\xEF\xBB\xBF{'renorm':1,'entities':{'A':{}}}");
    assert_int_equal(m->entities[0].place.column, 25);
    model_free(m);
    expect_problems("\xEF\xBB\xBF{'renorm':2,'entities':{'A':{}}}",
                    "m:1:11: 'renorm' must be 1, the version of the model format that this "
                    "program reads\n");
}

static void test_columns_count_characters(void **state)
{
    (void)state;
    expect_problems("{'renorm':1,'entities':{'\xC3\x84\xE2\x82\xAC':{'rest':'x'}}}",
                    "m:1:38: 'rest' cannot be 'x'\n"
                    "hint: use 'extra', 'drop' or 'reject'\n");
}

static void test_file_that_is_not_there(void **state)
{
    (void)state;
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    problems_init(&problems);
    assert_int_equal(model_read_file("no/such/model.json", stage_table, &m, &problems, &err),
                     RC_USAGE);
    assert_null(m);
    assert_string_equal(
        err.msg, "cannot read the model \"no/such/model.json\": No such file or directory");
    problems_release(&problems);
}

static void test_read_refuses_what_nests_too_deep(void **state)
{
    (void)state;
    struct buf b, told;
    enum rc rc = RC_OK;
    buf_init(&b, BUF_NO_LIMIT);
    buf_init(&told, BUF_NO_LIMIT);
    quoted(&b, "{'renorm':1,'entities':{'A':{'when':");
    for (int i = 0; i < 100000; i++)
        quoted(&b, "{'not':");
    buf_puts(&b, "{}");
    for (int i = 0; i < 100003; i++)
        buf_putc(&b, '}');
    struct model *m = read_text(buf_view(&b), &told, &rc);
    assert_string_equal(buf_cstr(&told), "m:1:1: nested deeper than 64 levels\n");
    model_free(m);
    buf_release(&b);
    buf_release(&told);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_fills_the_model),
        cmocka_unit_test(test_read_has_defaults),
        cmocka_unit_test(test_read_takes_every_stage),
        cmocka_unit_test(test_read_takes_both_forms_of_backfill),
        cmocka_unit_test(test_hash_sees_meaning_not_spelling),
        cmocka_unit_test(test_read_skips_a_byte_order_mark),
        cmocka_unit_test(test_columns_count_characters),
        cmocka_unit_test(test_file_that_is_not_there),
        cmocka_unit_test(test_read_refuses_what_nests_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
