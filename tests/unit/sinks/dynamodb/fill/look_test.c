/* SPDX-License-Identifier: MIT */
/* A pass that only looks, over pages that all hold the same three items. */
#include "sinks/dynamodb/fill/look.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/backfills.h"
#include "tests/harness/numbered_source.h"

enum {
    WORKERS = 3,
    ITEMS = 3,
    ALL = NUMBERED_SEGMENTS * NUMBERED_PAGES,
    ALL_ITEMS = ALL * ITEMS
};

static const char ENTITIES[] = "'O':{'keys':{'PK':'O#{id}','SK':'A'},'table':'o',"
                               "'primary_key':['id'],'backfill':{'G':'X#{id}'}}";
static const char *const TEXTS[ITEMS] = {
    "{\"PK\":{\"S\":\"O#7\"},\"SK\":{\"S\":\"A\"}}",
    "{\"PK\":{\"S\":\"O#8\"},\"SK\":{\"S\":\"A\"},\"G\":{\"S\":\"X#8\"}}", "{\"PK\":"};

/* ---- a source of such pages ---------------------------------------------------------------- */

static char text[256];
static struct extent extents[ITEMS];
static struct reader_ops numbered_ops, filled_ops;
static struct source_ops source_ops;
static struct reader *(*numbered_reader)(struct source *s, struct err *err);

static enum rc filled_next(struct reader *r, struct page **page, struct err *err)
{
    enum rc rc = numbered_ops.next(r, page, err);
    if (!rc) {
        (*page)->raw = (struct buf){.p = text, .len = strlen(text)};
        (*page)->format = PAGE_EXTENTS;
        (*page)->extents = extents;
        (*page)->nextents = ITEMS;
    }
    return rc;
}

static struct reader *filled_reader(struct source *s, struct err *err)
{
    struct reader *r = numbered_reader(s, err);
    assert_non_null(r);
    numbered_ops = filled_ops = *r->ops;
    filled_ops.next = filled_next;
    r->ops = &filled_ops;
    return r;
}

struct world {
    struct numbered_source source;
    struct fill_setup setup;
    struct look look;
    struct fill_result result;
    struct err err;
    atomic_bool stop;
    atomic_uint seen, broken;
    unsigned by_worker[WORKERS];
    unsigned stop_at, fail_at;
};

static enum rc see(void *ctx, uint32_t worker, const struct item *item, const struct change *c,
                   struct err *err)
{
    struct world *w = ctx;
    unsigned n = atomic_fetch_add(&w->seen, 1) + 1;
    if (!item->n && c->fate == FATE_FAILED)
        atomic_fetch_add(&w->broken, 1);
    w->by_worker[worker]++;
    if (n == w->stop_at)
        atomic_store(&w->stop, true);
    return n == w->fail_at ? err_set(err, RC_NOMEM, "seen enough") : RC_OK;
}

static void begin(struct world *w, struct backfills *t, uint32_t workers)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(backfills_make(t, ENTITIES, NULL), RC_OK);
    size_t at = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        extents[i] = (struct extent){.at = at, .n = strlen(TEXTS[i])};
        at += (size_t)snprintf(text + at, sizeof text - at, "%s", TEXTS[i]);
    }
    numbered_source_init(&w->source);
    source_ops = *w->source.base.ops;
    numbered_reader = source_ops.reader;
    source_ops.reader = filled_reader;
    w->source.base.ops = &source_ops;
    w->setup = (struct fill_setup){.plan = t->plan,
                                   .recipe = t->recipe,
                                   .source = &w->source.base,
                                   .workers = workers,
                                   .now_us = t->now_us,
                                   .stop = &w->stop,
                                   .env = &env_real};
    w->look = (struct look){.item = see, .ctx = w};
}

static enum rc run(struct world *w)
{
    enum rc rc = look_run(&w->setup, &w->look, &w->result, &w->err);
    assert_int_equal(atomic_load(&w->source.readers), 0);
    return rc;
}

static uint64_t count(const struct world *w, uint32_t row, enum fate fate)
{
    return w->result.counts[row * FATES + (uint32_t)fate];
}

/* ---- cases --------------------------------------------------------------------------------- */

static void test_every_item_is_seen_and_counted(void **state)
{
    struct world w;
    begin(&w, *state, WORKERS);
    assert_int_equal(run(&w), RC_OK);
    assert_int_equal(w.result.read, ALL_ITEMS);
    assert_int_equal(w.result.segments, NUMBERED_SEGMENTS);
    assert_int_equal(w.result.rows, 2);
    assert_int_equal(count(&w, 0, FATE_CHANGED), ALL);
    assert_int_equal(count(&w, 0, FATE_ALREADY), ALL);
    assert_int_equal(count(&w, 1, FATE_FAILED), ALL);
    assert_int_equal(atomic_load(&w.broken), ALL);
    assert_int_equal(w.by_worker[0] + w.by_worker[1] + w.by_worker[2], ALL_ITEMS);
    fill_result_release(&w.result);
}

static void test_a_sample_ends_with_the_page_that_fills_it(void **state)
{
    struct world w;
    begin(&w, *state, 1);
    w.look.sample = 2 * ITEMS + 1;
    assert_int_equal(run(&w), RC_OK);
    assert_int_equal(w.result.read, 3 * ITEMS);
    fill_result_release(&w.result);
}

static void test_one_who_is_stopped_says_so(void **state)
{
    struct world w;
    begin(&w, *state, 1);
    w.stop_at = ITEMS;
    assert_int_equal(run(&w), RC_CANCEL);
    assert_string_equal(w.err.msg, "interrupted; run the same command again to go on");
    assert_int_equal(w.result.read, ITEMS);
    fill_result_release(&w.result);
}

/* An error is told, even to somebody who asked to stop. */
static void test_an_error_of_one_ends_all(void **state)
{
    struct world w;
    begin(&w, *state, WORKERS);
    w.stop_at = w.fail_at = 10 * ITEMS;
    assert_int_equal(run(&w), RC_NOMEM);
    assert_string_equal(w.err.msg, "seen enough");
    assert_true(w.result.read < ALL_ITEMS);
    fill_result_release(&w.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_item_is_seen_and_counted, backfills_set_up,
                                        backfills_tear_down),
        cmocka_unit_test_setup_teardown(test_a_sample_ends_with_the_page_that_fills_it,
                                        backfills_set_up, backfills_tear_down),
        cmocka_unit_test_setup_teardown(test_one_who_is_stopped_says_so, backfills_set_up,
                                        backfills_tear_down),
        cmocka_unit_test_setup_teardown(test_an_error_of_one_ends_all, backfills_set_up,
                                        backfills_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
