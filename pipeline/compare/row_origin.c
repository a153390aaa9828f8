/* SPDX-License-Identifier: MIT */
/*
 * The sink hands rows on as they are. A note is a fixed head and the source key. It never leaves
 * the process, so it has the machine's byte order. A row that is made twice, because a commit was
 * repeated, has two notes with the same item, which does no harm.
 */
#include "pipeline/compare/row_origin.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/memory.h"
#include "pipeline/base/tmp_file.h"
#include "pipeline/row/reduce/candidate.h"
#include "pipeline/row/row_line.h"

enum { FLUSH = 1 << 20, MAX_SOURCE_KEY = 1 << 20 };

struct row_origin {
    struct sink base;
    struct row_origin_options opts;
    struct sink *inner;
    pthread_mutex_t mu;
    uint64_t *items; /* how many each segment had so far; guarded by mu */
    uint32_t segments;
};

struct row_origin_worker {
    struct sink_worker base;
    struct row_origin *sink;
    const struct row_origin_options *opts;
    struct sink_worker *inner;
    FILE *file; /* the origins own it */
    struct buf out, key, cell;
};

struct head {
    uint64_t hash, place, up, line;
    uint32_t table, n;
    bool candidate;
};

enum { SEGMENT_SHIFT = 40 };

uint64_t row_origin_hash(struct str key)
{
    return XXH3_64bits(key.p, key.n);
}

void row_origins_init(struct row_origins *o, const char *folder)
{
    *o = (struct row_origins){.folder = folder};
}

void row_origins_release(struct row_origins *o)
{
    for (size_t i = 0; i < o->n; i++)
        (void)fclose(o->files[i]);
    free(o->files);
    *o = (struct row_origins){0};
}

uint32_t row_origin_parent(const struct schema *s, uint32_t table)
{
    return s->tables[table].kind == TABLE_CHILD ? s->tables[table].parent : UINT32_MAX;
}

/* ---- noting -------------------------------------------------------------------------------- */

static void add_cell(struct row_origin_worker *w, const struct row *row, uint32_t column)
{
    const struct table *t = &w->opts->schema->tables[row->table];
    buf_clear(&w->cell);
    datum_json(&w->cell, t->columns[column].type, &row->cells[column]);
    candidate_key_add(&w->key, buf_view(&w->cell));
}

static void key_of(struct row_origin_worker *w, const struct row *row)
{
    const struct table *t = &w->opts->schema->tables[row->table];
    buf_clear(&w->key);
    for (uint32_t i = 0; i < t->nkey; i++)
        add_cell(w, row, t->key[i]);
    if (t->nkey)
        return;
    buf_clear(&w->cell);
    schema_row_json(&w->cell, t, row->cells);
    if (w->opts->fold) {
        row_line_fold(buf_view(&w->cell), &w->key);
    } else {
        buf_add_str(&w->key, buf_view(&w->cell));
    }
}

static enum rc failed(const struct row_origins *o, const char *what, struct err *err)
{
    return err_errno(err, RC_TRANSIENT, errno, "cannot %s a temporary file in \"%s\"", what,
                     o->folder);
}

static enum rc flush(struct row_origin_worker *w, struct err *err)
{
    enum rc rc = buf_check(&w->out, err);
    size_t n = w->out.len;
    if (!rc && n && (fwrite(w->out.p, 1, n, w->file) != n || fflush(w->file) != 0))
        rc = failed(w->opts->origins, "write", err);
    buf_clear(&w->out);
    return rc;
}

bool row_origin_repeats(const struct schema *s, uint32_t table, uint32_t above)
{
    const struct table *t = &s->tables[table], *up = &s->tables[above];
    bool same = t->nkey >= up->nkey;
    for (uint32_t i = 0; same && i < up->nkey; i++)
        same = str_eq(t->columns[t->key[i]].name, up->columns[up->key[i]].name);
    return same;
}

/* A child repeats the columns of its parent's key under the same names. */
static uint64_t up_of(struct row_origin_worker *w, const struct row *row,
                      const struct table *parent)
{
    const struct table *t = &w->opts->schema->tables[row->table];
    buf_clear(&w->key);
    for (uint32_t i = 0; i < parent->nkey; i++) {
        for (uint32_t k = 0; k < t->ncolumns; k++) {
            if (str_eq(t->columns[k].name, parent->columns[parent->key[i]].name))
                add_cell(w, row, k);
        }
    }
    return row_origin_hash(buf_view(&w->key));
}

static void place_of(struct row_origin_worker *w, const struct row *row, struct head *head)
{
    const struct table *tables = w->opts->schema->tables;
    uint32_t parent = row_origin_parent(w->opts->schema, row->table);
    if (parent != UINT32_MAX)
        head->up = up_of(w, row, &tables[parent]);
    buf_clear(&w->cell);
    schema_row_json(&w->cell, &tables[row->table], row->cells);
    head->line = row_origin_hash(buf_view(&w->cell));
}

static enum rc note(struct row_origin_worker *w, const struct row *row, uint64_t place,
                    struct err *err)
{
    key_of(w, row);
    struct head head;
    memset(&head, 0, sizeof head); /* zeroes the padding, too, which is written */
    head.hash = row_origin_hash(buf_view(&w->key));
    head.place = place;
    head.table = row->table;
    head.n = (uint32_t)row->source_key.n;
    head.candidate = row->extract != UINT32_MAX;
    if (w->opts->places)
        place_of(w, row, &head);
    if (w->key.rc || w->cell.rc)
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

/* Numbers the items of a batch within their segment, as a loader does. thread: worker */
static uint64_t reserve(struct row_origin *t, const struct batch *batch)
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
    struct row_origin_worker *w = (struct row_origin_worker *)base;
    enum rc rc = RC_OK;
    uint64_t place = w->opts->places ? reserve(w->sink, batch) : 0;
    for (size_t i = 0; !rc && i < batch->nrows; i++) {
        place += item_begins(batch, i);
        rc = note(w, &batch->rows[i], place, err);
    }
    return rc ? rc : w->inner->ops->rows(w->inner, batch, err);
}

/* ---- handing on ---------------------------------------------------------------------------- */

static bool worker_full(const struct sink_worker *base)
{
    const struct sink_worker *in = ((const struct row_origin_worker *)base)->inner;
    return sink_worker_full(in);
}

/* Notes are written before the rows are committed. */
static enum rc worker_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                             enum commit_outcome *outcome, struct err *err)
{
    struct row_origin_worker *w = (struct row_origin_worker *)base;
    enum rc rc = flush(w, err);
    return rc ? rc : w->inner->ops->commit(w->inner, marks, n, outcome, err);
}

static enum rc worker_step(struct sink_worker *base, enum commit_outcome *outcome,
                           struct err *err)
{
    struct sink_worker *in = ((struct row_origin_worker *)base)->inner;
    return sink_worker_step(in, outcome, err);
}

static size_t worker_fds(struct sink_worker *base, struct pollfd *fds, size_t cap)
{
    struct sink_worker *in = ((struct row_origin_worker *)base)->inner;
    return sink_worker_fds(in, fds, cap);
}

static void worker_close(struct sink_worker *base)
{
    struct row_origin_worker *w = (struct row_origin_worker *)base;
    if (w->inner)
        w->inner->ops->close(w->inner);
    buf_release(&w->out);
    buf_release(&w->key);
    buf_release(&w->cell);
    free(w);
}

/* thread: main, as new_worker. Returns a view. */
static FILE *add_file(struct row_origins *o, struct err *err)
{
    FILE **files =
        realloc(o->files, (o->n + 1) * sizeof *files); /* NOLINT(bugprone-sizeof-expression) */
    if (!files) {
        (void)err_nomem(err);
        return NULL;
    }
    o->files = files;
    FILE *file = tmp_file_open(o->folder);
    if (file) {
        o->files[o->n++] = file;
    } else {
        (void)failed(o, "make", err);
    }
    return file;
}

static struct sink_worker *new_worker(struct sink *base, uint32_t index, struct err *err)
{
    static const struct sink_worker_ops OPS = {.rows = worker_rows,
                                               .full = worker_full,
                                               .commit = worker_commit,
                                               .step = worker_step,
                                               .fds = worker_fds,
                                               .close = worker_close};
    struct row_origin *t = (struct row_origin *)base;
    struct row_origin_worker *w = memory_new(sizeof *w, err);
    if (!w)
        return NULL;
    w->base.ops = &OPS;
    w->sink = t;
    w->opts = &t->opts;
    buf_init(&w->out, BUF_NO_LIMIT);
    buf_init(&w->key, BUF_NO_LIMIT);
    buf_init(&w->cell, BUF_NO_LIMIT);
    w->file = add_file(t->opts.origins, err);
    w->inner = w->file ? t->inner->ops->worker(t->inner, index, err) : NULL;
    if (w->inner)
        return &w->base;
    worker_close(&w->base);
    return NULL;
}

static struct sink *inner(struct sink *base)
{
    return ((struct row_origin *)base)->inner;
}

static enum rc sink_open(struct sink *s, const struct run_info *info, struct run_state *state,
                         struct err *err)
{
    struct row_origin *t = (struct row_origin *)s;
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

static enum rc sink_finish(struct sink *s, struct verdict *v, struct sink_report *report,
                           struct err *err)
{
    const struct row_origin_options *o = &((struct row_origin *)s)->opts;
    enum rc rc = o->noted ? o->noted(o->noted_ctx, inner(s), err) : RC_OK;
    return rc ? rc : inner(s)->ops->finish(inner(s), v, report, err);
}

static enum rc sink_publish(struct sink *s, struct verdict *v, struct sink_report *report,
                            struct err *err)
{
    return inner(s)->ops->publish(inner(s), v, report, err);
}

static void sink_close(struct sink *s)
{
    struct row_origin *t = (struct row_origin *)s;
    t->inner->ops->close(t->inner);
    (void)pthread_mutex_destroy(&t->mu);
    free(t->items);
    free(t);
}

enum rc row_origin_sink(const struct row_origin_options *opts, struct sink *in,
                        struct sink **out, struct err *err)
{
    static const struct sink_ops OPS = {.open = sink_open,
                                        .claim = sink_claim,
                                        .worker = new_worker,
                                        .finish = sink_finish,
                                        .publish = sink_publish,
                                        .close = sink_close};
    struct row_origin *t = calloc(1, sizeof *t);
    if (!t) {
        in->ops->close(in);
        return err_nomem(err);
    }
    *t = (struct row_origin){
        .base = {.ops = &OPS, .kind = in->kind, .keep_nulls = in->keep_nulls},
        .opts = *opts,
        .inner = in};
    (void)pthread_mutex_init(&t->mu, NULL);
    *out = &t->base;
    return RC_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* False: the file could not be read to its end. */
static bool read_file(FILE *f, char *key, void (*each)(void *, const struct row_origin_note *),
                      void *ctx)
{
    struct head head;
    bool whole = true;
    rewind(f);
    while (whole && fread(&head, sizeof head, 1, f) == 1) {
        whole = head.n <= MAX_SOURCE_KEY && fread(key, 1, head.n, f) == head.n;
        struct row_origin_note note = {.table = head.table,
                                       .candidate = head.candidate,
                                       .hash = head.hash,
                                       .source_key = str_make(key, head.n),
                                       .place = head.place,
                                       .up = head.up,
                                       .line = head.line};
        if (whole)
            each(ctx, &note);
    }
    return whole && !ferror(f);
}

enum rc row_origin_each(const struct row_origins *o,
                        void (*each)(void *ctx, const struct row_origin_note *note), void *ctx,
                        struct err *err)
{
    char *key = malloc(MAX_SOURCE_KEY);
    enum rc rc = key ? RC_OK : err_nomem(err);
    for (size_t i = 0; !rc && i < o->n; i++) {
        if (!read_file(o->files[i], key, each, ctx)) {
            rc = err_set(err, RC_TRANSIENT, "a temporary file in \"%s\" cannot be read whole",
                         o->folder);
        }
    }
    free(key);
    return rc;
}
