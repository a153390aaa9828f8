/* SPDX-License-Identifier: MIT */
/*
 * Opening a table: settings, credentials, DescribeTable, and from its answer the segments, the
 * budget and the identity. How many segments there are is decided once and then kept by the
 * ledger, for a LastEvaluatedKey is worth nothing with another number.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/source/table/scan_private.h"

enum { MAX_TEXT = 1 << 20 };
static const int64_t DAY_US = INT64_C(86400) * 1000000;

static struct scan *new_scan(const struct scan_options *opts)
{
    struct scan *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->base.ops = &scan_ops;
    s->base.kind = "dynamodb";
    s->base.resumable = true;
    /* the limit is well below a day, so that tonight's load is not taken for last night's */
    s->base.same_us = DAY_US / 2;
    if (opts->max_age_us && opts->max_age_us < DAY_US)
        s->base.same_us = opts->max_age_us / 2;
    s->base.max_age_us = opts->max_age_us;
    s->opts = *opts;
    arena_init(&s->arena, 16384);
    buf_init(&s->request, MAX_TEXT);
    buf_init(&s->pushed, MAX_TEXT);
    buf_init(&s->identity, MAX_TEXT);
    buf_init(&s->description, MAX_TEXT);
    budget_init(&s->budget, (struct budget_limits){1, 1, 1}, scan_mono(s));
    (void)pthread_mutex_init(&s->mu, NULL);
    return s;
}

static enum rc connect(struct scan *s, struct err *err)
{
    const struct scan_options *o = &s->opts;
    enum rc rc = http_global_init(err);
    if (rc)
        return rc;
    rc = aws_settings_init(&s->settings, &o->aws, o->vars, o->env, err);
    s->settled = !rc;
    if (rc) {
        http_global_release();
        return rc;
    }
    s->creds = creds_default_new(&s->settings);
    if (!s->creds)
        return err_nomem(err);
    struct retry_policy policy = retry_dynamodb;
    policy.give_up_us = o->give_up_us;
    struct dynamodb_config config = {.settings = &s->settings,
                                     .provider = s->creds,
                                     .policy = &policy,
                                     .gzip = o->gzip,
                                     .trouble = o->trouble};
    rc = dynamodb_init(&s->ddb, &config, err);
    s->connected = !rc;
    return rc;
}

static enum rc check_index(const struct scan *s, struct err *err)
{
    const struct dynamodb_index *x = s->index;
    if (s->opts.strong && x->global) {
        (void)err_set(err, RC_USAGE, "a global index cannot be read with strong consistency");
        return err_hint(err, "leave --strong out");
    }
    bool going = str_is(x->status, "DELETING");
    if (!going && !x->backfilling && !str_is(x->status, "CREATING"))
        return RC_OK;
    return err_set(err, RC_TRANSIENT, "index \"%.*s\" is %s", STR_FMT(s->opts.index),
                   going ? "being deleted" : "still being filled");
}

static enum rc check_table(struct scan *s, struct err *err)
{
    const struct dynamodb_table *t = &s->table;
    if (str_is(t->status, "CREATING") || str_is(t->status, "DELETING")) {
        return err_set(err, RC_TRANSIENT, "table \"%.*s\" is %s", STR_FMT(t->name),
                       str_is(t->status, "CREATING") ? "still being made" : "being deleted");
    }
    if (!s->opts.index.n)
        return RC_OK;
    s->index = dynamodb_table_index(t, s->opts.index);
    if (s->index)
        return check_index(s, err);
    (void)err_set(err, RC_USAGE, "table \"%.*s\" has no index \"%.*s\"", STR_FMT(t->name),
                  STR_FMT(s->opts.index));
    if (t->n_indexes) {
        (void)err_hint(err, "it has \"%.*s\"%s", STR_FMT(t->indexes[0].name),
                       t->n_indexes > 1 ? " and others" : "");
    }
    return RC_USAGE;
}

static void add_name(struct source *b, struct str name)
{
    for (size_t i = 0; i < b->nindexing; i++) {
        if (str_eq(b->indexing[i], name))
            return;
    }
    b->indexing[b->nindexing++] = name;
}

static enum rc note_keys(struct scan *s, struct err *err)
{
    const struct dynamodb_table *t = &s->table;
    struct source *b = &s->base;
    b->key = arena_array(&s->arena, DDB_KEYS_MAX, sizeof *b->key);
    b->indexing =
        arena_array(&s->arena, (t->n_indexes + 1) * DDB_KEYS_MAX, sizeof *b->indexing);
    if (!b->key || !b->indexing)
        return err_nomem(err);
    for (size_t i = 0; i < t->schema.n; i++) {
        b->key[b->nkey++] = t->schema.keys[i].name;
        add_name(b, t->schema.keys[i].name);
    }
    for (size_t i = 0; i < t->n_indexes; i++) {
        for (size_t k = 0; k < t->indexes[i].schema.n; k++)
            add_name(b, t->indexes[i].schema.keys[k].name);
    }
    /* entities may name the table, or the index that is scanned */
    s->part = (struct source_part){.name = s->opts.index.n ? s->opts.index : t->name,
                                   .stem = s->opts.index.n ? t->name : (struct str){0},
                                   .key = b->key,
                                   .nkey = b->nkey};
    s->parts[0] = &s->part;
    b->parts = s->parts;
    b->nparts = 1;
    return RC_OK;
}

/* A policy may allow the scan and not this call: then the operator hears of it. */
static enum rc find_ttl(struct scan *s, struct err *err)
{
    if (!s->opts.ask_ttl)
        return RC_OK;
    enum rc rc = dynamodb_table_ttl(&s->ddb, s->opts.table, &s->arena, &s->base.ttl, err);
    if (rc == RC_AUTH) {
        (void)snprintf(s->ttl_trouble, sizeof s->ttl_trouble, "%.500s", err->msg);
        err_clear(err);
        rc = RC_OK;
    }
    return rc;
}

static enum rc describe(struct scan *s, struct err *err)
{
    struct buf *b = &s->description;
    buf_addf(b, "table \"%.*s\"", STR_FMT(s->opts.table));
    if (s->opts.index.n)
        buf_addf(b, ", index \"%.*s\"", STR_FMT(s->opts.index));
    buf_addf(b, " in %s", s->settings.region);
    s->base.description = buf_view(b);
    return buf_check(b, err);
}

static enum rc plan_scan(struct scan *s, struct err *err)
{
    const struct dynamodb_index *x = s->index;
    int64_t items = x ? x->items : s->table.items, bytes = x ? x->bytes : s->table.bytes;
    s->base.bytes = bytes > 0 ? (uint64_t)bytes : 0;
    uint32_t n = scan_pace_segments(s->opts.workers, bytes);
    if (s->opts.scatter && n < SCAN_SCATTER)
        n = SCAN_SCATTER;
    scan_set_segments(s, s->opts.segments ? s->opts.segments : n);
    s->limits = scan_pace_limits(&s->opts.pace, &s->table, x);
    budget_release(&s->budget);
    budget_init(&s->budget, s->limits, scan_mono(s));
    scan_sizes_init(&s->sizes, s->opts.strong, items, bytes);
    scan_write_members(s);
    scan_keys_init(&s->keys, &s->table.schema, x ? &x->schema : NULL);
    enum rc rc = buf_check(&s->request, err);
    if (!rc)
        rc = note_keys(s, err);
    if (!rc)
        rc = scan_identify(s, err);
    if (!rc)
        rc = describe(s, err);
    s->watch = rc ? NULL : scan_watch_new(s);
    return rc || s->watch ? rc : err_nomem(err);
}

enum rc scan_open(const struct scan_options *opts, struct source **out, struct err *err)
{
    struct scan *s = new_scan(opts);
    *out = NULL;
    if (!s)
        return err_nomem(err);
    enum rc rc = connect(s, err);
    if (!rc)
        rc = dynamodb_table_describe(&s->ddb, s->opts.table, &s->arena, &s->table, err);
    if (!rc)
        rc = check_table(s, err);
    if (!rc)
        rc = find_ttl(s, err);
    if (!rc)
        rc = plan_scan(s, err);
    if (rc) {
        s->base.ops->free(&s->base);
    } else {
        *out = &s->base;
    }
    return rc;
}
