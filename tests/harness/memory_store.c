/* SPDX-License-Identifier: MIT */
/* There is no ledger: every segment is new, every commit is done at once. */
#include "tests/harness/memory_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OF(type, member, p) ((type *)(void *)((char *)(p)-offsetof(type, member)))

static enum rc sink_open(struct sink *s, const struct run_info *info, struct run_state *state,
                         struct err *err)
{
    struct memory_store *m = OF(struct memory_store, sink, s);
    (void)err;
    m->schema = info->schema;
    assert_true(info->schema->ntables <= MEMORY_TABLES && info->workers == 1);
    *state = (struct run_state){.now_us = info->now_us, .segments = info->segments};
    return RC_OK;
}

static enum rc sink_claim(struct sink *s, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    (void)s;
    (void)segment;
    (void)err;
    *claim = (struct claim){.state = CLAIM_MINE, .epoch = 1};
    return RC_OK;
}

static enum rc worker_rows(struct sink_worker *w, const struct batch *batch, struct err *err)
{
    struct memory_store *m = OF(struct memory_store, worker, w);
    struct buf line;
    (void)err;
    buf_init(&line, BUF_NO_LIMIT);
    for (size_t i = 0; i < batch->nrows; i++) {
        const struct row *row = &batch->rows[i];
        size_t *n = &m->n[row->table];
        assert_true(row->extract == UINT32_MAX && *n < MEMORY_LINES);
        buf_clear(&line);
        schema_row_json(&line, &m->schema->tables[row->table], row->cells);
        struct str kept = arena_dup(&m->arena, buf_view(&line));
        assert_non_null(kept.p);
        m->lines[row->table][(*n)++] = kept.p;
    }
    for (size_t i = 0; i < batch->nrejects; i++) {
        bool unrouted = batch->rejects[i].kind == REJECT_UNROUTED;
        *(unrouted ? &m->rows.rowless.unrouted : &m->rows.rowless.rejected) += 1;
    }
    buf_release(&line);
    return RC_OK;
}

static enum rc worker_commit(struct sink_worker *w, const struct mark *marks, size_t n,
                             enum commit_outcome *outcome, struct err *err)
{
    (void)w;
    (void)marks;
    (void)n;
    (void)err;
    *outcome = COMMIT_DONE;
    return RC_OK;
}

static void worker_close(struct sink_worker *w)
{
    (void)w;
}

static struct sink_worker *sink_worker(struct sink *s, uint32_t index, struct err *err)
{
    static const struct sink_worker_ops OPS = {
        .rows = worker_rows, .commit = worker_commit, .close = worker_close};
    struct memory_store *m = OF(struct memory_store, sink, s);
    (void)index;
    (void)err;
    m->worker.ops = &OPS;
    return &m->worker;
}

static enum rc sink_end(struct sink *s, struct verdict *v, struct sink_report *report,
                        struct err *err)
{
    (void)s;
    (void)v;
    (void)report;
    (void)err;
    return RC_OK;
}

static void sink_close(struct sink *s)
{
    OF(struct memory_store, sink, s)->open--;
}

static enum rc store_sink(void *ctx, const char *name, struct sink **out, struct err *err)
{
    static const struct sink_ops OPS = {.open = sink_open,
                                        .claim = sink_claim,
                                        .worker = sink_worker,
                                        .finish = sink_end,
                                        .publish = sink_end,
                                        .close = sink_close};
    struct memory_store *m = ctx;
    (void)name;
    if (m->no_sink)
        return err_set(err, RC_TRANSIENT, "no sink to be had");
    assert_null(m->sink.ops); /* a name is written once */
    m->sink = (struct sink){.ops = &OPS, .kind = "memory", .keep_nulls = true};
    m->open++;
    *out = &m->sink;
    return RC_OK;
}

/* ---- reading back -------------------------------------------------------------------------- */

static void rows_free(struct rows_reader *r)
{
    OF(struct memory_store, rows, r)->open--;
}

static enum rc store_rows(void *ctx, const char *name, const struct schema *schema,
                          struct rows_reader **out, struct err *err)
{
    static struct rows_reader_ops ops;
    struct memory_store *m = ctx;
    (void)name;
    (void)err;
    assert_ptr_equal(schema, m->schema);
    for (size_t i = 0; i < MEMORY_TABLES; i++)
        m->rows.of[i] = m->lines[i];
    ops = *memory_rows(&m->rows)->ops;
    ops.free = rows_free;
    m->rows.base.ops = &ops;
    m->open++;
    *out = &m->rows.base;
    return RC_OK;
}

void memory_store_init(struct memory_store *m, const char *folder)
{
    *m = (struct memory_store){
        .store = {.sink = store_sink, .rows = store_rows, .ctx = m, .folder = folder}};
    arena_init(&m->arena, 1 << 12);
}

void memory_store_release(struct memory_store *m)
{
    assert_int_equal(m->open, 0);
    arena_release(&m->arena);
}
