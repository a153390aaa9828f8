/* SPDX-License-Identifier: MIT */
/*
 * The way back. A success is a change of ours. A failed condition is settled by the item itself,
 * which comes with the failure or is read: gone; carrying the new values (ours if an attempt was
 * unclear, else somebody did the same); or changed, and then computed anew. Whatever the end, the
 * journal knows it before the feeder does.
 */
#include "sinks/dynamodb/update.h"
#include "sinks/dynamodb/writer_private.h"

enum { REFUSED_MAX = 100 };

void writer_fail(struct writer *w, const struct err *err)
{
    if (!w->failed.rc)
        w->failed = *err;
}

static bool outcome(struct writer *w, struct write_job *job, enum outcome what)
{
    struct err err = {0};
    if (journal_outcome(w->config.journal, job->intent, what))
        return true;
    (void)err_nomem(&err);
    writer_fail(w, &err);
    return false;
}

static void writer_done(struct writer *w, struct write_job *job, enum fate fate)
{
    job->fate = fate;
    w->pending--;
    holds_end(&w->holds, job->partition);
    w->config.ops->done(w->config.ctx, job);
}

static void end(struct writer *w, struct write_job *job, enum fate fate, enum outcome what)
{
    if (!outcome(w, job, what))
        return;
    writer_done(w, job, fate);
}

/* ---- a condition failed -------------------------------------------------------------------- */

static void recompute(struct writer *w, struct write_job *job, const struct item *item)
{
    struct err err = {0};
    enum fate fate = FATE_FAILED;
    enum rc rc = w->config.ops->again(w->config.ctx, job, item, &fate, &err);
    if (rc) {
        writer_fail(w, &err);
        return;
    }
    if (fate == FATE_CHANGED && job->tries <= w->config.max_tries) {
        rc = writer_queue(w, job, &err);
        if (rc)
            writer_fail(w, &err);
        return;
    }
    job->intent = 0;
    if (fate == FATE_CHANGED) {
        fate = FATE_CONFLICTED;
        (void)fault_set(&job->why, "kept-changing", 0,
                        "others changed it %u times while it was to be written", job->tries);
    } else if (fate == FATE_ALREADY && job->applied) {
        fate = FATE_CHANGED;
    }
    writer_done(w, job, fate);
}

/* The item as it is now decides. */
static void settle(struct writer *w, struct write_job *job, const struct item *item)
{
    if (item->n == 0) {
        (void)fault_set(&job->why, "deleted", 0, "others deleted it before it was written");
        end(w, job, FATE_CONFLICTED, OUTCOME_VOID);
        return;
    }
    bool stands = change_stands(&job->change, item, false);
    bool ours = stands && job->unclear;
    if (!outcome(w, job, ours ? OUTCOME_CHANGED : OUTCOME_VOID))
        return;
    job->applied = job->applied || ours;
    recompute(w, job, item);
}

static void settle_text(struct writer *w, struct write_job *job, bool there)
{
    struct err err = {0};
    struct fault why = {0};
    struct item item = {0};
    arena_clear(&w->arena);
    enum rc rc =
        there ? item_decode(w->decoder, buf_view(&w->item), &w->arena, &item, &why) : RC_OK;
    if (rc == RC_NOMEM) {
        (void)err_nomem(&err);
        writer_fail(w, &err);
    } else if (rc) {
        job->why = why;
        end(w, job, FATE_FAILED, OUTCOME_VOID);
    } else {
        settle(w, job, &item);
    }
}

/* ---- answers ------------------------------------------------------------------------------- */

static void count(struct write_shared *s, const struct update_answer *a, int64_t worst)
{
    (void)pthread_mutex_lock(&s->mu);
    s->sent++;
    s->applied++;
    s->table_units += a->table >= 0 ? a->table : worst;
    s->index_units += a->indexes;
    (void)pthread_mutex_unlock(&s->mu);
}

static void count_conflict(struct write_shared *s, int64_t worst)
{
    (void)pthread_mutex_lock(&s->mu);
    s->sent++;
    s->applied++;
    s->conflicts++;
    s->table_units += worst;
    (void)pthread_mutex_unlock(&s->mu);
}

/* The service does not accept this item's values; if it accepts nobody's, the model is wrong. */
static void refused(struct writer *w, struct write_job *job, const struct aws_failure *f,
                    const struct err *err)
{
    struct write_shared *s = w->config.shared;
    (void)pthread_mutex_lock(&s->mu);
    s->refused++;
    bool hopeless = s->applied == 0 && s->refused >= REFUSED_MAX;
    (void)pthread_mutex_unlock(&s->mu);
    if (hopeless) {
        struct err all = *err;
        all.rc = RC_SINK;
        (void)err_context(&all, "the first %d writes were all refused", REFUSED_MAX);
        writer_fail(w, &all);
        return;
    }
    (void)fault_set(&job->why, "refused", 0, "%.200s", f->message);
    end(w, job, FATE_FAILED, OUTCOME_VOID);
}

static void again_later(struct writer *w, struct slot *s, struct write_job *job, int64_t at)
{
    const struct aws_failure *f = &s->request.failure;
    int64_t now = writer_now(w);
    if (!job->look)
        job->unclear = job->unclear || f->maybe_done;
    if (f->class == AWS_THROTTLE && f->key_range) {
        holds_throttled(&w->holds, job->partition, now);
    } else if (f->class == AWS_THROTTLE) {
        budget_throttled(s->budget, now);
    }
    job->retry = s->request.retry;
    job->repeat = true;
    writer_park(w, job, at);
}

static void written(struct writer *w, struct slot *s, struct write_job *job, enum rc rc,
                    const struct update_answer *a)
{
    if (rc == RC_OK) {
        count(w->config.shared, a, s->worst);
        holds_succeeded(&w->holds, job->partition);
        end(w, job, FATE_CHANGED, OUTCOME_CHANGED);
        return;
    }
    job->tries++;
    count_conflict(w->config.shared, s->worst);
    if (a->item) {
        settle_text(w, job, true);
    } else { /* not told: deleted, or a server that does not tell */
        job->look = true;
        writer_park(w, job, writer_now(w));
    }
}

static void settle_ticket(struct writer *w, struct slot *s, enum rc rc,
                          const struct update_answer *a)
{
    const struct aws_failure *f = &s->request.failure;
    int64_t cost = s->worst;
    if (rc == RC_OK && a->table >= 0) {
        cost = a->table;
    } else if (rc != RC_OK && rc != RC_DATA && !f->maybe_done) {
        cost = 0;
    }
    budget_settle(s->budget, &s->ticket, cost, writer_now(w));
}

static bool is_refusal(const struct aws_failure *f)
{
    return f->class == AWS_FATAL && strcmp(f->name, "ValidationException") == 0;
}

void writer_answered(struct ddb_request *request, void *ctx)
{
    struct slot *s = ctx;
    struct writer *w = s->writer;
    struct write_job *job = s->job;
    struct update_answer a = {.table = -1};
    struct err err = {0};
    int64_t at = 0;
    enum rc rc = ddb_finish(w->config.shared->ddb, request, &at, &err);
    if (rc == RC_OK || rc == RC_DATA) {
        struct err bad = {0};
        if (update_answer_read(&w->item, buf_view(&request->http.body), &a, &bad)) {
            rc = bad.rc == RC_TRANSIENT && rc == RC_DATA ? RC_DATA : bad.rc;
            err = bad;
        }
    }
    settle_ticket(w, s, rc, &a);
    w->flying--;
    s->job = NULL;
    s->next_free = w->free;
    w->free = s;
    if (rc == RC_AGAIN) {
        again_later(w, s, job, at);
    } else if (rc == RC_OK && job->look) {
        job->retry = (struct retry_op){0};
        settle_text(w, job, a.item);
    } else if (rc == RC_OK || (rc == RC_DATA && !job->look)) {
        job->retry = (struct retry_op){0};
        written(w, s, job, rc, &a);
    } else if (!job->look && is_refusal(&request->failure)) {
        refused(w, job, &request->failure, &err);
    } else {
        writer_fail(w, &err);
    }
}
