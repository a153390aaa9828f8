/* SPDX-License-Identifier: MIT */
/*
 * The wrapper does nothing to the rows. A note is a fixed head and the source key; it never
 * leaves the machine that wrote it. Notes of rows that are made twice after a resumed commit
 * only name an item twice.
 */
#include "cmd/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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
    pthread_mutex_t mu;
    uint64_t *items; /* of each segment, so far */
    uint32_t segments;
};

struct trail_worker {
    struct sink_worker base;
    struct trail *trail;
    const struct trail_options *opts;
    struct sink_worker *inner;
    int fd;
    char path[FS_PATH];
    struct buf out, key, cell;
};

struct head {
    uint64_t hash, place, top, line;
    uint32_t table, n;
    bool candidate;
};

enum { SEGMENT_SHIFT = 40 };

uint64_t trail_hash(struct str key)
{
    return XXH3_64bits(key.p, key.n);
}

uint32_t trail_top(const struct schema *s, uint32_t table)
{
    while (s->tables[table].kind == TABLE_CHILD && s->tables[table].parent != UINT32_MAX)
        table = s->tables[table].parent;
    return table;
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

/* The key of a child begins with that of the row it hangs on. */
static uint64_t top_of(struct str key, uint32_t n)
{
    size_t at = 0;
    struct str cell;
    for (uint32_t i = 0; i < n && candidate_key_next(key, &at, &cell); i++)
        continue;
    return trail_hash(str_make(key.p, at));
}

static void place_of(struct trail_worker *w, const struct row *row, struct head *head)
{
    const struct table *tables = w->opts->schema->tables;
    uint32_t top = trail_top(w->opts->schema, row->table);
    head->top = top_of(buf_view(&w->key), tables[top].nkey);
    buf_clear(&w->cell);
    table_row_json(&w->cell, &tables[row->table], row->cells);
    head->line = trail_hash(buf_view(&w->cell));
}

static enum rc note(struct trail_worker *w, const struct row *row, uint64_t place,
                    struct err *err)
{
    key_of(w, row);
    struct head head;
    memset(&head, 0, sizeof head); /* with its padding */
    head.hash = trail_hash(buf_view(&w->key));
    head.place = place;
    head.table = row->table;
    head.n = (uint32_t)row->source_key.n;
    head.candidate = row->extract != UINT32_MAX;
    if (w->opts->places)
        place_of(w, row, &head);
    if (w->key.rc != RC_OK || w->cell.rc != RC_OK)
        return err_nomem(err);
    buf_add(&w->out, &head, sizeof head);
    buf_add_str(&w->out, row->source_key);
    return w->out.len < FLUSH ? RC_OK : flush(w, err);
}

/* Rows of one item share the view of its key. */
static bool item_begins(const struct batch *batch, size_t i)
{
    return i == 0 || batch->rows[i].source_key.p != batch->rows[i - 1].source_key.p;
}

/* Numbers for the items of a batch, as a loader gives them. thread: worker */
static uint64_t reserve(struct trail *t, const struct batch *batch)
{
    uint64_t n = 0, at = 0;
    for (size_t i = 0; i < batch->nrows; i++)
        n += item_begins(batch, i);
    (void)pthread_mutex_lock(&t->mu);
    if (batch->segment < t->segments) {
        at = t->items[batch->segment];
        t->items[batch->segment] += n;
    }
    (void)pthread_mutex_unlock(&t->mu);
    return (uint64_t)batch->segment << SEGMENT_SHIFT | at;
}

static enum rc worker_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    struct trail_worker *w = (struct trail_worker *)base;
    enum rc rc = RC_OK;
    uint64_t place = w->opts->places ? reserve(w->trail, batch) : 0;
    for (size_t i = 0; rc == RC_OK && i < batch->nrows; i++) {
        place += item_begins(batch, i);
        rc = note(w, &batch->rows[i], place, err);
    }
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
    w->trail = t;
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
    struct trail *t = (struct trail *)s;
    free(t->items);
    t->segments = info->segments;
    t->items = calloc((size_t)info->segments + 1, sizeof *t->items);
    inner(s)->watch = s->watch;
    return t->items ? inner(s)->ops->open(inner(s), info, state, err) : err_nomem(err);
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
    struct trail *t = (struct trail *)s;
    t->inner->ops->close(t->inner);
    (void)pthread_mutex_destroy(&t->mu);
    free(t->items);
    free(t);
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
    *t = (struct trail){.base = {.ops = &OPS, .kind = in->kind, .keep_nulls = in->keep_nulls},
                        .opts = *opts,
                        .inner = in};
    (void)pthread_mutex_init(&t->mu, NULL);
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
        struct trail_note note = {.table = head.table,
                                  .candidate = head.candidate,
                                  .hash = head.hash,
                                  .source_key = str_make(key, head.n),
                                  .place = head.place,
                                  .top = head.top,
                                  .line = head.line};
        if (whole)
            each(ctx, &note);
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
