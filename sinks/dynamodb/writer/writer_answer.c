/* SPDX-License-Identifier: MIT */
/*
 * The way back. A success is a change of ours. A failed condition is settled by the item itself,
 * which comes with the failure or is read: gone; carrying any of the new values (ours if an attempt
 * was unclear, else somebody did the same); or changed. If it is there it is computed anew. Whatever
 * the end, the journal knows it before the job's owner does.
 */
#include <stdio.h>

#include "sinks/dynamodb/writer/update.h"
#include "sinks/dynamodb/writer/writer_private.h"

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
    throttle_key_end(&w->keys, job->partition);
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
    } else if (job->applied && fate_is_idle(fate)) {
        fate = FATE_CHANGED; /* what we wrote may be why nothing is left to be done */
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
    bool ours = job->unclear && recipe_change_left(&job->change, item);
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

/* A partition of an index: the writes that go there are slowed down, and no others. */
static bool slow_index(struct writer *w, const struct slot *s, struct write_job *job,
                       int64_t now, int64_t *at)
{
    const struct aws_failure *f = &s->request.failure;
    if (!f->key_range || !f->index || job->look)
        return false;
    enum index_verdict v = throttle_index_throttled(&w->indexes, str_of(f->index_name),
                                                    &job->change, job->partition, now);
    if (v == INDEX_BRAKED) {
        job->repeat = false; /* the index says when it may be sent, not the retries */
        *at = now;
    }
    return v != INDEX_UNKNOWN;
}

/* Slows down what was throttled: a key and its range, an index, or the table. Returns when to
 * repeat. */
static int64_t slow_down(struct writer *w, const struct slot *s, struct write_job *job,
                         int64_t at)
{
    const struct aws_failure *f = &s->request.failure;
    int64_t now = writer_now(w);
    bool paced = false;
    if (slow_index(w, s, job, now, &at))
        return at;
    if (f->key_range && !f->index) {
        throttle_key_throttled(&w->keys, job->partition, now);
        if (throttle_range_throttled(&w->ranges, job->range, job->partition, now)) {
            job->repeat = false; /* the range says when it may be sent, not the retries */
            return now;
        }
        paced = true; /* the key says when */
    } else {
        budget_throttled(s->budget, now);
        paced = !job->look && !f->key_range &&
                throttle_table_throttled(&w->config.shared->pace, job->partition, now);
    }
    if (job->look || !paced || f->retry_after_ms >= 0)
        return at;
    return retry_paced(&w->config.shared->ddb->retry, &job->retry);
}

static void again_later(struct writer *w, struct slot *s, struct write_job *job, int64_t at)
{
    const struct aws_failure *f = &s->request.failure;
    if (!job->look)
        job->unclear = job->unclear || f->maybe_done;
    job->retry = s->request.retry;
    job->repeat = true;
    if (f->class == AWS_THROTTLE)
        at = slow_down(w, s, job, at);
    writer_slow(w, job, at);
}

static void written(struct writer *w, struct slot *s, struct write_job *job, enum rc rc,
                    const struct update_answer *a)
{
    if (!rc) {
        count(w->config.shared, a, s->worst);
        throttle_key_succeeded(&w->keys, job->partition);
        throttle_range_succeeded(&w->ranges, job->range, writer_now(w));
        throttle_index_succeeded(&w->indexes, &job->change, writer_now(w));
        throttle_table_succeeded(&w->config.shared->pace, writer_now(w));
        end(w, job, FATE_CHANGED, OUTCOME_CHANGED);
        return;
    }
    job->tries++;
    count_conflict(w->config.shared, s->worst);
    if (a->item) {
        settle_text(w, job, true);
    } else { /* the item was deleted, or this server does not send it: a read tells */
        job->look = true;
        writer_delay(w, job, writer_now(w));
    }
}

static void settle_ticket(struct writer *w, struct slot *s, enum rc rc,
                          const struct update_answer *a)
{
    const struct aws_failure *f = &s->request.failure;
    int64_t cost = s->worst;
    if (!rc && a->table >= 0) {
        cost = a->table;
    } else if (rc && rc != RC_DATA && !f->maybe_done) {
        cost = 0;
    }
    budget_settle(s->budget, &s->ticket, cost, writer_now(w));
}

/* What the service says of this one item; the next one may be fine. */
static bool is_refusal(const struct aws_failure *f)
{
    static const char *const NAMES[] = {"ValidationException",
                                        "ItemCollectionSizeLimitExceededException"};
    bool found = f->status == 413;
    for (size_t i = 0; !found && i < sizeof NAMES / sizeof NAMES[0]; i++)
        found = strcmp(f->name, NAMES[i]) == 0;
    return found && f->class == AWS_FATAL;
}

/* The write was made, or not: as if the answer had been lost on its way. */
static enum rc spoilt(struct writer *w, struct dynamodb_request *request, int64_t *at,
                      struct err *err)
{
    struct aws_failure *f = &request->failure;
    *f = (struct aws_failure){
        .class = AWS_TRANSIENT, .result = HTTP_DONE, .retry_after_ms = -1, .maybe_done = true};
    (void)snprintf(f->message, sizeof f->message, "%.900s", err->msg);
    enum rc rc =
        retry_failed(&w->config.shared->ddb->retry, &request->retry, f, request->op, at, err);
    return rc ? rc : RC_AGAIN;
}

/* RC_OK, RC_DATA: an answer, in `a` and w->item. RC_AGAIN: repeat at *at. Else: for good. */
static enum rc read_answer(struct writer *w, struct dynamodb_request *request,
                           struct update_answer *a, int64_t *at, struct err *err)
{
    enum rc rc = dynamodb_finish(w->config.shared->ddb, request, at, err);
    if (rc && rc != RC_DATA)
        return rc;
    struct err bad = {0};
    enum rc read = update_answer_read(&w->item, buf_view(&request->http.body), a, &bad);
    if (!read || (read == RC_TRANSIENT && rc == RC_DATA))
        return rc;
    *err = bad;
    return read == RC_TRANSIENT ? spoilt(w, request, at, err) : read;
}

/* Requests of this kind were right before: a re-run won't help, another call won't either. */
static void stop_run(struct writer *w, struct err *err)
{
    if (err->rc == RC_USAGE)
        err->rc = RC_SINK;
    writer_fail(w, err);
}

void writer_answered(struct dynamodb_request *request, void *ctx)
{
    struct slot *s = ctx;
    struct writer *w = s->writer;
    struct write_job *job = s->job;
    struct update_answer a = {.table = -1};
    struct err err = {0};
    int64_t at = 0;
    enum rc rc = read_answer(w, request, &a, &at, &err);
    settle_ticket(w, s, rc, &a);
    w->flying--;
    s->job = NULL;
    s->next_free = w->free;
    w->free = s;
    if (rc == RC_AGAIN) {
        again_later(w, s, job, at);
    } else if (!rc && job->look) {
        job->retry = (struct retry_op){0};
        settle_text(w, job, a.item);
    } else if (!rc || (rc == RC_DATA && !job->look)) {
        job->retry = (struct retry_op){0};
        written(w, s, job, rc, &a);
    } else if (!job->look && is_refusal(&request->failure)) {
        refused(w, job, &request->failure, &err);
    } else {
        stop_run(w, &err);
    }
}
