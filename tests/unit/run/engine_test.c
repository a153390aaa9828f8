/* SPDX-License-Identifier: MIT */
/*
 * The engine with a source of numbered pages and a small task that counts them: pages that are kept,
 * a task that is full, stopping, an error of one worker, segments that are started again.
 */
#include "pipeline/run/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/numbered_source.h"

enum {
    SEGMENTS = NUMBERED_SEGMENTS,
    PAGES = NUMBERED_PAGES,
    LANES = NUMBERED_LANES,
    WORKERS = 3
};

/* ---- the task ------------------------------------------------------------------------------ */

struct counting {
    struct task base;
    struct numbered_source source;
    /* what is asked for */
    bool keep;          /* pages, for some steps */
    unsigned full;      /* so many steps after each page */
    bool no_begin;      /* it fails */
    bool own_segments;  /* the task hands out none */
    int fail_at;        /* the page of the run that fails */
    int stop_at;        /* with which the operator stops it */
    int enough_at;      /* with which it has enough */
    bool go_back;       /* once, when a worker has read all, to a segment that had ended */
    bool forever;       /* a worker that has read all stays busy */
    uint32_t no_worker; /* this one cannot be made */
    /* what happened */
    atomic_bool stop;
    atomic_int pages;
    atomic_uint seen[SEGMENTS][PAGES], claims[SEGMENTS], wrong, back, phases[4], most_open;
    unsigned ticks, concluded;
    bool stopped;
    enum rc rc;
    struct err err;
};

struct counting_worker {
    struct task_worker base;
    struct counting *t;
    struct page *kept[LANES];
    unsigned left; /* steps to go */
    uint32_t last; /* segment of its last page */
    bool any;
};

static enum rc counting_claim(struct task *base, struct task_worker *worker, uint32_t segment,
                              struct claim *claim, struct err *err)
{
    struct counting *t = (struct counting *)base;
    (void)worker;
    (void)err;
    atomic_fetch_add(&t->claims[segment], 1);
    claim->state = segment == 2 ? CLAIM_DONE : CLAIM_MINE;
    if (segment == 3) /* had its first two pages before */
        claim->resume = STR("..");
    return RC_OK;
}

static enum rc counting_begin(struct task_worker *base, struct err *err)
{
    struct counting_worker *w = (struct counting_worker *)base;
    return w->t->no_begin ? err_set(err, RC_NOMEM, "cannot begin") : RC_OK;
}

static enum rc counting_page(struct task_worker *base, struct page *page, struct err *err)
{
    struct counting_worker *w = (struct counting_worker *)base;
    struct counting *t = w->t;
    int n = atomic_fetch_add(&t->pages, 1) + 1;
    if (w->left && t->full)
        atomic_fetch_add(&t->wrong, 1); /* it had said that it is full */
    if (base->open.n > atomic_load(&t->most_open))
        atomic_store(&t->most_open, (unsigned)base->open.n);
    if (n == t->fail_at)
        return err_set(err, RC_SINK, "page %d", n);
    if (n == t->stop_at)
        atomic_store(&t->stop, true);
    atomic_fetch_add(&t->seen[page->segment][page->sequence], 1);
    w->left = t->full;
    w->last = page->segment;
    w->any = true;
    for (unsigned i = 0; t->keep && i < LANES; i++) {
        if (w->kept[i])
            continue;
        w->kept[i] = page;
        w->left = 2;
        return RC_AGAIN;
    }
    return n == t->enough_at ? RC_END : RC_OK;
}

static void let_go(struct counting_worker *w)
{
    for (unsigned i = 0; i < LANES; i++) {
        if (w->kept[i])
            task_page_done(&w->base, w->kept[i]);
        w->kept[i] = NULL;
    }
}

static enum rc counting_step(struct task_worker *base, enum task_phase phase,
                             enum task_state *state, struct err *err)
{
    struct counting_worker *w = (struct counting_worker *)base;
    struct counting *t = w->t;
    (void)err;
    atomic_fetch_add(&t->phases[phase], 1);
    if (phase == TASK_READ && base->open.n)
        atomic_fetch_add(&t->wrong, 1);
    if (phase == TASK_READ && t->go_back && w->any && !atomic_fetch_add(&t->back, 1))
        return task_go_back(base, w->last);
    w->left -= w->left > 0;
    if (w->left == 0)
        let_go(w);
    if (t->full && w->left) {
        *state = TASK_FULL;
    } else if (w->left || (t->forever && phase == TASK_READ)) {
        *state = TASK_BUSY;
    }
    return RC_OK;
}

static int64_t counting_due(const struct task_worker *base)
{
    (void)base;
    return 0;
}

static void counting_close(struct task_worker *base)
{
    let_go((struct counting_worker *)base);
    free(base);
}

static struct task_worker *counting_worker_new(struct task *base, struct reader *reader,
                                               uint32_t index, struct err *err)
{
    static const struct task_worker_ops OPS = {.begin = counting_begin,
                                               .page = counting_page,
                                               .step = counting_step,
                                               .due_us = counting_due,
                                               .close = counting_close};
    struct counting *t = (struct counting *)base;
    assert_non_null(reader);
    if (index + 1 == t->no_worker) {
        (void)err_set(err, RC_SINK, "no worker %u", index);
        return NULL;
    }
    struct counting_worker *w = task_worker_new(sizeof *w, &OPS, err);
    assert_non_null(w);
    w->t = t;
    return &w->base;
}

static enum rc take_none(struct task *base, struct task_worker *w, uint32_t *segment,
                         struct err *err)
{
    (void)base;
    (void)w;
    *segment = 0;
    (void)err;
    return RC_END;
}

static void counting_tick(struct task *base)
{
    ((struct counting *)base)->ticks++;
}

static enum rc counting_conclude(struct task *base, enum rc rc, bool stopped, struct err *err)
{
    struct counting *t = (struct counting *)base;
    (void)err;
    t->concluded++;
    t->stopped = stopped;
    t->rc = rc;
    assert_int_equal(atomic_load(&t->source.readers), 0);
    return rc;
}

static enum rc run(struct counting *t, uint32_t ahead)
{
    static const struct task_ops OPS = {.claim = counting_claim,
                                        .worker = counting_worker_new,
                                        .tick = counting_tick,
                                        .conclude = counting_conclude};
    static const struct task_ops OWN = {.take = take_none, .worker = counting_worker_new};
    numbered_source_init(&t->source);
    t->base.ops = t->own_segments ? &OWN : &OPS;
    struct engine_config config = {.source = &t->source.base,
                                   .workers = WORKERS,
                                   .ahead = ahead,
                                   .stop = t->own_segments ? NULL : &t->stop,
                                   .env = &env_real};
    enum rc rc = engine_run(&t->base, &config, &t->err);
    assert_int_equal(atomic_load(&t->wrong), 0);
    assert_int_equal(t->concluded, t->own_segments ? 0 : 1);
    return rc;
}

/* How often a page was to be seen: segment 2 was done before, of 3 the first two pages. */
static void expect_all(struct counting *t)
{
    for (unsigned s = 0; s < SEGMENTS; s++) {
        for (unsigned p = 0; p < PAGES; p++) {
            unsigned times = atomic_load(&t->claims[s]);
            if (s == 2 || (s == 3 && p < 2))
                times = 0;
            assert_int_equal(atomic_load(&t->seen[s][p]), times);
        }
    }
}

/* ---- tests --------------------------------------------------------------------------------- */

static void test_every_page_is_taken_once(void **state)
{
    struct counting t = {.keep = false};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    expect_all(&t);
    for (unsigned s = 0; s < SEGMENTS; s++)
        assert_int_equal(atomic_load(&t.claims[s]), 1);
    assert_false(t.stopped);
    assert_true(t.base.busy_us > 0);
    assert_int_equal(atomic_load(&t.phases[TASK_FAILED]), 0);
}

static void test_one_segment_at_a_time_if_asked_for(void **state)
{
    struct counting t = {.keep = false};
    (void)state;
    assert_int_equal(run(&t, 1), RC_OK);
    expect_all(&t);
    assert_int_equal(atomic_load(&t.most_open), 1);
}

static void test_pages_can_be_kept(void **state)
{
    struct counting t = {.keep = true};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    expect_all(&t);
    assert_true(atomic_load(&t.most_open) > 1);
}

static void test_full_task_gets_no_page(void **state)
{
    struct counting t = {.full = 3};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK); /* run() looks at t.wrong */
    expect_all(&t);
}

static void test_segment_that_had_ended_is_started_again(void **state)
{
    struct counting t = {.go_back = true};
    unsigned claims = 0;
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    expect_all(&t);
    for (unsigned s = 0; s < SEGMENTS; s++)
        claims += atomic_load(&t.claims[s]);
    assert_int_equal(claims, SEGMENTS + 1);
}

static void test_error_of_one_worker_stops_all(void **state)
{
    struct counting t = {.fail_at = 7, .forever = true, .keep = true};
    (void)state;
    assert_int_equal(run(&t, 0), RC_SINK);
    assert_string_equal(t.err.msg, "page 7");
    assert_int_equal(t.rc, RC_SINK);
    assert_false(t.stopped);
    assert_true(atomic_load(&t.phases[TASK_FAILED]) > 0); /* what it kept came to its end */
}

static void test_operator_stops_it(void **state)
{
    struct counting t = {.stop_at = 7, .forever = true, .keep = true};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    assert_true(t.stopped);
    assert_true(atomic_load(&t.phases[TASK_STOPPING]) >= WORKERS);
    assert_int_equal(atomic_load(&t.phases[TASK_FAILED]), 0);
}

static void test_task_that_has_enough_ends_well(void **state)
{
    struct counting t = {.enough_at = 7, .forever = true};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    assert_false(t.stopped);
    assert_true(atomic_load(&t.pages) < SEGMENTS * PAGES);
}

static void test_source_that_changes_fails_the_run(void **state)
{
    struct counting t = {.forever = true, .source = {.fail_tick = 3}};
    (void)state;
    assert_int_equal(run(&t, 0), RC_SOURCE);
    assert_string_equal(t.err.msg, "another table");
    assert_int_equal(atomic_load(&t.source.ticks), 3); /* it is asked no more */
    assert_true(t.ticks >= 3);
    assert_true(atomic_load(&t.source.wakes) > 0);
}

static void test_worker_that_cannot_be_made_or_begin(void **state)
{
    struct counting no_worker = {.no_worker = 2}, no_begin = {.no_begin = true};
    (void)state;
    assert_int_equal(run(&no_worker, 0), RC_SINK);
    assert_string_equal(no_worker.err.msg, "no worker 1");
    assert_int_equal(atomic_load(&no_worker.pages), 0);
    assert_int_equal(run(&no_begin, 0), RC_NOMEM);
    assert_int_equal(atomic_load(&no_begin.pages), 0);
    assert_int_equal(no_begin.concluded, 1);
}

static void test_task_can_have_segments_of_its_own_or_none(void **state)
{
    struct counting t = {.own_segments = true};
    (void)state;
    assert_int_equal(run(&t, 0), RC_OK);
    assert_int_equal(atomic_load(&t.source.next), 0);
    assert_true(atomic_load(&t.phases[TASK_READ]) >= WORKERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_page_is_taken_once),
        cmocka_unit_test(test_one_segment_at_a_time_if_asked_for),
        cmocka_unit_test(test_pages_can_be_kept),
        cmocka_unit_test(test_full_task_gets_no_page),
        cmocka_unit_test(test_segment_that_had_ended_is_started_again),
        cmocka_unit_test(test_error_of_one_worker_stops_all),
        cmocka_unit_test(test_operator_stops_it),
        cmocka_unit_test(test_task_that_has_enough_ends_well),
        cmocka_unit_test(test_source_that_changes_fails_the_run),
        cmocka_unit_test(test_worker_that_cannot_be_made_or_begin),
        cmocka_unit_test(test_task_can_have_segments_of_its_own_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
