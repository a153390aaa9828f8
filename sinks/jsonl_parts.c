/* SPDX-License-Identifier: MIT */
/* Compressors are kept from file to file; a closed one waits for the next stream. */
#include "sinks/jsonl_parts.h"

#include <stdlib.h>
#include <unistd.h>

enum { NONE = -1 };

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
    p->nparts = s->opts.open_parts < streams ? s->opts.open_parts : streams;
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
        close(p->ended[i].sync.fd);
    free(p->parts);
    free(p->part_of);
    free(p->ended);
    free(p->changed);
    *p = (struct jsonl_parts){0};
}

static enum rc end_part(struct jsonl_parts *p, struct jsonl_part *part, struct err *err)
{
    if (p->nended == p->cap_ended) {
        size_t cap = p->cap_ended ? 2 * p->cap_ended : 8;
        struct jsonl_ended *more = realloc(p->ended, cap * sizeof *more);
        if (!more)
            return err_nomem(err);
        p->ended = more;
        p->cap_ended = cap;
    }
    struct jsonl_ended *e = &p->ended[p->nended];
    *e = (struct jsonl_ended){.file = part->file,
                              .sync = {.fd = -1, .close = true, .fresh = part->fresh}};
    fs_path(e->sync.path, "%s", part->z.path);
    enum rc rc = zst_writer_end(&part->z, e->file.sha, &e->sync.fd, err);
    if (rc)
        return rc;
    e->file.ended = true;
    e->file.bytes = part->z.bytes;
    e->file.rows = part->z.rows;
    e->file.raw = part->z.raw;
    p->nended++;
    p->part_of[part->file.stream] = NONE;
    part->open = false;
    return RC_OK;
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
    char path[FS_PATH];
    part->file = (struct jsonl_file){.id = jsonl_new_file(p->s), .stream = stream};
    jsonl_file_path(p->s, stream, part->file.id, path);
    rc = zst_writer_open(&part->z, path, jsonl_mode(p->s->schema, stream), err);
    if (rc)
        return rc;
    part->open = part->fresh = true;
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

enum rc jsonl_parts_end(struct jsonl_parts *p, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < p->nparts && !rc; i++) {
        if (p->parts[i].open)
            rc = end_part(p, &p->parts[i], err);
    }
    return rc;
}

static enum rc flush_part(struct jsonl_part *part, struct jsonl_sync *job, struct err *err)
{
    enum rc rc = zst_writer_flush(&part->z, err);
    if (rc)
        return rc;
    part->file.bytes = part->z.bytes;
    part->file.rows = part->z.rows;
    part->file.raw = part->z.raw;
    struct jsonl_sync_file f = {.fd = part->z.fd, .fresh = part->fresh};
    fs_path(f.path, "%s", part->z.path);
    part->fresh = part->dirty = false;
    return jsonl_sync_add(job, &f, err);
}

enum rc jsonl_parts_gather(struct jsonl_parts *p, struct jsonl_sync *job, struct err *err)
{
    struct jsonl_file *more =
        realloc(p->changed, (p->nended + p->nparts + 1) * sizeof *p->changed);
    if (!more)
        return err_nomem(err);
    p->changed = more;
    p->nchanged = 0;
    enum rc rc = RC_OK;
    /* from the end, so that what is still listed is still ours to close */
    while (p->nended && !rc) {
        struct jsonl_ended *e = &p->ended[p->nended - 1];
        rc = jsonl_sync_add(job, &e->sync, err);
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
