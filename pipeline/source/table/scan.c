/* SPDX-License-Identifier: MIT */
/*
 * A scan while it runs, as the main thread sees it. Segments are handed out in order, or from all
 * over the table in turn, for neighbours share a partition; a resumed run keeps the number of them
 * that the ledger holds. What is pushed down to the service is part of the identity, for it changes
 * what is read.
 */
#include "pipeline/source/table/scan.h"

#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/source/table/scan_private.h"

static const int64_t KEEP_US = 5000000;

static struct scan *self(const struct source *s)
{
    return (struct scan *)(void *)(uintptr_t)s;
}

static enum rc take(struct source *base, struct reader *r, uint32_t *segment, struct err *err)
{
    struct scan *s = self(base);
    (void)r, (void)err;
    uint32_t part = (base->segments + SCAN_SCATTER - 1) / SCAN_SCATTER;
    uint32_t end = s->opts.scatter ? part * SCAN_SCATTER : base->segments;
    bool any = false;
    (void)pthread_mutex_lock(&s->mu);
    while (!any && s->next < end) {
        uint32_t n = s->next++;
        *segment = s->opts.scatter ? n % SCAN_SCATTER * part + n / SCAN_SCATTER : n;
        any = *segment < base->segments;
    }
    (void)pthread_mutex_unlock(&s->mu);
    return any ? RC_OK : RC_END;
}

static struct reader *new_reader(struct source *base, struct err *err)
{
    return scan_reader_new(self(base), err);
}

static enum rc resume(struct source *base, uint32_t segments, int64_t started_us,
                      struct err *err)
{
    struct scan *s = self(base);
    const struct env *env = s->opts.env;
    int64_t now = s->opts.now_us ? s->opts.now_us : env->now_us(env->ctx);
    int64_t hour = INT64_C(3600) * 1000000;
    if (s->opts.max_age_us && now - started_us > s->opts.max_age_us) {
        (void)err_set(err, RC_USAGE,
                      "the unfinished scan was begun %.1f hours ago, --max-age allows %.1f",
                      (double)(now - started_us) / (double)hour,
                      (double)s->opts.max_age_us / (double)hour);
        return err_hint(err, "--restart begins anew; a larger --max-age goes on");
    }
    if (s->opts.segments && segments && s->opts.segments != segments) {
        (void)err_set(err, RC_USAGE, "the unfinished scan has %u segments, --segments says %u",
                      segments, s->opts.segments);
        return err_hint(err, "leave --segments out to go on, or begin anew with --restart");
    }
    if (segments)
        scan_set_segments(s, segments);
    return RC_OK;
}

static enum rc tick(struct source *base, struct err *err)
{
    struct scan *s = self(base);
    int64_t now = scan_mono(s);
    if (now - s->kept_us >= KEEP_US) {
        struct err ignored = {0}; /* while the old ones last; then the readers tell */
        if (creds_cache_keep(s->creds, &ignored) == RC_NOMEM)
            return err_nomem(err);
        s->kept_us = now;
    }
    return scan_watch_tick(s->watch, err);
}

static enum rc confirm(struct source *base, struct err *err)
{
    struct scan *s = self(base);
    struct arena arena;
    struct dynamodb_table now;
    arena_init(&arena, 16384);
    enum rc rc = dynamodb_table_describe(&s->ddb, s->opts.table, &arena, &now, err);
    if (rc == RC_USAGE)
        err->rc = rc = RC_SOURCE;
    if (!rc)
        rc = scan_watch_same(s, &now, err);
    arena_release(&arena);
    return rc;
}

static void usage(struct source *base, struct source_usage *out)
{
    struct scan *s = self(base);
    struct budget_stats b = budget_stats(&s->budget, scan_mono(s));
    struct retry_stats r = retry_stats(&s->ddb.retry);
    *out = (struct source_usage){.units = (double)b.consumed / (double)BUDGET_UNIT,
                                 .allowed = (double)b.rate / (double)BUDGET_UNIT,
                                 .throttles = r.throttles,
                                 .retries = r.retries};
}

static void free_scan(struct source *base)
{
    struct scan *s = self(base);
    scan_watch_free(s->watch);
    if (s->connected)
        dynamodb_release(&s->ddb);
    creds_free(s->creds);
    if (s->settled) {
        aws_settings_release(&s->settings);
        http_global_release();
    }
    budget_release(&s->budget);
    buf_release(&s->request);
    buf_release(&s->pushed);
    buf_release(&s->identity);
    buf_release(&s->description);
    arena_release(&s->arena);
    (void)pthread_mutex_destroy(&s->mu);
    free(s);
}

const struct source_ops scan_ops = {.take = take,
                                    .reader = new_reader,
                                    .free = free_scan,
                                    .resume = resume,
                                    .tick = tick,
                                    .confirm = confirm,
                                    .usage = usage};

bool scan_is(const struct source *s)
{
    return s->ops == &scan_ops;
}

void scan_set_segments(struct scan *s, uint32_t n)
{
    s->base.segments = n;
    s->base.ahead = s->opts.scatter ? scan_pace_scatter(n, s->opts.workers)
                                    : scan_pace_ahead(n, s->opts.workers);
}

uint32_t scan_workers(const struct source *base)
{
    const struct scan *s = self(base);
    return s->opts.scatter ? scan_pace_workers(base->segments, s->opts.workers)
                           : s->opts.workers;
}

enum rc scan_identify(struct scan *s, struct err *err)
{
    const struct dynamodb_table *t = &s->table;
    buf_clear(&s->identity);
    buf_addf(&s->identity, "dynamodb 1 table %.*s %.*s created %lld", STR_FMT(t->arn),
             STR_FMT(t->id), (long long)t->created_us);
    if (s->opts.index.n)
        buf_addf(&s->identity, " index %.*s", STR_FMT(s->opts.index));
    buf_add_str(&s->identity, buf_view(&s->pushed));
    s->base.identity = buf_view(&s->identity);
    return buf_check(&s->identity, err);
}

void scan_write_members(struct scan *s)
{
    struct buf *b = &s->request;
    buf_clear(b);
    buf_puts(b, "\"TableName\":");
    json_add_string(b, s->opts.table);
    if (s->opts.index.n) {
        buf_puts(b, ",\"IndexName\":");
        json_add_string(b, s->opts.index);
    }
    if (s->opts.strong)
        buf_puts(b, ",\"ConsistentRead\":true");
    buf_puts(b, ",\"ReturnConsumedCapacity\":\"TOTAL\"");
}

static void add_member(struct buf *b, const char *name, struct str json, bool quote)
{
    if (!json.n)
        return;
    buf_addf(b, ",\"%s\":", name);
    if (quote) {
        json_add_string(b, json);
    } else {
        buf_add_str(b, json);
    }
}

enum rc scan_pushdown(struct source *base, const struct scan_pushdown *push, struct err *err)
{
    struct scan *s = self(base);
    buf_clear(&s->pushed);
    add_member(&s->pushed, "ProjectionExpression", push->projection, true);
    add_member(&s->pushed, "FilterExpression", push->filter, true);
    add_member(&s->pushed, "ExpressionAttributeNames", push->names, false);
    add_member(&s->pushed, "ExpressionAttributeValues", push->values, false);
    scan_write_members(s);
    buf_add_str(&s->request, buf_view(&s->pushed));
    enum rc rc = buf_check(&s->request, err);
    return rc ? rc : scan_identify(s, err);
}

struct scan_facts scan_facts(const struct source *base)
{
    const struct scan *s = self(base);
    const struct dynamodb_index *x = s->index;
    int64_t bytes = x ? x->bytes : s->table.bytes;
    double units = (double)bytes / 8192 + 0.25 * (double)base->segments;
    return (struct scan_facts){.table = &s->table,
                               .index = x,
                               .items = x ? x->items : s->table.items,
                               .bytes = bytes,
                               .units = s->opts.strong ? 2 * units : units,
                               .start_rate = s->limits.start,
                               .max_rate = s->limits.max,
                               .strong = s->opts.strong,
                               .ttl_trouble = s->ttl_trouble,
                               .region = s->settings.region};
}

void scan_on_look(struct source *base,
                  void (*look)(void *ctx, const struct dynamodb_table *now), void *ctx)
{
    self(base)->look = look;
    self(base)->look_ctx = ctx;
}

struct dynamodb *scan_ddb(struct source *base)
{
    return &self(base)->ddb;
}

struct budget *scan_budget(struct source *base)
{
    return &self(base)->budget;
}
