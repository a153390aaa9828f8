/* SPDX-License-Identifier: MIT */
/*
 * The way out: take what is offered, journal it, wait for the disk, reserve, send. More jobs are journalled than can
 * be in flight, so that the disk and the network work at the same time; a job that must wait is
 * parked and takes no connection.
 */
#include "sinks/dynamodb/writer/writer.h"

#include <stdlib.h>

#include "sinks/dynamodb/recipe/units.h"
#include "sinks/dynamodb/writer/update.h"
#include "sinks/dynamodb/writer/writer_private.h"

enum { QUEUE_FACTOR = 8, ITEM_MAX = 4 << 20, READ_UNIT = 4096 };
static const int64_t LOOK_US =
    1000000; /* by then a job is looked at: it may be due sooner than was said */

void writer_shared_init(struct write_shared *s)
{
    (void)pthread_mutex_init(&s->mu, NULL);
    throttle_table_init(&s->pace);
}

void writer_shared_release(struct write_shared *s)
{
    (void)pthread_mutex_destroy(&s->mu);
    throttle_table_release(&s->pace);
}

static void writer_job_list_init(struct job_list *l)
{
    l->first = NULL;
    l->end = &l->first;
}

static void writer_job_list_add(struct job_list *l, struct write_job *job)
{
    job->next = NULL;
    *l->end = job;
    l->end = &job->next;
}

static struct write_job *list_take(struct job_list *l, struct write_job **at)
{
    struct write_job *job = *at;
    *at = job->next;
    if (l->end == &job->next)
        l->end = at;
    return job;
}

enum rc writer_new(const struct writer_config *config, struct writer **out, struct err *err)
{
    struct writer *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return err_nomem(err);
    w->config = *config;
    w->indexes.table = config->shared->facts;
    writer_job_list_init(&w->queue);
    arena_init(&w->arena, 65536);
    buf_init(&w->item, ITEM_MAX);
    w->decoder = decoder_new();
    w->slots = calloc(config->in_flight, sizeof *w->slots);
    if (!w->decoder || !w->slots)
        return err_nomem(err);
    enum rc rc = delay_heap_init(&w->delayed, writer_room(w), err);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < config->in_flight; i++) {
        struct slot *s = &w->slots[i];
        s->writer = w;
        dynamodb_request_init(&s->request);
        s->request.done = writer_answered;
        s->request.ctx = s;
        s->next_free = w->free;
        w->free = s;
    }
    return RC_OK;
}

void writer_free(struct writer *w)
{
    if (!w)
        return;
    for (uint32_t i = 0; w->slots && i < w->config.in_flight; i++) {
        struct slot *s = &w->slots[i];
        dynamodb_request_release(&s->request);
        if (s->job)
            budget_settle(s->budget, &s->ticket, s->worst, writer_now(w));
    }
    free(w->slots);
    delay_heap_release(&w->delayed);
    decoder_free(w->decoder);
    arena_release(&w->arena);
    buf_release(&w->item);
    free(w);
}

void writer_delay(struct writer *w, struct write_job *job, int64_t due_us)
{
    job->due_us = due_us;
    delay_heap_add(&w->delayed, job);
}

void writer_slow(struct writer *w, struct write_job *job, int64_t due_us)
{
    int64_t look = writer_now(w) + LOOK_US;
    writer_delay(w, job, due_us < look ? due_us : look);
    if (w->config.ops->slow)
        w->config.ops->slow(w->config.ctx, job);
}

enum rc writer_queue(struct writer *w, struct write_job *job, struct err *err)
{
    job->intent = journal_intent(w->config.journal, job->segment, job->key, &job->change);
    if (!job->intent)
        return err_nomem(err);
    job->look = job->repeat = false;
    writer_job_list_add(&w->queue, job);
    return RC_OK;
}

static void wait_until(struct writer *w, int64_t at_us)
{
    if (at_us < w->due_us)
        w->due_us = at_us;
}

/* ---- taking -------------------------------------------------------------------------------- */

/* A throttled partition takes one job at a time, and asking for it is what takes its place: so this
 * comes last, when nothing else can keep the job from being taken. */
static bool is_held(struct writer *w, const struct write_job *job, int64_t now)
{
    return !w->config.in_order && !(throttle_index_open(&w->indexes, &job->change, now) &&
                                    throttle_key_take(&w->keys, job->partition, now));
}

enum writer_answer writer_offer(struct writer *w, struct write_job *job)
{
    struct err err = {0};
    int64_t now = writer_now(w);
    if (w->failed.rc || w->pending >= writer_room(w) ||
        !throttle_table_open(&w->config.shared->pace, now))
        return WRITER_FULL;
    if (is_held(w, job, now))
        return WRITER_HELD;
    job->tries = 0;
    job->applied = false;
    job->ticket = job->pass = 0;
    job->turn = (struct index_turn){0};
    job->retry = (struct retry_op){0};
    if (writer_queue(w, job, &err)) {
        writer_fail(w, &err);
        return WRITER_FULL;
    }
    w->pending++;
    return WRITER_TAKEN;
}

/* The moments at which jobs that were not taken may be offered with success. */
static void wait_for_throttles(struct writer *w)
{
    int64_t now = writer_now(w);
    wait_until(w, throttle_key_due(&w->keys, now));
    wait_until(w, throttle_range_due(&w->ranges, now));
    wait_until(w, throttle_range_due(&w->indexes.ranges, now));
    wait_until(w, throttle_table_due(&w->config.shared->pace, now));
}

/* ---- sending ------------------------------------------------------------------------------- */

static int64_t worst_of(const struct write_job *job)
{
    const struct change *c = &job->change;
    uint64_t bytes = c->size_before > c->size_after ? c->size_before : c->size_after;
    uint64_t n = units_for(bytes);
    if (job->look) {
        n = (bytes + READ_UNIT - 1) / READ_UNIT;
    } else if (job->units > n) {
        n = job->units;
    }
    return (int64_t)(n ? n : 1) * BUDGET_UNIT;
}

static void write_request(struct writer *w, struct slot *s)
{
    const struct write_shared *shared = w->config.shared;
    const struct write_job *job = s->job;
    buf_clear(&s->request.send);
    s->request.op = job->look ? "GetItem" : "UpdateItem";
    if (job->look) {
        update_read(&s->request.send, shared->table, job->key);
    } else {
        update_write(&s->request.send, shared->table, shared->pk, job->key, &job->change);
    }
}

static void give_back(struct writer *w, struct slot *s)
{
    s->job = NULL;
    s->next_free = w->free;
    w->free = s;
}

/* Credentials that cannot be had for the moment are a failed attempt. Whatever comes of it, the
 * job stays where the end of the run finds it. */
static enum rc not_sent(struct writer *w, struct slot *s, struct err *err)
{
    struct write_job *job = s->job;
    struct aws_failure f = {
        .class = AWS_TRANSIENT, .result = HTTP_NOT_SENT, .retry_after_ms = -1};
    size_t n =
        strlen(err->msg) < sizeof f.message - 1 ? strlen(err->msg) : sizeof f.message - 1;
    memcpy(f.message, err->msg, n);
    int64_t at = 0;
    budget_settle(s->budget, &s->ticket, 0, writer_now(w));
    enum rc rc = err->rc;
    if (rc == RC_TRANSIENT) {
        rc = retry_failed(&w->config.shared->ddb->retry, &job->retry, &f, s->request.op, &at,
                          err);
        job->repeat = !rc;
    }
    writer_slow(w, job, at);
    give_back(w, s);
    return rc;
}

/* RC_OK: sent; RC_AGAIN: the budget has nothing now, the job stays with the caller. */
static enum rc send(struct writer *w, struct write_job *job, int64_t now, struct err *err)
{
    struct write_shared *shared = w->config.shared;
    struct slot *s = w->free;
    int64_t at = 0;
    s->budget = job->look ? shared->reads : shared->writes;
    s->worst = worst_of(job);
    if (!budget_reserve(s->budget, s->worst, now, &s->ticket, &at)) {
        wait_until(w, at);
        return RC_AGAIN;
    }
    w->free = s->next_free;
    s->job = job;
    job->ticket = job->pass = 0;
    job->turn = (struct index_turn){0};
    s->request.retry = job->retry;
    write_request(w, s);
    enum rc rc = dynamodb_start(shared->ddb, w->config.loop, &s->request, err);
    if (rc)
        return not_sent(w, s, err);
    w->flying++;
    return RC_OK;
}

/* May this write be sent now? Else it is parked until it may. */
static bool has_its_turn(struct writer *w, struct write_job *job, int64_t now)
{
    int64_t at = throttle_range_turn(&w->ranges, job->range, &job->ticket, now);
    if (at <= now)
        at = throttle_index_turn(&w->indexes, &job->change, &job->turn, now);
    if (at <= now)
        at = throttle_table_turn(&w->config.shared->pace, &job->pass, now);
    if (at <= now && throttle_key_allow(&w->keys, job->partition, now, &at))
        return true;
    writer_slow(w, job, at);
    wait_until(w, at);
    return false;
}

/* Those that are due. */
static enum rc send_parked(struct writer *w, int64_t now, struct err *err)
{
    enum rc rc = RC_OK;
    const struct write_job *first;
    while ((first = delay_heap_first(&w->delayed)) && first->due_us <= now && w->free && !rc) {
        struct write_job *job = delay_heap_take(&w->delayed);
        int64_t at = now;
        if (job->repeat)
            at = retry_when(&w->config.shared->ddb->retry, &job->retry);
        if (at > now) {
            writer_slow(w, job, at);
        } else if (job->look || has_its_turn(w, job, now)) {
            rc = send(w, job, now, err);
            if (rc == RC_AGAIN)
                writer_delay(w, job, now);
        }
    }
    if (first && first->due_us > now)
        wait_until(w, first->due_us);
    return rc == RC_AGAIN ? RC_OK : rc;
}

static enum rc send_queued(struct writer *w, int64_t now, struct err *err)
{
    enum rc rc = RC_OK;
    uint64_t durable = journal_durable(w->config.journal);
    while (w->queue.first && w->free && !rc && w->queue.first->intent <= durable) {
        struct job_list rest = w->queue;
        struct write_job *job = list_take(&w->queue, &w->queue.first);
        if (has_its_turn(w, job, now))
            rc = send(w, job, now, err);
        if (rc == RC_AGAIN) { /* the job goes back to the head: intents are sent in order */
            job->next = w->queue.first;
            if (!job->next)
                w->queue.end = &job->next;
            w->queue.first = rest.first;
        }
    }
    return rc == RC_AGAIN ? RC_OK : rc;
}

/* The operator wants to stop: what was never sent did not happen, what may have been is left to
 * the next process. */
static enum rc drop_unsent(struct writer *w, struct err *err)
{
    for (;;) {
        struct write_job *job = delay_heap_take(&w->delayed);
        if (!job && w->queue.first)
            job = list_take(&w->queue, &w->queue.first);
        if (!job)
            return RC_OK;
        w->pending--;
        if (!job->unclear && !journal_outcome(w->config.journal, job->intent, OUTCOME_VOID))
            return err_nomem(err);
    }
}

enum rc writer_step(struct writer *w, bool stop, struct err *err)
{
    enum rc rc = RC_OK;
    w->due_us = INT64_MAX;
    if (stop)
        rc = drop_unsent(w, err);
    if (!stop)
        wait_for_throttles(w);
    if (!rc)
        rc = journal_step(w->config.journal, err);
    int64_t now = writer_now(w);
    if (!rc && !w->failed.rc)
        rc = send_parked(w, now, err);
    if (!rc && !w->failed.rc)
        rc = send_queued(w, now, err);
    if (rc) {
        /* Later steps return this error as well: their caller must not wait for jobs that will
           never have an end. */
        writer_fail(w, err);
    } else if (w->failed.rc) {
        *err = w->failed;
        rc = err->rc;
    }
    return rc;
}

bool writer_range_open(const struct writer *w, uint32_t range)
{
    return w->ranges.n == 0 || throttle_range_open(&w->ranges, range, writer_now(w));
}

uint32_t writer_room(const struct writer *w)
{
    return QUEUE_FACTOR * w->config.in_flight;
}

uint32_t writer_pending(const struct writer *w)
{
    return w->pending;
}

int64_t writer_due(const struct writer *w)
{
    return w->due_us;
}
