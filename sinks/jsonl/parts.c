/* SPDX-License-Identifier: MIT */
/* Compressors are kept from file to file; a closed one waits for the next stream. */
#include "sinks/jsonl/parts.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "pipeline/base/memory.h"

enum {
    NONE = -1,
    MAX_WAITING = 8,
    OTHER_FILES = 32, /* of the process: sources, logs, libraries */
    WORKER_FILES = 20 /* of a worker: those that wait, those being synced, spill, log, pipe */
};

/* How many files a worker may have open within the limit of the process. */
static uint32_t affordable(const struct jsonl *s)
{
    struct rlimit limit;
    uint32_t workers = s->workers ? s->workers : 1, most = s->opts.open_parts;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return most;
    rlim_t each = limit.rlim_cur > OTHER_FILES ? (limit.rlim_cur - OTHER_FILES) / workers : 0;
    each = each > WORKER_FILES ? each - WORKER_FILES : 1;
    return each < most ? (uint32_t)each : most;
}

enum rc jsonl_parts_init(struct jsonl_parts *p, struct jsonl *s, struct err *err)
{
    uint32_t streams = jsonl_streams(s->schema);
    *p = (struct jsonl_parts){.s = s};
    p->parts = calloc(s->opts.open_parts, sizeof *p->parts);
    p->part_of = malloc(streams * sizeof *p->part_of);
    if (!p->parts || !p->part_of) {
        jsonl_parts_release(p);
        return err_nomem(err);
    }
    uint32_t most = affordable(s);
    p->nparts = most < streams ? most : streams;
    for (uint32_t i = 0; i < streams; i++)
        p->part_of[i] = NONE;
    return RC_OK;
}

void jsonl_parts_release(struct jsonl_parts *p)
{
    for (uint32_t i = 0; p->parts && i < p->nparts; i++) {
        if (p->parts[i].ready)
            zst_writer_release(&p->parts[i].z);
    }
    for (size_t i = 0; i < p->nended; i++)
        store_object_close(p->ended[i].object);
    free(p->parts);
    free(p->part_of);
    free(p->ended);
    free(p->changed);
    *p = (struct jsonl_parts){0};
}

/* The last that was ended need not wait for the commit: its descriptor is wanted. */
static enum rc finish_last(struct jsonl_parts *p, struct err *err)
{
    struct jsonl_ended *e = &p->ended[p->nended - 1];
    enum rc rc = e->object->ops->finish(e->object, err);
    if (!rc) {
        store_object_close(e->object);
        e->object = NULL;
    }
    return rc;
}

static enum rc end_part(struct jsonl_parts *p, struct jsonl_part *part, struct err *err)
{
    struct jsonl_ended *more =
        memory_push(p->ended, p->nended, &p->cap_ended, 8, sizeof *p->ended);
    if (!more)
        return err_nomem(err);
    p->ended = more;
    struct jsonl_ended *e = &p->ended[p->nended];
    *e = (struct jsonl_ended){.file = part->file};
    enum rc rc = zst_writer_end(&part->z, e->file.sha, &e->object, err);
    if (rc)
        return rc;
    e->file.ended = true;
    e->file.bytes = part->z.bytes;
    e->file.rows = part->z.rows;
    e->file.raw = part->z.raw;
    p->nended++;
    p->part_of[part->file.stream] = NONE;
    part->open = false;
    return p->nended > MAX_WAITING ? finish_last(p, err) : RC_OK;
}

static struct jsonl_part *idlest(struct jsonl_parts *p)
{
    struct jsonl_part *best = &p->parts[0];
    for (uint32_t i = 0; i < p->nparts; i++) {
        struct jsonl_part *part = &p->parts[i];
        if (!part->open)
            return part;
        if (part->used < best->used)
            best = part;
    }
    return best;
}

enum rc jsonl_parts_open(struct jsonl_parts *p, uint32_t stream, struct jsonl_part **out,
                         struct err *err)
{
    struct jsonl_part *part = idlest(p);
    enum rc rc = part->open ? end_part(p, part, err) : RC_OK;
    if (!rc && !part->ready) {
        rc = zst_writer_init(&part->z, p->s->opts.level, err);
        part->ready = !rc;
    }
    if (rc)
        return rc;
    struct store_object *object = NULL;
    part->file = (struct jsonl_file){.id = jsonl_new_file(p->s), .stream = stream};
    rc = jsonl_begin(p->s, &part->file, &object, err);
    if (!rc)
        rc = zst_writer_open(&part->z, object, err);
    if (rc)
        return rc;
    part->open = true;
    part->dirty = false;
    p->part_of[stream] = (int)(part - p->parts);
    *out = part;
    return RC_OK;
}

enum rc jsonl_parts_added(struct jsonl_parts *p, struct jsonl_part *part, size_t before,
                          struct err *err)
{
    part->z.rows++;
    part->used = ++p->tick;
    part->dirty = true;
    p->since += part->z.in.len - before;
    enum rc rc = zst_writer_added(&part->z, err);
    if (!rc && part->z.bytes >= p->s->opts.part_bytes)
        rc = end_part(p, part, err);
    return rc;
}

enum rc jsonl_parts_add(struct jsonl_parts *p, struct jsonl_part *part, struct str rows,
                        uint32_t n, struct err *err)
{
    size_t before = part->z.in.len;
    if (n == 0)
        return RC_OK;
    buf_add_str(&part->z.in, rows);
    part->z.rows += n - 1;
    return jsonl_parts_added(p, part, before, err);
}

enum rc jsonl_parts_end_stream(struct jsonl_parts *p, uint32_t stream, struct err *err)
{
    int at = p->part_of[stream];
    return at == NONE ? RC_OK : end_part(p, &p->parts[at], err);
}

enum rc jsonl_parts_end(struct jsonl_parts *p, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < p->nparts && !rc; i++) {
        if (p->parts[i].open)
            rc = end_part(p, &p->parts[i], err);
    }
    return rc;
}

static enum rc flush_part(struct jsonl_part *part, struct sync_thread *job, struct err *err)
{
    enum rc rc = zst_writer_flush(&part->z, err);
    if (rc)
        return rc;
    part->file.bytes = part->z.bytes;
    part->file.rows = part->z.rows;
    part->file.raw = part->z.raw;
    part->dirty = false;
    return sync_thread_add(job, (struct sync_thread_object){part->z.to, false}, err);
}

enum rc jsonl_parts_gather(struct jsonl_parts *p, struct sync_thread *job, struct err *err)
{
    enum rc rc = p->s->store->keeps_synced ? RC_OK : jsonl_parts_end(p, err);
    if (rc)
        return rc;
    struct jsonl_file *more =
        realloc(p->changed, (p->nended + p->nparts + 2) * sizeof *p->changed);
    if (!more)
        return err_nomem(err);
    p->changed = more;
    p->nchanged = 0;
    /* files are handed over from the end, so that what stays listed is still ours to close */
    while (p->nended && !rc) {
        struct jsonl_ended *e = &p->ended[p->nended - 1];
        if (e->object)
            rc = sync_thread_add(job, (struct sync_thread_object){e->object, true}, err);
        if (rc)
            break;
        p->changed[p->nchanged++] = e->file;
        p->nended--;
    }
    for (uint32_t i = 0; i < p->nparts && !rc; i++) {
        if (!p->parts[i].open || !p->parts[i].dirty)
            continue;
        rc = flush_part(&p->parts[i], job, err);
        p->changed[p->nchanged++] = p->parts[i].file;
    }
    if (!rc)
        p->since = 0;
    return rc;
}
