/* SPDX-License-Identifier: MIT */
/*
 * One cursor per group goes through its blocks, which are sorted: all rows of a stream are found
 * by one look at each cursor, and the memory this takes grows with the groups, not with the blocks.
 */
#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/memory.h"
#include "sinks/jsonl/spill/spill.h"

static void place(const struct spill_reader *r, size_t file, char out[FS_PATH])
{
    char name[JSONL_KEY];
    const struct jsonl_file *f = &r->files[file];
    r->s->store->ops->place(r->s->store, jsonl_file_key(r->s, f->stream, f->id, name), out);
}

static enum rc damaged(const struct spill_reader *r, size_t file, struct err *err)
{
    char path[FS_PATH];
    place(r, file, path);
    return err_set(err, RC_SINK, "\"%s\" is damaged", path);
}

/* Few are kept open, however many there are. */
static enum rc have_open(struct spill_reader *r, size_t file, struct bytes **out,
                         struct err *err)
{
    char name[JSONL_KEY];
    size_t at = file % SPILL_OPEN;
    const struct jsonl_file *f = &r->files[file];
    if (r->open[at].file != file + 1) {
        bytes_close(r->open[at].bytes);
        r->open[at].bytes = NULL;
        r->open[at].file = 0;
        struct store_key key = jsonl_file_key(r->s, f->stream, f->id, name);
        enum rc rc = r->s->store->ops->open(r->s->store, key, &r->open[at].bytes, err);
        if (rc)
            return rc == RC_NONE ? damaged(r, file, err) : rc;
        r->open[at].file = file + 1;
    }
    *out = r->open[at].bytes;
    return RC_OK;
}

/* Exactly n bytes, of those that the ledger speaks of. */
static enum rc read_exactly(struct spill_reader *r, size_t file, uint64_t at, void *to,
                            size_t n, struct err *err)
{
    struct bytes *b = NULL;
    uint64_t end = r->files[file].bytes;
    if (at > end || n > end - at)
        return damaged(r, file, err);
    enum rc rc = have_open(r, file, &b, err);
    for (size_t have = 0; b && have < n && !rc;) {
        size_t got = 0;
        rc = b->ops->read_at(b, at + have, (char *)to + have, n - have, &got, err);
        have += got;
        if (rc == RC_AGAIN)
            rc = sink_go_on(&r->s->base, err);
        if (rc == RC_END)
            rc = damaged(r, file, err);
    }
    return rc;
}

static enum rc add_group(struct spill_reader *r, size_t file, uint64_t *at, struct err *err)
{
    struct spill_group g;
    struct spill_cursor c = {.file = (uint32_t)file};
    enum rc rc = read_exactly(r, file, *at, &g, sizeof g, err);
    if (!rc && (g.mark != SPILL_MARK || g.nblocks == 0))
        rc = damaged(r, file, err);
    if (!rc)
        rc = read_exactly(r, file, *at + sizeof g, &c.head, sizeof c.head, err);
    if (rc)
        return rc;
    c.left = g.nblocks;
    c.at = *at + sizeof g + sizeof c.head;
    *at += sizeof g + g.size;
    struct spill_cursor *v =
        memory_push(r->cursors, r->ncursors, &r->cap_cursors, 64, sizeof *v);
    if (!v)
        return err_nomem(err);
    r->cursors = v;
    v[r->ncursors++] = c;
    return RC_OK;
}

/* lock: s->mu is taken and left. */
static enum rc list_files(struct spill_reader *r, struct err *err)
{
    struct jsonl *s = r->s;
    pthread_mutex_lock(&s->mu);
    r->files = calloc(s->state.nfiles + 1, sizeof *r->files);
    for (size_t i = 0; r->files && i < s->state.nfiles; i++) {
        const struct jsonl_file *f = &s->state.files[i];
        if (!f->dropped && f->stream == jsonl_spill(s->schema))
            r->files[r->nfiles++] = *f;
    }
    pthread_mutex_unlock(&s->mu);
    return r->files ? RC_OK : err_nomem(err);
}

enum rc spill_reader_init(struct spill_reader *r, struct jsonl *s, struct err *err)
{
    *r = (struct spill_reader){.s = s};
    buf_init(&r->rows, BUF_NO_LIMIT);
    enum rc rc = list_files(r, err);
    for (size_t i = 0; i < r->nfiles && !rc; i++) {
        for (uint64_t at = 0; at < r->files[i].bytes && !rc;)
            rc = add_group(r, i, &at, err);
    }
    return rc;
}

void spill_reader_release(struct spill_reader *r)
{
    for (size_t i = 0; i < SPILL_OPEN; i++)
        bytes_close(r->open[i].bytes);
    free(r->files);
    free(r->cursors);
    buf_release(&r->rows);
    *r = (struct spill_reader){0};
}

/* To the next block of the group. */
static enum rc step(struct spill_reader *r, struct spill_cursor *c, struct err *err)
{
    uint64_t next = c->at + c->head.size;
    uint32_t stream = c->head.stream;
    if (--c->left == 0)
        return RC_OK;
    enum rc rc = read_exactly(r, c->file, next, &c->head, sizeof c->head, err);
    c->at = next + sizeof c->head;
    return rc || c->head.stream > stream ? rc : damaged(r, c->file, err);
}

enum rc spill_reader_seek(struct spill_reader *r, uint32_t stream, uint64_t *total,
                          struct err *err)
{
    enum rc rc = RC_OK;
    *total = 0;
    for (size_t i = 0; i < r->ncursors && !rc; i++) {
        struct spill_cursor *c = &r->cursors[i];
        while (c->left && c->head.stream < stream && !rc)
            rc = step(r, c, err);
        if (c->left && c->head.stream == stream)
            *total += c->head.size;
    }
    r->next = 0;
    return rc;
}

enum rc spill_reader_next(struct spill_reader *r, uint32_t stream, struct str *rows,
                          uint32_t *n, struct err *err)
{
    while (r->next < r->ncursors &&
           (!r->cursors[r->next].left || r->cursors[r->next].head.stream != stream))
        r->next++;
    if (r->next == r->ncursors)
        return RC_END;
    struct spill_cursor *c = &r->cursors[r->next++];
    buf_clear(&r->rows);
    if (!buf_room(&r->rows, (size_t)c->head.size + 1))
        return err_nomem(err);
    enum rc rc = read_exactly(r, c->file, c->at, r->rows.p, c->head.size, err);
    if (!rc && XXH3_64bits(r->rows.p, c->head.size) != c->head.hash)
        rc = damaged(r, c->file, err);
    *rows = str_make(r->rows.p, c->head.size);
    *n = c->head.rows;
    return rc ? rc : step(r, c, err);
}
