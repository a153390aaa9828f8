/* SPDX-License-Identifier: MIT */
/*
 * The run's side of the sink: options, the ledger in memory and its lock, and the table of
 * operations. The steps of the protocol are in files of their own.
 */
#include "sinks/jsonl/jsonl.h"

#include <stdio.h>
#include <stdlib.h>

#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/manifest_read.h"

enum {
    MAX_LEVEL = 19,
    DEFAULT_REDUCE_MB = 64,
    MAX_OUT = 3000 /* leaves room for what is put behind it */
};

void jsonl_stream_name(const struct schema *schema, uint32_t stream, char out[JSONL_NAME])
{
    if (stream < schema->ntables) {
        jsonl_name(schema->tables[stream].name, out);
    } else if (stream == jsonl_rejects(schema)) {
        (void)snprintf(out, JSONL_NAME, "rejects");
    } else if (stream == jsonl_unrouted(schema)) {
        (void)snprintf(out, JSONL_NAME, "unrouted");
    } else {
        (void)snprintf(out, JSONL_NAME, "%u", stream - jsonl_candidates(schema, 0));
    }
}

/* Beside the parts of other runs one is known by the number of its run. */
static void part_prefix(const struct jsonl *s, char out[JSONL_PART])
{
    const char *run = s->store->in_place ? s->store->run + strlen("run-") : "";
    (void)snprintf(out, JSONL_PART, "part-%s%s", run, run[0] ? "-" : "");
}

void jsonl_part_name(const struct jsonl *s, uint32_t id, char out[JSONL_PART])
{
    char prefix[JSONL_PART];
    part_prefix(s, prefix);
    (void)snprintf(out, JSONL_PART, "%.80s%06u.jsonl.zst", prefix, id);
}

bool jsonl_part_id(const struct jsonl *s, const char *name, uint32_t *id)
{
    char prefix[JSONL_PART];
    part_prefix(s, prefix);
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && sscanf(name + n, "%u", id) == 1;
}

struct store_key jsonl_stream_key(const struct jsonl *s, uint32_t stream,
                                  char name[JSONL_STREAM])
{
    char last[JSONL_NAME];
    bool shown = stream < jsonl_candidates(s->schema, 0);
    bool spill = stream == jsonl_spill(s->schema);
    jsonl_stream_name(s->schema, stream, last);
    (void)snprintf(name, JSONL_STREAM, "%s%s",
                   shown   ? ""
                   : spill ? "spill/"
                           : "candidates/",
                   last);
    return store_key(shown ? STORE_NEW : STORE_RUN, name);
}

struct store_key jsonl_file_key(const struct jsonl *s, uint32_t stream, uint32_t id,
                                char name[JSONL_KEY])
{
    char dir[JSONL_STREAM], part[JSONL_PART];
    struct store_key key = jsonl_stream_key(s, stream, dir);
    jsonl_part_name(s, id, part);
    (void)snprintf(name, JSONL_KEY, "%s/%s", dir, part);
    return store_key(key.room, name);
}

enum rc jsonl_begin(struct jsonl *s, const struct jsonl_file *file, struct store_object **out,
                    struct err *err)
{
    char name[JSONL_KEY];
    const struct schema *schema = s->schema;
    bool secret =
        file->stream >= schema->ntables || schema->tables[file->stream].kind == TABLE_CONFLICT;
    struct store_key key = jsonl_file_key(s, file->stream, file->id, name);
    return s->store->ops->begin(s->store, key, secret, out, err);
}

uint32_t jsonl_new_file(struct jsonl *s)
{
    pthread_mutex_lock(&s->mu);
    uint32_t id = ++s->next_file;
    pthread_mutex_unlock(&s->mu);
    return id;
}

enum rc jsonl_applied(struct jsonl *s, struct str record, struct err *err)
{
    pthread_mutex_lock(&s->mu);
    enum rc rc = jsonl_state_apply(&s->state, record, err);
    pthread_mutex_unlock(&s->mu);
    return rc;
}

enum rc jsonl_record(struct jsonl *s, struct buf *record, struct err *err)
{
    enum rc rc = buf_check(record, err);
    if (!rc)
        rc = s->log->ops->add(s->log, buf_view(record), err);
    return rc ? rc : jsonl_applied(s, buf_view(record), err);
}

void jsonl_point(const struct jsonl *s, const char *name)
{
    if (s->opts.point)
        s->opts.point(s->opts.point_ctx, name);
}

static enum rc sink_open(struct sink *base, const struct run_info *info,
                         struct run_state *state, struct err *err)
{
    struct jsonl *s = (struct jsonl *)base;
    s->schema = info->schema;
    s->judged = info->judged;
    s->partial = info->partial;
    if (key_repeats_init(&s->repeats, info->schema, KEY_REPEATS_FEW, err))
        return err->rc;
    return jsonl_run_open(s, info, state, err);
}

static enum rc sink_claim(struct sink *base, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    struct jsonl *s = (struct jsonl *)base;
    enum rc rc = RC_OK;
    *claim = (struct claim){.state = CLAIM_DONE};
    pthread_mutex_lock(&s->mu);
    struct jsonl_segment *seg = jsonl_state_segment(&s->state, segment);
    if (!seg)
        rc = err_nomem(err);
    if (seg && !seg->done) {
        uint32_t last = seg->claimed > seg->epoch ? seg->claimed : seg->epoch;
        rc = jsonl_state_own(&seg->handed, seg->resume, err);
        seg->claimed = last + 1;
        *claim = (struct claim){CLAIM_MINE, seg->claimed, seg->handed};
    }
    pthread_mutex_unlock(&s->mu);
    return rc;
}

static struct sink_worker *sink_worker_new(struct sink *base, uint32_t index, struct err *err)
{
    return jsonl_worker_new((struct jsonl *)base, index, err);
}

static enum rc sink_extras(struct sink *base, struct extras *out, struct err *err)
{
    const struct jsonl *s = (const struct jsonl *)base;
    return extras_merge(out, &s->state.extras) ? err_nomem(err) : RC_OK;
}

static enum rc sink_profile_last(struct sink *base, struct buf *json, struct err *err)
{
    buf_add_str(json, buf_view(&((const struct jsonl *)base)->profile_last));
    return buf_check(json, err);
}

static enum rc sink_profile_keep(struct sink *base, struct str json, struct err *err)
{
    struct buf *kept = &((struct jsonl *)base)->profile;
    buf_clear(kept);
    buf_add_str(kept, json);
    return buf_check(kept, err);
}

static enum rc sink_finish(struct sink *base, struct verdict *v, struct sink_report *report,
                           struct err *err)
{
    (void)v;
    return jsonl_finish((struct jsonl *)base, report, err);
}

static enum rc sink_publish(struct sink *base, struct verdict *v, struct sink_report *report,
                            struct err *err)
{
    (void)v;
    return jsonl_publish((struct jsonl *)base, report, err);
}

static enum rc sink_hold(struct sink *base, const struct verdict *v, struct sink_report *report,
                         struct err *err)
{
    return jsonl_hold((struct jsonl *)base, v, report, err);
}

static bool stays(const struct jsonl *s, struct str table)
{
    uint32_t i = 0;
    while (i < s->schema->ntables && !str_eq(s->schema->tables[i].name, table))
        i++;
    return s->partial && i == s->schema->ntables;
}

/* The tables of the manifest. A swap that was begun is completed, and guards nothing any more. */
static enum rc sink_shown(struct sink *base, struct shown *out, struct err *err)
{
    struct jsonl *s = (struct jsonl *)base;
    struct jsonl_manifest *m = NULL;
    if (s->state.phase >= JSONL_PUBLISHING)
        return RC_OK;
    enum rc rc = jsonl_manifest_read(s->store, &m, err);
    for (size_t i = 0; !rc && i < m->ntables; i++) {
        if (!str_is(m->tables[i].kind, "conflict") && !stays(s, m->tables[i].name))
            rc = shown_add(out, m->tables[i].name, m->tables[i].rows, err);
    }
    jsonl_manifest_free(m);
    return rc == RC_NONE ? RC_OK : rc;
}

/* Not before: only now it is known whether examples are wanted. */
static void sink_explain(struct sink *base, struct sink_report *report)
{
    const struct jsonl *s = (const struct jsonl *)base;
    sink_note_repeats(report, &s->repeats);
}

static void sink_close(struct sink *base)
{
    struct jsonl *s = (struct jsonl *)base;
    if (s->repeats.schema)
        key_repeats_release(&s->repeats);
    store_log_close(s->log);
    store_close(s->store);
    jsonl_state_release(&s->state);
    buf_release(&s->identity);
    buf_release(&s->profile_last);
    buf_release(&s->profile);
    free(s->opened);
    pthread_mutex_destroy(&s->mu);
    free(s);
}

static const struct sink_ops OPS = {
    .open = sink_open,
    .claim = sink_claim,
    .worker = sink_worker_new,
    .extras = sink_extras,
    .profile_last = sink_profile_last,
    .profile_keep = sink_profile_keep,
    .finish = sink_finish,
    .shown = sink_shown,
    .publish = sink_publish,
    .hold = sink_hold,
    .explain = sink_explain,
    .close = sink_close,
};

static enum rc check_options(const struct jsonl_options *o, struct err *err)
{
    size_t n = o->out ? strlen(o->out) : 0;
    if (n == 0 || n > MAX_OUT)
        return err_set(err, RC_USAGE, "the output folder's name is empty or too long");
    if (o->level < 1 || o->level > MAX_LEVEL)
        return err_set(err, RC_USAGE, "level %d is not within 1 and %d", o->level, MAX_LEVEL);
    return RC_OK;
}

enum rc jsonl_open(const struct jsonl_options *opts, struct sink **out, struct err *err)
{
    enum rc rc = check_options(opts, err);
    if (rc)
        return rc;
    struct jsonl *s = calloc(1, sizeof *s);
    if (!s)
        return err_nomem(err);
    s->base = (struct sink){.ops = &OPS, .kind = "jsonl", .keyless = true, .keep_nulls = true};
    s->opts = *opts;
    if (s->opts.part_bytes == 0)
        s->opts.part_bytes = (uint64_t)s->opts.part_mb << 20;
    s->opts.reduce_mb = opts->reduce_mb ? opts->reduce_mb : DEFAULT_REDUCE_MB;
    fs_path(s->out, "%s", opts->out);
    for (size_t n = strlen(s->out); n > 1 && s->out[n - 1] == '/'; n--)
        s->out[n - 1] = '\0';
    s->opts.out = s->out;
    buf_init(&s->identity, BUF_NO_LIMIT);
    buf_init(&s->profile_last, BUF_NO_LIMIT);
    buf_init(&s->profile, BUF_NO_LIMIT);
    pthread_mutex_init(&s->mu, NULL);
    *out = &s->base;
    return RC_OK;
}
