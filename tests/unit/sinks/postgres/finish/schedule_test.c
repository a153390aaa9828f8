/* SPDX-License-Identifier: MIT */
/* Steps side by side: whatever is under way at a time, and in whatever order it ends, no step is begun
   before what it needs, and none that the server would make wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sinks/postgres/finish/schedule.h"

enum { CUSTOMER, ORDERS, LINE, PLACE, LOST, TABLES };

/* A customer has orders, an order has lines; places and customers are copied from orders. */
static uint32_t first[] = {0}, both[] = {0, 1};
static struct column names[] = {{.name = {"a", 1}, .type = COL_TEXT},
                                {.name = {"b", 1}, .type = COL_TEXT}};
static struct reference to_customer = {first, 1, CUSTOMER, first};
static struct reference to_orders = {first, 1, ORDERS, first};
static struct table tables[TABLES] = {
    {.name = {"customer", 8}, .parent = UINT32_MAX, .columns = names, .key = first},
    {.name = {"orders", 6}, .parent = UINT32_MAX, .references = &to_customer, .key = first},
    {.name = {"line", 4}, .kind = TABLE_CHILD, .parent = ORDERS, .references = &to_orders},
    {.name = {"place", 5}, .kind = TABLE_EXTRACT, .parent = UINT32_MAX, .key = first},
    {.name = {"lost", 4}, .kind = TABLE_CONFLICT, .parent = UINT32_MAX, .key = first}};
static struct extract extracts[] = {
    {.into = PLACE, .conflict = LOST, .rule = EXTRACT_FIRST, .columns = both, .ncolumns = 2},
    {.into = CUSTOMER,
     .conflict = LOST,
     .rule = EXTRACT_OWNER,
     .columns = both,
     .ncolumns = 2}};
static const uint64_t rows[TABLES] = {1000, 20000, 50000, 0, 0};

static struct schema schema_of(void)
{
    for (int i = 0; i < TABLES; i++) {
        tables[i].columns = names;
        tables[i].ncolumns = 2;
        tables[i].nkey = i == LINE ? 2 : 1;
        tables[i].nreferences = tables[i].references ? 1 : 0;
    }
    tables[LINE].key = both;
    return (struct schema){
        .tables = tables, .ntables = TABLES, .extracts = extracts, .nextracts = 2};
}

struct fixture {
    struct schema schema;
    struct pg_run run;
    struct pg_steps steps;
    struct pg_schedule schedule;
};

static void begin(struct fixture *f, enum pg_mode mode)
{
    struct err err;
    *f = (struct fixture){.schema = schema_of()};
    f->run.schema = &f->schema;
    f->run.opts.mode = mode;
    assert_int_equal(pg_steps_make(&f->steps, &f->run, &err), RC_OK);
    assert_int_equal(pg_schedule_init(&f->schedule, &f->schema, &f->steps, rows, &err), RC_OK);
}

static void end(struct fixture *f)
{
    pg_schedule_release(&f->schedule);
    free(f->steps.v);
}

/* The number of steps of a kind and table (or extract) that are not in the state. */
static uint32_t not_yet(const struct fixture *f, enum pg_step_kind kind, uint32_t table)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->steps.n; i++) {
        const struct pg_step *s = &f->steps.v[i];
        n += s->kind == kind && s->table == table && f->schedule.state[i] != PG_STEP_DONE;
    }
    return n;
}

static bool alone(enum pg_step_kind kind)
{
    return kind == PG_STEP_EARLY || kind == PG_STEP_KEY || kind == PG_STEP_DUPLICATES ||
           kind == PG_STEP_PLAIN;
}

static void check_needs(const struct fixture *f, uint32_t step)
{
    const struct pg_step *s = &f->steps.v[step];
    switch ((int)s->kind) {
    case PG_STEP_REFER:
    case PG_STEP_FOREIGN:
        assert_int_equal(not_yet(f, PG_STEP_KEY, s->table == LINE ? ORDERS : CUSTOMER), 0);
        assert_int_equal(not_yet(f, PG_STEP_DUPLICATES, s->table), 0);
        break;
    case PG_STEP_REDUCE:
        if (s->table == 1)
            assert_int_equal(not_yet(f, PG_STEP_DUPLICATES, CUSTOMER), 0);
        break;
    case PG_STEP_KEY:
        if (s->table == CUSTOMER)
            assert_int_equal(not_yet(f, PG_STEP_REDUCE, 1), 0);
        assert_int_equal(not_yet(f, PG_STEP_DUPLICATES, s->table), 0);
        break;
    case PG_STEP_DUPLICATES:
        for (uint32_t t = 0; t < TABLES; t++)
            assert_int_equal(not_yet(f, PG_STEP_COUNT, t), 0);
        if (s->table == LINE)
            assert_int_equal(not_yet(f, PG_STEP_DUPLICATES, ORDERS), 0);
        break;
    case PG_STEP_TOTAL:
        assert_int_equal(not_yet(f, PG_STEP_KEY, s->table), 0);
        assert_int_equal(not_yet(f, PG_STEP_FOREIGN, s->table), 0);
        break;
    default:
        break;
    }
}

static void check_beside(const struct fixture *f, uint32_t step)
{
    const struct pg_step *s = &f->steps.v[step];
    for (uint32_t i = 0; i < f->steps.n; i++) {
        const struct pg_step *other = &f->steps.v[i];
        bool extract = other->kind == PG_STEP_REDUCE || other->kind == PG_STEP_MIRRORS;
        if (i == step || f->schedule.state[i] != PG_STEP_UNDER_WAY || extract)
            continue;
        if (alone(s->kind) && other->kind != PG_STEP_REJECTS)
            assert_true(other->kind == PG_STEP_LOGGED || other->table != s->table);
    }
}

/* With so many lanes, ending what is under way in an order made of `seed`. */
static void walk(enum pg_mode mode, uint32_t lanes, uint32_t seed)
{
    struct fixture f;
    uint32_t busy[8], n = 0, done = 0;
    begin(&f, mode);
    while (f.schedule.left > 0) {
        while (n < lanes && pg_schedule_take(&f.schedule, &busy[n])) {
            check_needs(&f, busy[n]);
            check_beside(&f, busy[n]);
            n++;
        }
        assert_true(n > 0); /* else nothing would ever be done */
        seed = seed * 1103515245 + 12345;
        uint32_t which = (seed >> 16) % n;
        bool fails = (seed >> 8) % 7 == 0;
        pg_schedule_end(&f.schedule, busy[which], !fails);
        done += !fails;
        busy[which] = busy[--n];
    }
    assert_int_equal(done, f.steps.n);
    struct pg_schedule_work w = pg_schedule_work(&f.schedule);
    assert_true(w.done >= w.all);
    end(&f);
}

static void test_every_step_is_dealt_once_in_any_order(void **state)
{
    (void)state;
    for (uint32_t lanes = 1; lanes <= 8; lanes++) {
        for (uint32_t seed = 0; seed < 60; seed++) {
            walk(PG_REPLACE, lanes, seed);
            walk(PG_MERGE, lanes, seed);
        }
    }
}

/* Takes and ends steps until one of another kind than counts comes. */
static struct pg_step first_work(struct fixture *f)
{
    uint32_t step = 0;
    do {
        assert_true(pg_schedule_take(&f->schedule, &step));
        if (f->steps.v[step].kind == PG_STEP_COUNT ||
            f->steps.v[step].kind == PG_STEP_REJECTS || f->steps.v[step].kind == PG_STEP_LOGGED)
            pg_schedule_end(&f->schedule, step, true);
    } while (f->schedule.state[step] == PG_STEP_DONE);
    return f->steps.v[step];
}

static void test_longest_comes_first_and_another_beside_it(void **state)
{
    struct fixture f;
    uint32_t beside = 0;
    (void)state;
    struct schema plain = schema_of();
    plain.nextracts = 0;
    begin(&f, PG_REPLACE);
    end(&f);
    struct err err;
    f.schema = plain;
    f.steps = (struct pg_steps){0};
    assert_int_equal(pg_steps_make(&f.steps, &f.run, &err), RC_OK);
    assert_int_equal(pg_schedule_init(&f.schedule, &f.schema, &f.steps, rows, &err), RC_OK);
    struct pg_step one = first_work(&f);
    assert_int_equal(one.kind, PG_STEP_EARLY);
    assert_int_equal(one.table, LINE);
    assert_true(pg_schedule_take(&f.schedule, &beside));
    assert_int_equal(f.steps.v[beside].kind, PG_STEP_EARLY);
    assert_int_equal(f.steps.v[beside].table, ORDERS);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_is_dealt_once_in_any_order),
        cmocka_unit_test(test_longest_comes_first_and_another_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
