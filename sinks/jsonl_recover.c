/* SPDX-License-Identifier: MIT */
/*
 * After a crash a file that was open holds a sure beginning, as long as the last record says,
 * and perhaps more. The beginning is decoded and written as a file of its own, under a number
 * never used before; then a record trades the old for the new; then the old is removed. A
 * crash in between leaves a file that no record knows, and such files are removed first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/jsonl_record.h"
#include "sinks/jsonl_run.h"

enum { QUICK_LEVEL = 3 }; /* nothing is read meanwhile: the run's own level may be slow */

static const struct jsonl_file *known(const struct jsonl_state *st, uint32_t stream,
                                      uint32_t id)
{
    for (size_t i = 0; i < st->nfiles; i++) {
        const struct jsonl_file *f = &st->files[i];
        if (f->id == id && f->stream == stream)
            return f->dropped ? NULL : f;
    }
    return NULL;
}

static enum rc check_file(const struct jsonl_file *f, const char *path, struct err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot use \"%s\"", path);
    uint64_t size = (uint64_t)st.st_size;
    if (size < f->bytes || (f->ended && size != f->bytes)) {
        return err_set(err, RC_SINK, "\"%s\" has %llu bytes, the ledger says %llu", path,
                       (unsigned long long)size, (unsigned long long)f->bytes);
    }
    return RC_OK;
}

/* Removes files of a stream that no record knows; checks the others. */
static enum rc sweep(struct jsonl *s, uint32_t stream, struct err *err)
{
    char dir[FS_PATH], path[FS_PATH];
    struct fs_list list = {0};
    jsonl_dir(s, stream, dir);
    enum rc rc = fs_list(dir, &list, err);
    for (size_t i = 0; i < list.n && !rc; i++) {
        unsigned id = 0;
        fs_path(path, "%s/%s", dir, list.names[i]);
        bool numbered = sscanf(list.names[i], "part-%u", &id) == 1;
        const struct jsonl_file *f = numbered ? known(&s->state, stream, id) : NULL;
        if (numbered && id > s->next_file)
            s->next_file = id;
        rc = f ? RC_OK : fs_remove(path, err);
    }
    fs_list_release(&list);
    return rc == RC_END ? RC_OK : rc;
}

static enum rc copy(const struct jsonl *s, struct zst_reader *r, struct zst_writer *w,
                    struct err *err)
{
    struct str chunk;
    enum rc rc;
    while ((rc = zst_reader_chunk(r, &chunk, err)) == RC_OK) {
        buf_add_str(&w->in, chunk);
        rc = zst_writer_drain(w, err);
        if (!rc)
            rc = sink_go_on(&s->base, err);
        if (rc)
            return rc;
    }
    return rc == RC_END ? RC_OK : rc;
}

/* Writes the sure beginning of `old` as a new file, synced. */
static enum rc rewrite(struct jsonl *s, const struct jsonl_file *old, struct jsonl_file *made,
                       struct err *err)
{
    char from[FS_PATH], to[FS_PATH], dir[FS_PATH];
    struct zst_reader r;
    struct zst_writer w;
    int fd = -1;
    *made = (struct jsonl_file){
        .id = jsonl_new_file(s), .stream = old->stream, .ended = true, .rows = old->rows};
    jsonl_dir(s, old->stream, dir);
    jsonl_file_path(s, old->stream, old->id, from);
    jsonl_file_path(s, old->stream, made->id, to);
    zst_reader_init(&r);
    int level = s->opts.level < QUICK_LEVEL ? s->opts.level : QUICK_LEVEL;
    enum rc rc = zst_writer_init(&w, level, err);
    if (!rc)
        rc = zst_reader_open(&r, from, old->bytes, err);
    if (!rc)
        rc = zst_writer_open(&w, to, jsonl_mode(s->schema, old->stream), err);
    if (!rc)
        rc = copy(s, &r, &w, err);
    if (!rc && w.raw != old->raw)
        rc = err_set(err, RC_SINK, "\"%s\" does not hold what the ledger says", from);
    if (!rc)
        rc = zst_writer_end(&w, made->sha, &fd, err);
    if (!rc && fsync(fd) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot sync \"%s\"", to);
    if (!rc)
        rc = fs_sync_dir(dir, err);
    made->bytes = w.bytes;
    made->raw = w.raw;
    if (fd >= 0)
        close(fd);
    zst_writer_release(&w);
    zst_reader_release(&r);
    return rc;
}

static enum rc recover_file(struct jsonl *s, struct jsonl_file old, struct err *err)
{
    struct jsonl_file made;
    char path[FS_PATH];
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
    jsonl_file_path(s, old.stream, old.id, path);
    if (!rc)
        rc = fs_remove(path, err);
    buf_release(&b);
    return rc;
}

enum rc jsonl_recover(struct jsonl *s, struct err *err)
{
    enum rc rc = RC_OK;
    bool told = false;
    char path[FS_PATH];
    for (uint32_t i = 0; i < jsonl_streams(s->schema) && !rc; i++)
        rc = sweep(s, i, err);
    /* recovering adds files to the end: those are whole */
    for (size_t i = 0; i < s->state.nfiles && !rc; i++) {
        struct jsonl_file f = s->state.files[i];
        if (f.dropped)
            continue;
        jsonl_file_path(s, f.stream, f.id, path);
        rc = check_file(&f, path, err);
        if (rc || f.ended)
            continue;
        if (!told)
            sink_doing(&s->base, "recovering");
        told = true;
        rc = recover_file(s, f, err);
    }
    return rc;
}
