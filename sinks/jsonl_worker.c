/* SPDX-License-Identifier: MIT */
/*
 * One worker's side: rows are encoded straight into the compressors of its open files, and
 * commits are handed to the sync thread, so that encoding goes on while the disk works.
 */
#include <stdlib.h>

#include "pipeline/run/candidate.h"
#include "sinks/jsonl_parts.h"
#include "sinks/jsonl_record.h"
#include "sinks/jsonl_reject.h"

enum { MB = 1 << 20 };

struct worker {
    struct sink_worker base;
    struct jsonl *s;
    struct jsonl_log log;
    struct jsonl_sync sync;
    struct jsonl_parts parts;
    struct reasons reasons; /* since the last commit */
    bool in_flight, broken;
};

static enum rc add_row(struct worker *w, const struct row *row, struct err *err)
{
    const struct schema *schema = w->s->schema;
    bool copy = row->extract != UINT32_MAX;
    struct jsonl_part *part = NULL;
    enum rc rc = jsonl_parts_get(
        &w->parts, copy ? jsonl_candidates(schema, row->extract) : row->table, &part, err);
    if (rc)
        return rc;
    struct buf *in = &part->z.in;
    size_t before = in->len;
    if (copy) {
        const struct extract *ex = &schema->extracts[row->extract];
        candidate_encode(in, &schema->tables[ex->into], ex, row);
    } else {
        table_row_json(in, &schema->tables[row->table], row->cells);
        buf_putc(in, '\n');
    }
    return jsonl_parts_added(&w->parts, part, before, err);
}

static enum rc add_reject(struct worker *w, const struct reject *r, const struct batch *of,
                          struct err *err)
{
    const struct schema *schema = w->s->schema;
    struct jsonl_part *part = NULL;
    uint32_t stream =
        r->kind == REJECT_UNROUTED ? jsonl_unrouted(schema) : jsonl_rejects(schema);
    enum rc rc = jsonl_parts_get(&w->parts, stream, &part, err);
    if (rc)
        return rc;
    size_t before = part->z.in.len;
    jsonl_reject(&part->z.in, r, of);
    buf_putc(&part->z.in, '\n');
    rc = jsonl_parts_added(&w->parts, part, before, err);
    return rc ? rc : reasons_count(&w->reasons, r, of->segment, err);
}

static enum rc worker_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    struct worker *w = (struct worker *)base;
    enum rc rc = RC_OK;
    for (size_t i = 0; i < batch->nrows && !rc; i++)
        rc = add_row(w, &batch->rows[i], err);
    for (size_t i = 0; i < batch->nrejects && !rc; i++)
        rc = add_reject(w, &batch->rejects[i], batch, err);
    if (rc)
        w->broken = true;
    return rc;
}

static bool worker_full(const struct sink_worker *base)
{
    const struct worker *w = (const struct worker *)base;
    return w->parts.since >= (uint64_t)w->s->opts.commit_mb * MB;
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
            rc = err_set(err, RC_CANCEL, "segment %u was taken over", m->segment);
    }
    pthread_mutex_unlock(&s->mu);
    return rc;
}

static enum rc begin(struct worker *w, const struct mark *marks, size_t n, struct err *err)
{
    enum rc rc = jsonl_parts_gather(&w->parts, &w->sync, err);
    if (rc)
        return rc;
    struct buf *b = &w->sync.record;
    jsonl_record_begin(b);
    jsonl_record_files(b, w->parts.changed, w->parts.nchanged);
    jsonl_record_reasons(b, &w->reasons);
    jsonl_record_marks(b, marks, n, schema_counters(w->s->schema));
    jsonl_record_end(b);
    rc = buf_check(b, err);
    if (rc)
        return rc;
    reasons_clear(&w->reasons);
    w->in_flight = true;
    jsonl_point(w->s, "commit");
    jsonl_sync_begin(&w->sync);
    return RC_OK;
}

static enum rc settle(struct worker *w, enum rc rc, struct err *err)
{
    if (rc == RC_AGAIN || !w->in_flight)
        return rc;
    w->in_flight = false;
    if (!rc)
        rc = jsonl_applied(w->s, buf_view(&w->sync.record), err);
    jsonl_sync_clear(&w->sync);
    jsonl_point(w->s, "committed");
    if (rc)
        w->broken = true;
    return rc;
}

static enum rc worker_step(struct sink_worker *base, struct err *err)
{
    struct worker *w = (struct worker *)base;
    return settle(w, jsonl_sync_poll(&w->sync, err), err);
}

static enum rc wait_commit(struct worker *w, struct err *err)
{
    return settle(w, jsonl_sync_wait(&w->sync, err), err);
}

static enum rc worker_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                             struct err *err)
{
    struct worker *w = (struct worker *)base;
    enum rc rc = wait_commit(w, err);
    if (!rc)
        rc = check_epochs(w->s, marks, n, err);
    if (!rc)
        rc = begin(w, marks, n, err);
    if (rc)
        w->broken = true;
    return rc ? rc : RC_AGAIN;
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
    if (w->sync.started && wait_commit(w, &err) == RC_OK && !w->broken && w->parts.since == 0)
        seal(w);
    jsonl_sync_release(&w->sync);
    jsonl_log_close(&w->log);
    jsonl_parts_release(&w->parts);
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
    w->log.fd = -1;
    enum rc rc = jsonl_sync_init(&w->sync, &w->log, err);
    char path[FS_PATH];
    fs_path(path, "%s/log-%06u-%04u", s->run, s->generation, index + 1);
    if (!rc)
        rc = jsonl_log_create(&w->log, path, 0666, err);
    if (!rc)
        rc = jsonl_parts_init(&w->parts, s, err);
    if (!rc)
        return &w->base;
    w->broken = true;
    worker_close(&w->base);
    return NULL;
}
