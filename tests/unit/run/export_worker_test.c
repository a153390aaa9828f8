/* SPDX-License-Identifier: MIT */
/*
 * The worker loop with a sink whose commits take several steps, some of them between the batches of
 * a page: whenever the sink says that the ledger is behind, every row ends up in it once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipeline/run/run.h"
#include "pipeline/source/files/files.h"
#include "tests/harness/models.h"
#include "tests/harness/scratch.h"

enum { ITEMS = 90000, SEGMENTS = 64, STEPS = 3, FULL = 30000 };

struct entry {
    char resume[64];
    size_t n;
    bool done;
};

/* Rows are told by their number; how often each was given is what counts. */
struct slow_sink {
    struct sink base;
    struct entry ledger[SEGMENTS];
    unsigned char durable[ITEMS];
    unsigned steps, trouble_at;  /* the step of the run that is not like the others; 0: none */
    enum commit_outcome trouble; /* what it says */
    unsigned inside;             /* steps taken while a page was in work */
    bool in_page;
    int ready[2]; /* a pipe with a byte in it */
};

struct slow_worker {
    struct sink_worker base;
    struct slow_sink *s;
    unsigned char filling[ITEMS], sending[ITEMS];
    unsigned rows, steps;
    struct entry marks[SEGMENTS];
    bool marked[SEGMENTS];
};

static enum rc slow_open(struct sink *base, const struct run_info *info,
                         struct run_state *state, struct err *err)
{
    (void)base;
    (void)err;
    *state = (struct run_state){.now_us = info->now_us};
    return RC_OK;
}

static enum rc slow_claim(struct sink *base, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    const struct entry *e = &((struct slow_sink *)base)->ledger[segment];
    (void)err;
    assert_true(segment < SEGMENTS);
    *claim = (struct claim){.state = e->done ? CLAIM_DONE : CLAIM_MINE,
                            .epoch = 1,
                            .resume = str_make(e->resume, e->n)};
    return RC_OK;
}

static enum rc slow_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    struct slow_worker *w = (struct slow_worker *)base;
    (void)err;
    for (size_t i = 0; i < batch->nrows; i++) {
        int64_t id = batch->rows[i].cells[0].u.i;
        assert_true(id >= 0 && id < ITEMS);
        w->filling[id]++;
        w->rows++;
    }
    w->s->in_page = true;
    return RC_OK;
}

static bool slow_full(const struct sink_worker *base)
{
    const struct slow_worker *w = (const struct slow_worker *)base;
    w->s->in_page = false; /* asked when a page is done */
    return w->rows >= FULL;
}

static enum rc slow_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                           enum commit_outcome *outcome, struct err *err)
{
    struct slow_worker *w = (struct slow_worker *)base;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        struct entry *e = &w->marks[marks[i].segment];
        assert_true(marks[i].resume.n <= sizeof e->resume);
        memcpy(e->resume, marks[i].resume.p, marks[i].resume.n);
        e->n = marks[i].resume.n;
        e->done = marks[i].done;
        w->marked[marks[i].segment] = true;
    }
    memcpy(w->sending, w->filling, sizeof w->sending);
    memset(w->filling, 0, sizeof w->filling);
    w->rows = 0;
    w->steps = 0;
    *outcome = COMMIT_UNDER_WAY;
    return RC_OK;
}

static enum rc slow_step(struct sink_worker *base, enum commit_outcome *outcome,
                         struct err *err)
{
    struct slow_worker *w = (struct slow_worker *)base;
    struct slow_sink *s = w->s;
    s->inside += s->in_page;
    if (++s->steps == s->trouble_at) {
        memset(w->filling, 0, sizeof w->filling);
        memset(w->sending, 0, sizeof w->sending);
        memset(w->marked, 0, sizeof w->marked);
        w->rows = 0;
        *outcome = s->trouble;
        return s->trouble == COMMIT_FENCED ? err_set(err, RC_TRANSIENT, "as asked for") : RC_OK;
    }
    *outcome = COMMIT_UNDER_WAY;
    if (++w->steps < STEPS)
        return RC_OK;
    *outcome = COMMIT_DONE;
    for (size_t i = 0; i < ITEMS; i++)
        s->durable[i] = (unsigned char)(s->durable[i] + w->sending[i]);
    for (size_t i = 0; i < SEGMENTS; i++) {
        if (w->marked[i])
            s->ledger[i] = w->marks[i];
        w->marked[i] = false;
    }
    return RC_OK;
}

static size_t slow_fds(struct sink_worker *base, struct pollfd *fds, size_t cap)
{
    const struct slow_worker *w = (const struct slow_worker *)base;
    assert_true(cap > 0);
    fds[0] = (struct pollfd){.fd = w->s->ready[0], .events = POLLIN};
    return 1;
}

static void slow_worker_close(struct sink_worker *base)
{
    free(base);
}

static struct sink_worker *slow_worker_new(struct sink *base, uint32_t index, struct err *err)
{
    static const struct sink_worker_ops OPS = {.rows = slow_rows,
                                               .full = slow_full,
                                               .commit = slow_commit,
                                               .step = slow_step,
                                               .fds = slow_fds,
                                               .close = slow_worker_close};
    struct slow_worker *w = calloc(1, sizeof *w);
    (void)index;
    (void)err;
    assert_non_null(w);
    w->base.ops = &OPS;
    w->s = (struct slow_sink *)base;
    return &w->base;
}

static enum rc slow_end(struct sink *base, struct verdict *v, struct sink_report *report,
                        struct err *err)
{
    (void)base;
    (void)v;
    (void)report;
    (void)err;
    return RC_OK;
}

struct made {
    struct models of;
    struct scratch dir;
    const char *path;
};

static void make(struct made *m)
{
    static const char MODEL[] =
        "{\"renorm\":1,\"name\":\"t\",\"source\":{\"key\":[\"PK\"]},\"entities\":{\"E\":{"
        "\"keys\":{\"PK\":\"{id:bigint}\"},\"table\":\"e\",\"columns\":{\"id\":\"bigint\"}}}}";
    struct buf items;
    memset(m, 0, sizeof *m);
    models_make(&m->of, str_of(MODEL));
    buf_init(&items, BUF_NO_LIMIT);
    for (unsigned i = 0; i < ITEMS; i++)
        buf_addf(&items, "{\"PK\":{\"S\":\"%u\"},\"Filler\":{\"S\":\"%032u\"}}\n", i, i);
    scratch_init(&m->dir);
    m->path = scratch_write(&m->dir, "items.jsonl", buf_view(&items));
    buf_release(&items);
}

static void done(struct made *m)
{
    models_release(&m->of);
    scratch_release(&m->dir);
}

static enum rc export_to(struct slow_sink *s, const struct made *m, struct err *err)
{
    static const struct sink_ops OPS = {.open = slow_open,
                                        .claim = slow_claim,
                                        .worker = slow_worker_new,
                                        .finish = slow_end,
                                        .publish = slow_end};
    static const atomic_bool stop;
    struct run_result result;
    struct source *source = NULL;
    assert_int_equal(files_open(&(struct files_options){.paths = &m->path,
                                                        .npaths = 1,
                                                        .slice_bytes = (size_t)2 << 20,
                                                        .page_bytes = (size_t)2 << 20},
                                &source, err),
                     RC_OK);
    s->base = (struct sink){.ops = &OPS, .kind = "slow"};
    assert_int_equal(pipe(s->ready), 0);
    assert_int_equal(write(s->ready[1], "x", 1), 1);
    struct run_setup setup = {.plan = m->of.plan,
                              .source = source,
                              .sink = &s->base,
                              .info = {.schema = &m->of.plan->schema},
                              .workers = 1,
                              .commit_us = INT64_C(1) << 40,
                              .stop = &stop,
                              .env = &env_real};
    enum rc rc = run_export(&setup, &result, err);
    run_result_release(&result);
    source->ops->free(source);
    assert_int_equal(close(s->ready[0]), 0);
    assert_int_equal(close(s->ready[1]), 0);
    return rc;
}

static void expect_each_once(const struct slow_sink *s, unsigned at)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        if (s->durable[i] != 1)
            fail_msg("trouble at step %u: row %u is there %u times", at, i, s->durable[i]);
    }
}

static void test_ledger_that_is_behind_is_caught_up_with(void **state)
{
    struct made m;
    struct err err = {0};
    struct slow_sink *s = calloc(1, sizeof *s);
    unsigned steps = 1, inside = 0;
    (void)state;
    assert_non_null(s);
    make(&m);
    for (unsigned at = 0; at <= steps; at++) {
        memset(s, 0, sizeof *s);
        s->trouble_at = at;
        s->trouble = COMMIT_FORGOTTEN;
        assert_int_equal(export_to(s, &m, &err), RC_OK);
        expect_each_once(s, at);
        if (at == 0) {
            steps = s->steps;
            inside = s->inside;
        }
    }
    assert_true(inside > 0); /* else nothing was fed between batches */
    done(&m);
    free(s);
}

static void test_run_that_lost_its_segments_goes_on_later(void **state)
{
    struct made m;
    struct slow_sink *s = calloc(1, sizeof *s);
    (void)state;
    assert_non_null(s);
    make(&m);
    for (unsigned at = 1; at <= 6; at++) {
        struct err err = {0};
        memset(s, 0, sizeof *s);
        s->trouble_at = at;
        s->trouble = COMMIT_FENCED;
        assert_int_equal(export_to(s, &m, &err), RC_TRANSIENT);
        assert_int_equal(export_to(s, &m, &err), RC_OK);
        expect_each_once(s, at);
    }
    done(&m);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledger_that_is_behind_is_caught_up_with),
        cmocka_unit_test(test_run_that_lost_its_segments_goes_on_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
