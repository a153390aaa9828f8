/* SPDX-License-Identifier: MIT */
/*
 * After the last segment the rows in the spills become parts. Threads take streams in turn; each
 * writes to a log of its own. A record names new parts and the streams they hold: from then on
 * those rows are no longer in the spills, before it they are, and the parts are nobody's. When all
 * streams are done one more record drops the spills.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/parallel.h"
#include "sinks/jsonl/spill/spill.h"

enum {
    LOG_NUMBER = 5000,      /* behind those of the workers */
    BATCH_BYTES = 64 << 20, /* of rows that one record speaks of, or more: streams are whole */
    BATCH_PARTS = 64
};

/* What the threads share. */
struct unspill {
    struct jsonl *s;
    uint32_t next; /* stream; lock: s->mu */
};

struct helper {
    struct unspill *u;
    struct jsonl *s;
    struct store_log *log;
    struct sync_thread sync;
    struct spill_reader reader;
    struct jsonl_parts parts;
    struct buf done; /* stream and rows, as the record has them */
    uint64_t bytes;  /* of rows since the last record */
};

static bool take_stream(struct unspill *u, uint32_t *stream, uint64_t *rows)
{
    struct jsonl *s = u->s;
    uint32_t end = jsonl_spill(s->schema);
    pthread_mutex_lock(&s->mu);
    while (u->next < end && (u->next >= s->state.nwaiting || s->state.waiting[u->next].done ||
                             s->state.waiting[u->next].rows <= 0))
        u->next++;
    bool any = u->next < end;
    *rows = any ? (uint64_t)s->state.waiting[u->next].rows : 0;
    *stream = u->next++;
    pthread_mutex_unlock(&s->mu);
    return any;
}

/* A part that will hold all rows of its stream is told so: small ones need less of the compressor. */
static enum rc open_part(struct helper *h, uint32_t stream, uint64_t total,
                         struct jsonl_part **part, struct err *err)
{
    enum rc rc = jsonl_parts_get(&h->parts, stream, part, err);
    if (!rc && total < h->s->opts.part_bytes / 2)
        rc = zst_writer_expect(&(*part)->z, total, err);
    return rc;
}

static enum rc missing(const struct helper *h, struct err *err)
{
    char path[FS_PATH];
    h->s->store->ops->place(h->s->store, store_key(STORE_RUN, "spill"), path);
    return err_set(err, RC_SINK, "\"%s\" is damaged: rows are missing", path);
}

/* `want`: rows that the ledger says are there. */
static enum rc copy_stream(struct helper *h, uint32_t stream, uint64_t want, struct err *err)
{
    uint64_t total = 0, rows = 0;
    struct jsonl_part *part = NULL;
    enum rc rc = spill_reader_seek(&h->reader, stream, &total, err);
    if (!rc)
        rc = open_part(h, stream, total, &part, err);
    while (!rc) {
        struct str lines;
        uint32_t n = 0;
        rc = spill_reader_next(&h->reader, stream, &lines, &n, err);
        if (!rc)
            rc = jsonl_parts_get(&h->parts, stream, &part, err);
        if (!rc)
            rc = jsonl_parts_add(&h->parts, part, lines, n, err);
        if (!rc)
            rc = sink_go_on(&h->s->base, err);
        rows += n;
    }
    h->bytes += total;
    buf_addf(&h->done, "%s%u,%llu", h->done.len ? "," : "", stream, (unsigned long long)rows);
    if (rc == RC_END)
        rc = rows == want ? jsonl_parts_end(&h->parts, err) : missing(h, err);
    return rc;
}

static enum rc seal(struct helper *h, struct err *err)
{
    struct buf *b = &h->sync.record;
    if (h->done.len == 0)
        return RC_OK;
    enum rc rc = jsonl_parts_gather(&h->parts, &h->sync, err);
    if (rc)
        return rc;
    jsonl_record_begin(b);
    jsonl_record_files(b, h->parts.changed, h->parts.nchanged);
    buf_puts(b, ",\"unspilled\":[");
    buf_add_str(b, buf_view(&h->done));
    buf_putc(b, ']');
    jsonl_record_end(b);
    rc = buf_check(&h->done, err);
    if (!rc)
        rc = buf_check(b, err);
    jsonl_point(h->s, "unspill:written");
    if (!rc) {
        sync_thread_begin(&h->sync);
        rc = sync_thread_wait(&h->sync, err);
    }
    if (!rc)
        rc = jsonl_applied(h->s, buf_view(b), err);
    sync_thread_clear(&h->sync);
    jsonl_point(h->s, "unspill:recorded");
    buf_clear(&h->done);
    h->bytes = 0;
    return rc;
}

static enum rc start(struct helper *h, uint32_t index, struct err *err)
{
    char name[JSONL_KEY];
    struct jsonl *s = h->s;
    (void)snprintf(name, sizeof name, "log-%06u-%04u", s->generation, LOG_NUMBER + index);
    enum rc rc = s->store->ops->log(s->store, name, &h->log, err);
    if (!rc)
        rc = sync_thread_init(&h->sync, h->log, err);
    if (!rc)
        rc = jsonl_parts_init(&h->parts, s, err);
    return rc ? rc : spill_reader_init(&h->reader, s, err);
}

static enum rc help(void *ctx, uint32_t index, struct err *err)
{
    struct unspill *u = ctx;
    struct helper h = {.u = u, .s = u->s};
    uint32_t stream = 0;
    uint64_t rows = 0;
    buf_init(&h.done, BUF_NO_LIMIT);
    enum rc rc = start(&h, index, err);
    while (!rc && take_stream(u, &stream, &rows)) {
        rc = copy_stream(&h, stream, rows, err);
        if (!rc && (h.bytes >= BATCH_BYTES || h.parts.nended >= BATCH_PARTS))
            rc = seal(&h, err);
    }
    if (!rc)
        rc = seal(&h, err);
    if (h.sync.started)
        sync_thread_release(&h.sync);
    store_log_close(h.log);
    spill_reader_release(&h.reader);
    jsonl_parts_release(&h.parts);
    buf_release(&h.done);
    return rc;
}

/* The spills are empty now. What a crash leaves of them, recovery removes. */
static enum rc drop_spills(struct jsonl *s, struct err *err)
{
    struct buf b;
    char name[JSONL_KEY];
    buf_init(&b, BUF_NO_LIMIT);
    size_t n = s->state.nfiles;
    uint32_t *ids = calloc(n + 1, sizeof *ids), nids = 0;
    enum rc rc = ids ? RC_OK : err_nomem(err);
    for (size_t i = 0; ids && i < n; i++) {
        if (!s->state.files[i].dropped && s->state.files[i].stream == jsonl_spill(s->schema))
            ids[nids++] = s->state.files[i].id;
    }
    jsonl_record_begin(&b);
    if (ids)
        jsonl_record_drops(&b, ids, nids);
    jsonl_record_end(&b);
    if (!rc)
        rc = jsonl_record(s, &b, err);
    jsonl_point(s, "unspill:dropped");
    for (uint32_t i = 0; i < nids && !rc; i++) {
        struct store_key key = jsonl_file_key(s, jsonl_spill(s->schema), ids[i], name);
        rc = s->store->ops->remove(s->store, key, err);
    }
    free(ids);
    buf_release(&b);
    return rc;
}

static bool has_spills(const struct jsonl *s)
{
    for (size_t i = 0; i < s->state.nfiles; i++) {
        if (!s->state.files[i].dropped && s->state.files[i].stream == jsonl_spill(s->schema))
            return true;
    }
    return false;
}

enum rc jsonl_unspill(struct jsonl *s, struct err *err)
{
    struct unspill u = {.s = s};
    if (!has_spills(s))
        return RC_OK;
    sink_doing(&s->base, "sorting");
    enum rc rc = jsonl_parallel(s->workers, help, &u, err);
    return rc ? rc : drop_spills(s, err);
}
