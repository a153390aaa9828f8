/* SPDX-License-Identifier: MIT */
/*
 * The wrapper does nothing to the rows. A note is a fixed head and the source key; it never
 * leaves the machine that wrote it. Notes of rows that are made twice after a resumed commit
 * only name an item twice.
 */
#include "cmd/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <xxhash.h>

#include "cmd/line.h"
#include "pipeline/run/candidate.h"
#include "sinks/fs.h"

enum { FLUSH = 1 << 20, MAX_SOURCE_KEY = 1 << 20 };

struct trail {
    struct sink base;
    struct trail_options opts;
    struct sink *inner;
};

struct trail_worker {
    struct sink_worker base;
    const struct trail_options *opts;
    struct sink_worker *inner;
    int fd;
    char path[FS_PATH];
    struct buf out, key, cell;
};

struct head {
    uint64_t hash;
    uint32_t table, n;
};

uint64_t trail_hash(struct str key)
{
    return XXH3_64bits(key.p, key.n);
}

/* ---- noting -------------------------------------------------------------------------------- */

static void key_of(struct trail_worker *w, const struct row *row)
{
    const struct table *t = &w->opts->schema->tables[row->table];
    buf_clear(&w->key);
    for (uint32_t i = 0; i < t->nkey; i++) {
        buf_clear(&w->cell);
        datum_json(&w->cell, t->columns[t->key[i]].type, &row->cells[t->key[i]]);
        candidate_key_add(&w->key, buf_view(&w->cell));
    }
    if (t->nkey)
        return;
    buf_clear(&w->cell);
    table_row_json(&w->cell, t, row->cells);
    if (w->opts->fold) {
        line_fold(buf_view(&w->cell), &w->key);
    } else {
        buf_add_str(&w->key, buf_view(&w->cell));
    }
}

static enum rc flush(struct trail_worker *w, struct err *err)
{
    enum rc rc = buf_check(&w->out, err);
    if (!rc)
        rc = fs_write(w->fd, buf_view(&w->out), w->path, err);
    buf_clear(&w->out);
    return rc;
}

static enum rc note(struct trail_worker *w, const struct row *row, struct err *err)
{
    key_of(w, row);
    if (w->key.rc != RC_OK || w->cell.rc != RC_OK)
        return err_nomem(err);
    struct head head = {trail_hash(buf_view(&w->key)), row->table, (uint32_t)row->source_key.n};
    buf_add(&w->out, &head, sizeof head);
    buf_add_str(&w->out, row->source_key);
    return w->out.len < FLUSH ? RC_OK : flush(w, err);
}

static enum rc worker_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    struct trail_worker *w = (struct trail_worker *)base;
    enum rc rc = RC_OK;
    for (size_t i = 0; rc == RC_OK && i < batch->nrows; i++)
        rc = note(w, &batch->rows[i], err);
    return rc ? rc : w->inner->ops->rows(w->inner, batch, err);
}

/* ---- handing on ---------------------------------------------------------------------------- */

static bool worker_full(const struct sink_worker *base)
{
    const struct sink_worker *in = ((const struct trail_worker *)base)->inner;
    return in->ops->full(in);
}

/* What is committed must be noted. */
static enum rc worker_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                             struct err *err)
{
    struct trail_worker *w = (struct trail_worker *)base;
    enum rc rc = flush(w, err);
    return rc ? rc : w->inner->ops->commit(w->inner, marks, n, err);
}

static enum rc worker_step(struct sink_worker *base, struct err *err)
{
    struct sink_worker *in = ((struct trail_worker *)base)->inner;
    return in->ops->step(in, err);
}

static size_t worker_fds(struct sink_worker *base, struct pollfd *fds, size_t cap)
{
    struct sink_worker *in = ((struct trail_worker *)base)->inner;
    return in->ops->fds(in, fds, cap);
}

static void worker_close(struct sink_worker *base)
{
    struct trail_worker *w = (struct trail_worker *)base;
    if (w->inner)
        w->inner->ops->close(w->inner);
    if (w->fd >= 0)
        (void)close(w->fd);
    buf_release(&w->out);
    buf_release(&w->key);
    buf_release(&w->cell);
    free(w);
}

static struct sink_worker *new_worker(struct sink *base, uint32_t index, struct err *err)
{
    static const struct sink_worker_ops OPS = {.rows = worker_rows,
                                               .full = worker_full,
                                               .commit = worker_commit,
                                               .step = worker_step,
                                               .fds = worker_fds,
                                               .close = worker_close};
    struct trail *t = (struct trail *)base;
    struct trail_worker *w = calloc(1, sizeof *w);
    if (!w) {
        (void)err_nomem(err);
        return NULL;
    }
    w->base.ops = &OPS;
    w->opts = &t->opts;
    buf_init(&w->out, BUF_NO_LIMIT);
    buf_init(&w->key, BUF_NO_LIMIT);
    buf_init(&w->cell, BUF_NO_LIMIT);
    fs_path(w->path, "%s/%u", t->opts.folder, index);
    w->fd = open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (w->fd < 0)
        (void)err_errno(err, RC_TRANSIENT, errno, "cannot make \"%s\"", w->path);
    w->inner = w->fd < 0 ? NULL : t->inner->ops->worker(t->inner, index, err);
    if (w->inner)
        return &w->base;
    worker_close(&w->base);
    return NULL;
}

static struct sink *inner(struct sink *base)
{
    return ((struct trail *)base)->inner;
}

static enum rc sink_open(struct sink *s, const struct run_info *info, struct run_state *state,
                         struct err *err)
{
    inner(s)->watch = s->watch;
    return inner(s)->ops->open(inner(s), info, state, err);
}

static enum rc sink_claim(struct sink *s, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    return inner(s)->ops->claim(inner(s), segment, claim, err);
}

static enum rc sink_finish(struct sink *s, const struct verdict *v, struct sink_report *report,
                           struct err *err)
{
    return inner(s)->ops->finish(inner(s), v, report, err);
}

static enum rc sink_publish(struct sink *s, const struct verdict *v, struct sink_report *report,
                            struct err *err)
{
    return inner(s)->ops->publish(inner(s), v, report, err);
}

static void sink_close(struct sink *s)
{
    inner(s)->ops->close(inner(s));
    free(s);
}

enum rc trail_sink(const struct trail_options *opts, struct sink *in, struct sink **out,
                   struct err *err)
{
    static const struct sink_ops OPS = {.open = sink_open,
                                        .claim = sink_claim,
                                        .worker = new_worker,
                                        .finish = sink_finish,
                                        .publish = sink_publish,
                                        .close = sink_close};
    struct trail *t = calloc(1, sizeof *t);
    if (!t) {
        in->ops->close(in);
        return err_nomem(err);
    }
    *t = (struct trail){
        {.ops = &OPS, .kind = in->kind, .keep_nulls = in->keep_nulls}, *opts, in};
    *out = &t->base;
    return RC_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

static enum rc read_file(const char *path, void (*each)(void *, const struct trail_note *),
                         void *ctx, struct err *err)
{
    struct head head;
    char *key = malloc(MAX_SOURCE_KEY);
    FILE *f = key ? fopen(path, "re") : NULL;
    if (!f) {
        enum rc rc = key ? err_errno(err, RC_TRANSIENT, errno, "cannot read \"%s\"", path)
                         : err_nomem(err);
        free(key);
        return rc;
    }
    bool whole = true;
    while (whole && fread(&head, sizeof head, 1, f) == 1) {
        whole = head.n <= MAX_SOURCE_KEY && fread(key, 1, head.n, f) == head.n;
        if (whole)
            each(ctx, &(struct trail_note){head.table, head.hash, str_make(key, head.n)});
    }
    whole = whole && !ferror(f);
    (void)fclose(f);
    free(key);
    return whole ? RC_OK : err_set(err, RC_TRANSIENT, "\"%s\" cannot be read whole", path);
}

enum rc trail_each(const char *folder, void (*each)(void *ctx, const struct trail_note *note),
                   void *ctx, struct err *err)
{
    struct fs_list list = {0};
    enum rc rc = fs_list(folder, &list, err);
    for (size_t i = 0; rc == RC_OK && i < list.n; i++) {
        char path[FS_PATH];
        fs_path(path, "%s/%s", folder, list.names[i]);
        rc = read_file(path, each, ctx, err);
    }
    fs_list_release(&list);
    return rc == RC_END ? RC_OK : rc;
}
