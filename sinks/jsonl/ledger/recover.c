/* SPDX-License-Identifier: MIT */
/*
 * After a crash a file that was open holds a sure beginning, as long as the last record says,
 * and perhaps more. The beginning is decoded and written as a file of its own, under a number
 * never used before; then a record trades the old for the new; then the old is removed. A
 * crash in between leaves a file that no record knows, and such files are removed first.
 */
#include <errno.h>
#include <stdio.h>

#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"

enum { QUICK_LEVEL = 3 }; /* nothing is read meanwhile: the run's own level may be slow */

static const struct jsonl_file *known(const struct jsonl_state *st, uint32_t stream,
                                      uint32_t id)
{
    const struct jsonl_file *f = jsonl_state_file(st, id);
    return f && f->stream == stream && !f->dropped ? f : NULL;
}

static enum rc file_size(struct jsonl *s, struct store_key key, const char *path,
                         uint64_t *size, struct err *err)
{
    struct bytes *b = NULL;
    struct bytes_facts facts = {0};
    enum rc rc = s->store->ops->open(s->store, key, &b, err);
    if (rc == RC_NONE)
        rc = err_errno(err, RC_TRANSIENT, ENOENT, "cannot use \"%s\"", path);
    if (!rc)
        rc = b->ops->facts(b, &facts, err);
    bytes_close(b);
    *size = facts.size;
    return rc;
}

static enum rc check_file(struct jsonl *s, const struct jsonl_file *f, struct err *err)
{
    char name[JSONL_KEY], path[FS_PATH];
    uint64_t size = 0;
    struct store_key key = jsonl_file_key(s, f->stream, f->id, name);
    s->store->ops->place(s->store, key, path);
    enum rc rc = file_size(s, key, path, &size, err);
    if (!rc && (size < f->bytes || (f->ended && size != f->bytes))) {
        rc = err_set(err, RC_SINK, "\"%s\" has %llu bytes, the ledger says %llu", path,
                     (unsigned long long)size, (unsigned long long)f->bytes);
    }
    return rc;
}

/* Removes a file of the stream that no record knows, unless it is another run's. */
static enum rc sweep_one(struct jsonl *s, struct store_key stream, uint32_t number,
                         const char *name, struct err *err)
{
    char path[FS_PATH];
    uint32_t id = 0;
    bool ours = jsonl_part_id(s, name, &id);
    if (ours && id > s->next_file)
        s->next_file = id;
    if (ours ? known(&s->state, number, id) != NULL : s->store->in_place)
        return RC_OK;
    fs_path(path, "%s/%s", stream.name, name);
    return s->store->ops->remove(s->store, store_key(stream.room, path), err);
}

static enum rc sweep(struct jsonl *s, uint32_t stream, struct err *err)
{
    char name[JSONL_STREAM];
    struct fs_list list = {0};
    struct store_key key = jsonl_stream_key(s, stream, name);
    enum rc rc = s->store->ops->list(s->store, key, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++)
        rc = sweep_one(s, key, stream, list.names[i], err);
    fs_list_release(&list);
    return rc;
}

/* Removes what a folder holds of this run, unless the manifest speaks of it. */
static enum rc drop_parts(struct jsonl *s, const char *folder, const char *manifest,
                          struct err *err)
{
    struct fs_list list = {0};
    enum rc rc = s->store->ops->list(s->store, store_key(STORE_NEW, folder), &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        char name[FS_PATH];
        uint32_t id = 0;
        /* numbers are used once in a run: the last component tells which part it is */
        if (!jsonl_part_id(s, list.names[i], &id) || strstr(manifest, list.names[i]))
            continue;
        fs_path(name, "%s/%s", folder, list.names[i]);
        rc = s->store->ops->remove(s->store, store_key(STORE_NEW, name), err);
    }
    fs_list_release(&list);
    return rc;
}

enum rc jsonl_drop_parts(struct jsonl *s, struct err *err)
{
    struct fs_list folders = {0};
    struct store_version version;
    struct buf manifest;
    buf_init(&manifest, BUF_NO_LIMIT);
    enum rc rc = s->store->ops->manifest(s->store, &manifest, &version, err);
    if (!rc || rc == RC_NONE)
        rc = s->store->ops->list(s->store, store_key(STORE_NEW, ""), &folders, err);
    for (size_t i = 0; i < folders.n && !rc; i++)
        rc = drop_parts(s, folders.names[i], buf_cstr(&manifest), err);
    fs_list_release(&folders);
    buf_release(&manifest);
    return rc;
}

static enum rc copy(const struct jsonl *s, struct zst_reader *r, struct zst_writer *w,
                    struct err *err)
{
    struct str chunk;
    enum rc rc;
    while (!(rc = zst_reader_chunk(r, &chunk, err))) {
        buf_add_str(&w->in, chunk);
        rc = zst_writer_drain(w, err);
        if (!rc)
            rc = sink_go_on(&s->base, err);
        if (rc)
            return rc;
    }
    return rc == RC_END ? RC_OK : rc;
}

/* Writes the sure beginning of `old` as a new file, and finishes it. */
static enum rc rewrite(struct jsonl *s, const struct jsonl_file *old, struct jsonl_file *made,
                       struct err *err)
{
    char name[JSONL_KEY];
    struct zst_reader r;
    struct zst_writer w;
    struct store_object *object = NULL;
    *made = (struct jsonl_file){
        .id = jsonl_new_file(s), .stream = old->stream, .ended = true, .rows = old->rows};
    struct store_key from = jsonl_file_key(s, old->stream, old->id, name);
    zst_reader_init(&r);
    int level = s->opts.level < QUICK_LEVEL ? s->opts.level : QUICK_LEVEL;
    enum rc rc = zst_writer_init(&w, level, err);
    if (!rc)
        rc = zst_reader_open(&r, s->store, from, old->bytes, err);
    if (!rc)
        rc = jsonl_begin(s, made, &object, err);
    if (!rc)
        rc = zst_writer_open(&w, object, err);
    object = NULL;
    if (!rc)
        rc = copy(s, &r, &w, err);
    if (!rc && w.raw != old->raw)
        rc = err_set(err, RC_SINK, "\"%s\" does not hold what the ledger says", r.path);
    if (!rc)
        rc = zst_writer_end(&w, made->sha, &object, err);
    if (!rc)
        rc = object->ops->finish(object, err);
    made->bytes = w.bytes;
    made->raw = w.raw;
    store_object_close(object);
    zst_writer_release(&w);
    zst_reader_release(&r);
    return rc;
}

static enum rc recover_file(struct jsonl *s, struct jsonl_file old, struct err *err)
{
    struct jsonl_file made;
    char name[JSONL_KEY];
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    enum rc rc = rewrite(s, &old, &made, err);
    jsonl_point(s, "recover:written");
    if (!rc) {
        jsonl_record_begin(&b);
        jsonl_record_files(&b, &made, old.rows ? 1 : 0);
        jsonl_record_drops(&b, &old.id, 1);
        jsonl_record_end(&b);
        rc = jsonl_record(s, &b, err);
    }
    jsonl_point(s, "recover:recorded");
    struct store_key key = jsonl_file_key(s, old.stream, old.id, name);
    if (!rc)
        rc = s->store->ops->remove(s->store, key, err);
    buf_release(&b);
    return rc;
}

enum rc jsonl_recover(struct jsonl *s, struct err *err)
{
    enum rc rc = RC_OK;
    bool told = false;
    for (uint32_t i = 0; i < jsonl_streams(s->schema) && !rc; i++)
        rc = sweep(s, i, err);
    /* recovering adds files to the end of the list, and those are whole */
    for (size_t i = 0; i < s->state.nfiles && !rc; i++) {
        struct jsonl_file f = s->state.files[i];
        if (f.dropped)
            continue;
        rc = check_file(s, &f, err);
        if (rc || f.ended || f.stream == jsonl_spill(s->schema))
            continue; /* a spill is read as far as it is sure */
        if (!told)
            sink_doing(&s->base, "recovering");
        told = true;
        rc = recover_file(s, f, err);
    }
    return rc;
}
