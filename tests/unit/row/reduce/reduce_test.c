/* SPDX-License-Identifier: MIT */
/* Winners by every rule, whatever the order of copies, and with too little memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/row/reduce/reduce.h"
#include "pipeline/row/reduce/reducer.h"
#include "tests/harness/jsonl_fixture.h"

/* A copy: source key, order value (NULL: none), mail and city (NULL: lacks it, NIL: is NULL). */
struct copy {
    const char *key, *source, *order, *mail, *city;
};

static const char NIL[] = "NULL";

static struct datum words(const char *text)
{
    struct datum d = {.state = text ? DATUM_VALUE : DATUM_MISSING};
    if (text == NIL)
        d.state = DATUM_NULL;
    d.u.text = str_of(text);
    return d;
}

static void add(struct reducer *r, const struct extract *ex, const struct copy *c,
                enum col_type order_type)
{
    struct err err = {0};
    struct buf b;
    struct datum cells[3] = {words(c->key), words(c->mail), words(c->city)};
    struct row row = {.table = FIX_OWNER,
                      .extract = 0,
                      .cells = cells,
                      .source_key = str_of(c->source),
                      .order = words(c->order),
                      .order_type = order_type};
    buf_init(&b, BUF_NO_LIMIT);
    candidate_encode(&b, &fix_schema.tables[FIX_OWNER], ex, &row);
    assert_int_equal(reducer_add(r, str_from(buf_view(&b), 4), &err), RC_OK);
    buf_release(&b);
}

static enum rc take_line(void *ctx, struct str line, struct err *err)
{
    (void)err;
    buf_add_str(ctx, line);
    buf_putc(ctx, '\n');
    return RC_OK;
}

static enum rc take_conflict(void *ctx, struct str line, struct err *err)
{
    buf_puts(ctx, "! ");
    return take_line(ctx, line, err);
}

struct trial {
    enum extract_rule rule;
    enum col_type order_type;
    const struct copy *copies;
    size_t n;
    const char *const *owners; /* lines; NULL ended */
    size_t memory;
    struct reducer_totals totals;
};

/* Rows, then conflicts marked with "! ". `order` permutes the copies. Returns owned. */
static char *run(struct trial *t, const size_t *order)
{
    struct extract ex = fix_schema.extracts[0];
    struct schema schema = fix_schema;
    struct reducer *r = NULL;
    struct err err = {0};
    struct buf text;
    ex.rule = t->rule;
    if (t->rule == EXTRACT_MIRROR)
        ex.conflict = UINT32_MAX;
    schema.extracts = &ex;
    buf_init(&text, BUF_NO_LIMIT);
    if (reducer_new(&schema, 0, "/tmp", t->memory ? t->memory : 1 << 20, &r, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < t->n; i++)
        add(r, &ex, &t->copies[order ? order[i] : i], t->order_type);
    for (size_t i = 0; t->owners && t->owners[i]; i++)
        assert_int_equal(reducer_add_owner(r, str_of(t->owners[i]), &err), RC_OK);
    struct reducer_out out = {&text, take_line, take_conflict, NULL};
    for (int again = 0; again < 2; again++) {
        buf_clear(&text);
        assert_int_equal(reducer_run(r, &out, &t->totals, &err), RC_OK);
    }
    reducer_free(r);
    char *result = strdup(buf_cstr(&text));
    buf_release(&text);
    return result;
}

/* Every order of the copies gives the same text. */
static void permute(struct trial *t, size_t *order, size_t k, const char *want)
{
    if (k == t->n) {
        char *have = run(t, order);
        assert_string_equal(have, want);
        free(have);
        return;
    }
    for (size_t i = k; i < t->n; i++) {
        size_t x = order[k];
        order[k] = order[i];
        order[i] = x;
        permute(t, order, k + 1, want);
        order[i] = order[k];
        order[k] = x;
    }
}

static void expect(struct trial *t, const char *want)
{
    size_t order[] = {0, 1, 2, 3, 4, 5};
    assert_true(t->n <= 6);
    permute(t, order, 0, want);
}

static const struct copy COPIES[] = {
    {"k", "s2", "5", "b", "x"},  {"k", "s1", "10", "a", NULL}, {"k", "s3", "7", "b", NULL},
    {"k", "s4", NULL, "c", "y"}, {"k", "s4", "10", "d", NULL},
};
#define TRIAL(r, type)                                                                         \
    {                                                                                          \
        .rule = (r), .order_type = (type), .copies = COPIES, .n = 5                            \
    }
#define LOST(kept, lost, count, source)                                                        \
    "! {\"owner\":\"k\",\"attribute\":\"mail\",\"kept\":\"" kept "\",\"lost\":\"" lost         \
    "\",\"count\":" count ",\"source_key\":\"" source "\"}\n"
#define CITY(kept, lost, source)                                                               \
    "! {\"owner\":\"k\",\"attribute\":\"city\",\"kept\":\"" kept "\",\"lost\":\"" lost         \
    "\",\"count\":1,\"source_key\":\"" source "\"}\n"
#define ROW(mail, city) "{\"owner\":\"k\",\"mail\":\"" mail "\",\"city\":\"" city "\"}\n"

static void test_smallest_source_key_wins_when_first(void **state)
{
    (void)state;
    struct trial t = TRIAL(EXTRACT_FIRST, COL_TEXT);
    expect(&t, ROW("a", "x") LOST("a", "b", "2", "s2") LOST("a", "c", "1", "s4")
                   LOST("a", "d", "1", "s4") CITY("x", "y", "s4"));
    assert_int_equal(t.totals.conflicts, 4);
}

static void test_largest_source_key_wins_when_last(void **state)
{
    (void)state;
    struct trial t = TRIAL(EXTRACT_LAST, COL_TEXT);
    /* c and d come from one item: the value's bytes decide */
    expect(&t, ROW("c", "y") LOST("c", "a", "1", "s1") LOST("c", "b", "2", "s2")
                   LOST("c", "d", "1", "s4") CITY("y", "x", "s2"));
}

static void test_largest_order_value_wins_when_latest(void **state)
{
    (void)state;
    struct trial number = TRIAL(EXTRACT_LATEST, COL_NUMERIC);
    expect(&number, ROW("a", "x") LOST("a", "b", "2", "s2") LOST("a", "c", "1", "s4")
                        LOST("a", "d", "1", "s4") CITY("x", "y", "s4"));
    struct trial text = TRIAL(EXTRACT_LATEST, COL_TEXT);
    expect(&text, ROW("b", "x") LOST("b", "a", "1", "s1") LOST("b", "c", "1", "s4")
                      LOST("b", "d", "1", "s4") CITY("x", "y", "s4"));
}

static void test_most_frequent_value_wins_when_majority(void **state)
{
    (void)state;
    struct trial t = TRIAL(EXTRACT_MAJORITY, COL_TEXT);
    expect(&t, ROW("b", "x") LOST("b", "a", "1", "s1") LOST("b", "c", "1", "s4")
                   LOST("b", "d", "1", "s4") CITY("x", "y", "s4"));
}

static void test_item_itself_wins_when_it_owns_the_key(void **state)
{
    (void)state;
    static const char *const OWNERS[] = {"{\"owner\":\"k\",\"mail\":\"c\"}",
                                         "{\"owner\":\"other\",\"mail\":\"z\",\"city\":null}",
                                         NULL};
    struct trial t = TRIAL(EXTRACT_OWNER, COL_TEXT);
    t.owners = OWNERS;
    /* no row is added; the city the owner lacks stays missing, and both copies are told */
    expect(&t, LOST("c", "a", "1", "s1") LOST("c", "b", "2", "s2") LOST(
                   "c", "d", "1",
                   "s4") "! {\"owner\":\"k\",\"attribute\":\"city\",\"lost\":\"x\",\"count\":1,"
                         "\"source_key\":\"s2\"}\n"
                         "! {\"owner\":\"k\",\"attribute\":\"city\",\"lost\":\"y\",\"count\":1,"
                         "\"source_key\":\"s4\"}\n");
    assert_int_equal(t.totals.rows, 0);
}

static void test_copies_fill_the_key_when_nobody_owns_it(void **state)
{
    (void)state;
    static const char *const OWNERS[] = {"{\"owner\":\"other\",\"mail\":\"z\"}", NULL};
    struct trial t = TRIAL(EXTRACT_OWNER, COL_TEXT);
    t.owners = OWNERS;
    t.n = 2;
    expect(&t, ROW("a", "x") LOST("a", "b", "1", "s2"));
    assert_int_equal(t.totals.rows, 1);
}

static void test_key_alone_is_a_row_when_every_copy_abstains(void **state)
{
    (void)state;
    static const struct copy BARE[] = {{"k", "s1", NULL, NULL, NULL},
                                       {"k", "s2", NULL, NULL, NULL}};
    struct trial t = {.rule = EXTRACT_FIRST, .copies = BARE, .n = 2};
    expect(&t, "{\"owner\":\"k\"}\n");
}

static void test_nulls_have_no_say_when_any_copy_has_a_value(void **state)
{
    (void)state;
    static const struct copy NULLS[] = {{"k", "s0", "9", NIL, NIL},
                                        {"k", "s1", "1", "a", NIL},
                                        {"k", "s2", "2", NIL, NULL},
                                        {"k", "s3", "3", "b", NULL},
                                        {"k", "s4", "8", NIL, NULL}};
    static const char *const WINNER[] = {"a", "a", "b", "b", "a"};
    for (int rule = EXTRACT_OWNER; rule <= EXTRACT_MAJORITY; rule++) {
        struct trial t = {.rule = (enum extract_rule)rule,
                          .order_type = COL_NUMERIC,
                          .copies = NULLS,
                          .n = 5};
        char want[256];
        bool a = WINNER[rule][0] == 'a';
        (void)snprintf(want, sizeof want, "{\"owner\":\"k\",\"mail\":\"%s\",\"city\":null}\n%s",
                       WINNER[rule], a ? LOST("a", "b", "1", "s3") : LOST("b", "a", "1", "s1"));
        expect(&t, want);
        assert_int_equal(t.totals.conflicts, 1);
    }
}

static void test_null_of_the_item_itself_stands_when_it_owns_the_key(void **state)
{
    (void)state;
    static const char *const OWNERS[] = {"{\"owner\":\"k\",\"mail\":null}", NULL};
    static const struct copy SAID[] = {{"k", "s1", NULL, "a", NIL},
                                       {"k", "s2", NULL, NIL, NIL}};
    struct trial t = {.rule = EXTRACT_OWNER, .copies = SAID, .n = 2, .owners = OWNERS};
    expect(&t, "! {\"owner\":\"k\",\"attribute\":\"mail\",\"kept\":null,\"lost\":\"a\","
               "\"count\":1,\"source_key\":\"s1\"}\n");
}

static void test_pairs_without_their_mirror_are_counted_when_symmetric(void **state)
{
    (void)state;
    static const struct copy PAIRS[] = {{"ab", "s1", "1", "late", NULL},
                                        {"ab", "s2", "0", "early", NULL},
                                        {"cd", "s3", "1", "x", NULL}};
    struct trial t = {.rule = EXTRACT_MIRROR, .copies = PAIRS, .n = 3};
    expect(&t, "{\"owner\":\"ab\",\"mail\":\"early\"}\n{\"owner\":\"cd\",\"mail\":\"x\"}\n");
    assert_int_equal(t.totals.missing_mirrors, 1);
    assert_int_equal(t.totals.conflicts, 1);
}

/* 4,000 copies in 4 KB: some 200 runs, so that runs are merged into runs as well. */
static void test_result_is_the_same_when_memory_is_short(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    static char text[MANY][4][24];
    static struct copy copies[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        unsigned x = i * 2654435761U;
        (void)snprintf(text[i][0], 24, "key%u", x % 37);
        (void)snprintf(text[i][1], 24, "source%07u", x % 1000003);
        (void)snprintf(text[i][2], 24, "%u", x % 50);
        (void)snprintf(text[i][3], 24, "mail%u", x / 97 % 11);
        copies[i] = (struct copy){text[i][0], text[i][1], text[i][2], x % 5 ? text[i][3] : NULL,
                                  x % 3 ? text[i][2] : NULL};
    }
    for (int rule = EXTRACT_OWNER; rule <= EXTRACT_MAJORITY; rule++) {
        struct trial t = {.rule = (enum extract_rule)rule,
                          .order_type = COL_NUMERIC,
                          .copies = copies,
                          .n = MANY};
        char *want = run(&t, NULL);
        t.memory = 4096;
        char *have = run(&t, NULL);
        assert_string_equal(have, want);
        assert_int_equal(t.totals.rows, 37);
        assert_true(t.totals.conflicts > 0);
        free(want);
        free(have);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_source_key_wins_when_first),
        cmocka_unit_test(test_largest_source_key_wins_when_last),
        cmocka_unit_test(test_largest_order_value_wins_when_latest),
        cmocka_unit_test(test_most_frequent_value_wins_when_majority),
        cmocka_unit_test(test_item_itself_wins_when_it_owns_the_key),
        cmocka_unit_test(test_copies_fill_the_key_when_nobody_owns_it),
        cmocka_unit_test(test_key_alone_is_a_row_when_every_copy_abstains),
        cmocka_unit_test(test_nulls_have_no_say_when_any_copy_has_a_value),
        cmocka_unit_test(test_null_of_the_item_itself_stands_when_it_owns_the_key),
        cmocka_unit_test(test_pairs_without_their_mirror_are_counted_when_symmetric),
        cmocka_unit_test(test_result_is_the_same_when_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
