/* SPDX-License-Identifier: MIT */
/*
 * The run's side of the sink: options, the ledger in memory and its lock, and the table of
 * operations. The steps of the protocol are in files of their own.
 */
#include "sinks/jsonl_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinks/jsonl_run.h"

enum {
    DEFAULT_LEVEL = 3,
    MAX_LEVEL = 19,
    DEFAULT_PART_MB = 256,
    DEFAULT_OPEN_PARTS = 16,
    DEFAULT_COMMIT_MB = 16,
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

void jsonl_dir(const struct jsonl *s, uint32_t stream, char out[FS_PATH])
{
    char name[JSONL_NAME];
    jsonl_stream_name(s->schema, stream, name);
    bool shown = stream < jsonl_candidates(s->schema, 0);
    fs_path(out, "%s/%s/%s", s->run, shown ? "new" : "candidates", name);
}

void jsonl_file_path(const struct jsonl *s, uint32_t stream, uint32_t id, char out[FS_PATH])
{
    char dir[FS_PATH];
    jsonl_dir(s, stream, dir);
    fs_path(out, "%s/part-%06u.jsonl.zst", dir, id);
}

unsigned jsonl_mode(const struct schema *schema, uint32_t stream)
{
    bool open = stream < schema->ntables && schema->tables[stream].kind != TABLE_CONFLICT;
    return open ? 0666 : 0600;
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
        rc = jsonl_log_append(&s->log, buf_view(record), err);
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

static enum rc sink_finish(struct sink *base, const struct verdict *v,
                           struct sink_report *report, struct err *err)
{
    (void)v;
    return jsonl_finish((struct jsonl *)base, report, err);
}

static enum rc sink_publish(struct sink *base, const struct verdict *v,
                            struct sink_report *report, struct err *err)
{
    (void)v; /* the files are shown whatever the counts, which stand in the manifest */
    return jsonl_publish((struct jsonl *)base, report, err);
}

static void sink_close(struct sink *base)
{
    struct jsonl *s = (struct jsonl *)base;
    jsonl_log_close(&s->log);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    jsonl_state_release(&s->state);
    buf_release(&s->identity);
    free(s->opened);
    pthread_mutex_destroy(&s->mu);
    free(s);
}

static const struct sink_ops OPS = {
    .open = sink_open,
    .claim = sink_claim,
    .worker = sink_worker_new,
    .finish = sink_finish,
    .publish = sink_publish,
    .close = sink_close,
};

static enum rc check_options(const struct jsonl_options *o, struct err *err)
{
    size_t n = o->out ? strlen(o->out) : 0;
    if (n == 0 || n > MAX_OUT)
        return err_set(err, RC_USAGE, "the output folder's name is empty or too long");
    if (o->level < 0 || o->level > MAX_LEVEL)
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
    s->opts.level = opts->level ? opts->level : DEFAULT_LEVEL;
    s->opts.part_mb = opts->part_mb ? opts->part_mb : DEFAULT_PART_MB;
    if (s->opts.part_bytes == 0)
        s->opts.part_bytes = (uint64_t)s->opts.part_mb << 20;
    s->opts.open_parts = opts->open_parts ? opts->open_parts : DEFAULT_OPEN_PARTS;
    s->opts.commit_mb = opts->commit_mb ? opts->commit_mb : DEFAULT_COMMIT_MB;
    s->opts.reduce_mb = opts->reduce_mb ? opts->reduce_mb : DEFAULT_REDUCE_MB;
    fs_path(s->out, "%s", opts->out);
    for (size_t n = strlen(s->out); n > 1 && s->out[n - 1] == '/'; n--)
        s->out[n - 1] = '\0';
    s->opts.out = s->out;
    s->lock_fd = s->log.fd = -1;
    buf_init(&s->identity, BUF_NO_LIMIT);
    pthread_mutex_init(&s->mu, NULL);
    *out = &s->base;
    return RC_OK;
}
