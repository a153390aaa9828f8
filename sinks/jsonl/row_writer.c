/* SPDX-License-Identifier: MIT */
/*
 * One worker's side: rows are encoded straight into the compressors of its open files, and
 * commits are handed to the sync thread, so that encoding goes on while the disk works.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/row/reduce/candidate.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/reject_file.h"
#include "sinks/jsonl/spill/spill.h"

enum { MB = 1 << 20 };

struct worker {
    struct sink_worker base;
    struct jsonl *s;
    struct store_log *log;
    struct sync_thread sync;
    struct jsonl_parts parts;
    struct spill_writer spill;
    struct reasons reasons; /* since the last commit */
    bool in_flight, broken;
};

/* Where a row is encoded: at the end of a compressor's input, or of the spill's. */
struct place {
    uint32_t stream;
    struct jsonl_part *part; /* NULL: the spill */
    struct buf *in;
    size_t before;
};

static inline enum rc begin_row(struct worker *w, uint32_t stream, struct place *to,
                                struct err *err)
{
    struct jsonl_part *part = NULL;
    if (w->parts.part_of[stream] >= 0 || spill_writer_direct(&w->spill, stream)) {
        enum rc rc = jsonl_parts_get(&w->parts, stream, &part, err);
        if (rc)
            return rc;
    }
    struct buf *in = part ? &part->z.in : &w->spill.rows;
    *to = (struct place){stream, part, in, in->len};
    return RC_OK;
}

static inline enum rc end_row(struct worker *w, const struct place *to, struct err *err)
{
    w->spill.bytes[to->stream] += to->in->len - to->before;
    return to->part ? jsonl_parts_added(&w->parts, to->part, to->before, err)
                    : spill_writer_added(&w->spill, to->stream, to->before, err);
}

static enum rc add_row(struct worker *w, const struct row *row, struct err *err)
{
    const struct schema *schema = w->s->schema;
    bool copy = row->extract != UINT32_MAX;
    struct place to;
    enum rc rc =
        begin_row(w, copy ? jsonl_candidates(schema, row->extract) : row->table, &to, err);
    if (rc)
        return rc;
    struct buf *in = to.in;
    if (copy) {
        const struct extract *ex = &schema->extracts[row->extract];
        candidate_encode(in, &schema->tables[ex->into], ex, row);
    } else {
        schema_row_json(in, &schema->tables[row->table], row->cells);
        buf_putc(in, '\n');
    }
    return end_row(w, &to, err);
}

static enum rc add_reject(struct worker *w, const struct reject *r, const struct batch *of,
                          struct err *err)
{
    const struct schema *schema = w->s->schema;
    struct place to;
    uint32_t stream =
        r->kind == REJECT_UNROUTED ? jsonl_unrouted(schema) : jsonl_rejects(schema);
    enum rc rc = begin_row(w, stream, &to, err);
    if (rc)
        return rc;
    jsonl_reject(to.in, r, of);
    buf_putc(to.in, '\n');
    rc = end_row(w, &to, err);
    return rc ? rc : reasons_count(&w->reasons, r, of->segment, err);
}

static enum rc worker_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    struct worker *w = (struct worker *)base;
    enum rc rc = RC_OK;
    for (size_t i = 0; i < batch->nrows && !rc; i++) {
        rc = add_row(w, &batch->rows[i], err);
        if (!rc && key_repeats_add(&w->s->repeats, &batch->rows[i]))
            rc = err_nomem(err);
    }
    for (size_t i = 0; i < batch->nrejects && !rc; i++)
        rc = add_reject(w, &batch->rejects[i], batch, err);
    if (rc)
        w->broken = true;
    return rc;
}

static bool worker_full(const struct sink_worker *base)
{
    const struct worker *w = (const struct worker *)base;
    return w->parts.since + w->spill.since >= (uint64_t)w->s->opts.commit_mb * MB;
}

/* lock: s->mu is taken and left. A segment claimed again since is no longer ours. */
static enum rc check_epochs(struct jsonl *s, const struct mark *marks, size_t n,
                            struct err *err)
{
    enum rc rc = RC_OK;
    pthread_mutex_lock(&s->mu);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct mark *m = &marks[i];
        bool mine = m->segment < s->state.nsegments &&
                    s->state.segments[m->segment].claimed == m->epoch;
        if (!mine)
            rc = err_set(err, RC_TRANSIENT, "segment %u was taken over", m->segment);
    }
    pthread_mutex_unlock(&s->mu);
    return rc;
}

static enum rc begin(struct worker *w, const struct mark *marks, size_t n, struct err *err)
{
    enum rc rc = spill_writer_balance(&w->spill, &w->parts, err);
    if (!rc)
        rc = jsonl_parts_gather(&w->parts, &w->sync, err);
    if (!rc)
        rc = spill_writer_gather(&w->spill, &w->parts, &w->sync, err);
    if (rc)
        return rc;
    struct buf *b = &w->sync.record;
    jsonl_record_begin(b);
    jsonl_record_files(b, w->parts.changed, w->parts.nchanged);
    spill_writer_record(&w->spill, b);
    jsonl_record_reasons(b, &w->reasons);
    jsonl_record_extras(b, n ? marks[0].extras : NULL);
    jsonl_record_marks(b, marks, n, schema_counters(w->s->schema));
    jsonl_record_end(b);
    rc = buf_check(b, err);
    if (rc)
        return rc;
    reasons_clear(&w->reasons);
    w->in_flight = true;
    jsonl_point(w->s, "commit");
    sync_thread_begin(&w->sync);
    return RC_OK;
}

static enum rc settle(struct worker *w, enum rc rc, struct err *err)
{
    if (rc == RC_AGAIN || !w->in_flight)
        return rc;
    w->in_flight = false;
    if (!rc)
        rc = jsonl_applied(w->s, buf_view(&w->sync.record), err);
    sync_thread_clear(&w->sync);
    jsonl_point(w->s, "committed");
    if (rc)
        w->broken = true;
    return rc;
}

static enum rc worker_step(struct sink_worker *base, enum commit_outcome *outcome,
                           struct err *err)
{
    struct worker *w = (struct worker *)base;
    enum rc rc = settle(w, sync_thread_poll(&w->sync, err), err);
    *outcome = rc == RC_AGAIN ? COMMIT_UNDER_WAY : COMMIT_DONE;
    return rc == RC_AGAIN ? RC_OK : rc;
}

static enum rc wait_commit(struct worker *w, struct err *err)
{
    return settle(w, sync_thread_wait(&w->sync, err), err);
}

static enum rc worker_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                             enum commit_outcome *outcome, struct err *err)
{
    struct worker *w = (struct worker *)base;
    *outcome = COMMIT_UNDER_WAY;
    enum rc rc = wait_commit(w, err);
    if (!rc) {
        rc = check_epochs(w->s, marks, n, err);
        if (rc)
            *outcome = COMMIT_FENCED;
    }
    if (!rc)
        rc = begin(w, marks, n, err);
    if (rc)
        w->broken = true;
    return rc;
}

static size_t worker_fds(struct sink_worker *base, struct pollfd *fds, size_t cap)
{
    struct worker *w = (struct worker *)base;
    if (!w->in_flight || cap == 0)
        return 0;
    fds[0] = (struct pollfd){.fd = w->sync.wake[0], .events = POLLIN};
    return 1;
}

/*
 * After the last commit the open files need only their frame's end: then nothing is left to
 * recover. A failure here leaves them open, which is no worse than a crash.
 */
static void seal(struct worker *w)
{
    struct err err;
    enum rc rc = jsonl_parts_end(&w->parts, &err);
    if (rc || w->parts.nended == 0)
        return;
    rc = begin(w, NULL, 0, &err);
    if (!rc)
        (void)!wait_commit(w, &err);
}

static void worker_close(struct sink_worker *base)
{
    struct worker *w = (struct worker *)base;
    struct err err;
    bool clean = w->parts.since == 0 && w->spill.since == 0;
    if (w->sync.started && !wait_commit(w, &err) && !w->broken && clean)
        seal(w);
    sync_thread_release(&w->sync);
    store_log_close(w->log);
    jsonl_parts_release(&w->parts);
    spill_writer_release(&w->spill);
    reasons_release(&w->reasons);
    free(w);
}

static const struct sink_worker_ops OPS = {
    .rows = worker_rows,
    .full = worker_full,
    .commit = worker_commit,
    .step = worker_step,
    .fds = worker_fds,
    .close = worker_close,
};

struct sink_worker *jsonl_worker_new(struct jsonl *s, uint32_t index, struct err *err)
{
    struct worker *w = calloc(1, sizeof *w);
    if (!w) {
        (void)err_nomem(err);
        return NULL;
    }
    w->base.ops = &OPS;
    w->s = s;
    char name[JSONL_KEY];
    (void)snprintf(name, sizeof name, "log-%06u-%04u", s->generation, index + 1);
    enum rc rc = s->store->ops->log(s->store, name, &w->log, err);
    if (rc) {
        free(w);
        return NULL;
    }
    rc = sync_thread_init(&w->sync, w->log, err);
    if (!rc)
        rc = jsonl_parts_init(&w->parts, s, err);
    if (!rc)
        rc = spill_writer_init(&w->spill, s, w->parts.nparts, err);
    if (!rc)
        return &w->base;
    w->broken = true;
    worker_close(&w->base);
    return NULL;
}
