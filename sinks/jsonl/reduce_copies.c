/* SPDX-License-Identifier: MIT */
/*
 * The candidates of an extract become rows of its table and of the conflict table. The new
 * files, the end of the candidates and the counts are one record: before it the whole step is
 * repeated, after it it is never done again.
 */
#include "pipeline/row/reduce/reducer.h"
#include "sinks/jsonl/jsonl_private.h"
#include "sinks/jsonl/ledger/record.h"
#include "sinks/jsonl/parts.h"

#include <stdlib.h>

enum { MB = 1 << 20, MAX_CANDIDATE = 64 << 20 };

struct job {
    struct jsonl *s;
    uint32_t leader;
    const struct extract *ex;
    struct reducer *reducer;
    struct jsonl_parts parts;
    struct zst_reader reader;
    struct buf bytes;
};

static enum rc feed_candidates(struct job *j, struct err *err)
{
    for (;;) {
        uint32_t n = 0;
        enum rc rc = zst_reader_bytes(&j->reader, &n, sizeof n, err);
        if (rc)
            return rc == RC_END ? RC_OK : rc;
        rc = sink_go_on(&j->s->base, err);
        if (rc)
            return rc;
        buf_clear(&j->bytes);
        if (n > MAX_CANDIDATE)
            return err_set(err, RC_SINK, "\"%s\" is damaged", j->reader.path);
        if (!buf_room(&j->bytes, (size_t)n + 1))
            return err_nomem(err);
        rc = zst_reader_bytes(&j->reader, j->bytes.p, n, err);
        if (rc == RC_END)
            return err_set(err, RC_SINK, "\"%s\" is cut short", j->reader.path);
        if (!rc)
            rc = reducer_add(j->reducer, str_make(j->bytes.p, n), err);
        if (rc)
            return rc;
    }
}

static enum rc feed_owners(struct job *j, struct err *err)
{
    const struct sink_unowned *not = &j->s->base.unowned;
    struct str line;
    enum rc rc;
    while (!(rc = zst_reader_line(&j->reader, &line, err))) {
        if (!not ->is || !not ->is(not ->ctx, j->ex->into, line))
            rc = reducer_add_owner(j->reducer, line, err);
        if (!rc)
            rc = sink_go_on(&j->s->base, err);
        if (rc)
            return rc;
    }
    return rc == RC_END ? RC_OK : rc;
}

static bool takes_part(const struct job *j, uint32_t stream)
{
    const struct schema *schema = j->s->schema;
    uint32_t first = jsonl_candidates(schema, 0);
    return stream >= first && stream < jsonl_spill(schema) &&
           reducer_leader(schema, stream - first) == j->leader;
}

static enum rc feed(struct job *j, struct err *err)
{
    char name[JSONL_KEY];
    enum rc rc = RC_OK;
    for (size_t i = 0; i < j->s->state.nfiles && !rc; i++) {
        const struct jsonl_file *f = &j->s->state.files[i];
        bool owner = j->ex->rule == EXTRACT_OWNER && f->stream == j->ex->into;
        if (f->dropped || (!owner && !takes_part(j, f->stream)))
            continue;
        struct store_key key = jsonl_file_key(j->s, f->stream, f->id, name);
        rc = zst_reader_open(&j->reader, j->s->store, key, UINT64_MAX, err);
        if (!rc)
            rc = owner ? feed_owners(j, err) : feed_candidates(j, err);
    }
    return rc;
}

static enum rc put_line(struct job *j, uint32_t stream, struct str line, struct err *err)
{
    struct jsonl_part *part = NULL;
    enum rc rc = jsonl_parts_get(&j->parts, stream, &part, err);
    if (rc)
        return rc;
    size_t before = part->z.in.len;
    buf_add_str(&part->z.in, line);
    buf_putc(&part->z.in, '\n');
    return jsonl_parts_added(&j->parts, part, before, err);
}

static enum rc put_row(void *ctx, struct str line, struct err *err)
{
    struct job *j = ctx;
    return put_line(j, j->ex->into, line, err);
}

static enum rc put_conflict(void *ctx, struct str line, struct err *err)
{
    struct job *j = ctx;
    return put_line(j, j->ex->conflict, line, err);
}

static enum rc add_drops(struct job *j, struct buf *b, struct err *err)
{
    const struct jsonl_state *st = &j->s->state;
    uint32_t *ids = calloc(st->nfiles + 1, sizeof *ids);
    size_t n = 0;
    if (!ids)
        return err_nomem(err);
    for (size_t i = 0; i < st->nfiles; i++) {
        if (!st->files[i].dropped && takes_part(j, st->files[i].stream))
            ids[n++] = st->files[i].id;
    }
    jsonl_record_drops(b, ids, n);
    free(ids);
    return RC_OK;
}

/* Syncs the new files and writes the record. */
static enum rc seal(struct job *j, const struct reducer_totals *totals, struct err *err)
{
    struct sync_thread sync;
    enum rc rc = sync_thread_init(&sync, j->s->log, err);
    if (!rc)
        rc = jsonl_parts_end(&j->parts, err);
    if (!rc)
        rc = jsonl_parts_gather(&j->parts, &sync, err);
    if (!rc) {
        jsonl_record_begin(&sync.record);
        jsonl_record_files(&sync.record, j->parts.changed, j->parts.nchanged);
        rc = add_drops(j, &sync.record, err);
        buf_addf(&sync.record, ",\"reduced\":[%u]", j->leader);
        jsonl_record_number(&sync.record, "conflicts", totals->conflicts);
        jsonl_record_number(&sync.record, "mirrors", totals->missing_mirrors);
        jsonl_record_end(&sync.record);
    }
    if (!rc)
        rc = buf_check(&sync.record, err);
    jsonl_point(j->s, "reduce:written");
    if (!rc) {
        sync_thread_begin(&sync);
        rc = sync_thread_wait(&sync, err);
    }
    if (!rc)
        rc = jsonl_applied(j->s, buf_view(&sync.record), err);
    jsonl_point(j->s, "reduce:recorded");
    sync_thread_release(&sync);
    return rc;
}

static enum rc reduce(struct job *j, struct err *err)
{
    const struct reducer_out out = {j, put_row, put_conflict, j->s->base.watch.stop};
    struct reducer_totals totals;
    size_t memory = (size_t)j->s->opts.reduce_mb * MB;
    char scratch[FS_PATH];
    j->s->store->ops->scratch(j->s->store, scratch);
    enum rc rc = reducer_new(j->s->schema, j->leader, scratch, memory, &j->reducer, err);
    if (!rc)
        rc = jsonl_parts_init(&j->parts, j->s, err);
    if (!rc)
        rc = feed(j, err);
    if (!rc)
        rc = reducer_run(j->reducer, &out, &totals, err);
    return rc ? rc : seal(j, &totals, err);
}

/* The candidates are no longer needed; what a crash leaves, recovery removes. */
static enum rc remove_candidates(const struct job *j, struct err *err)
{
    char name[JSONL_KEY];
    struct store *store = j->s->store;
    enum rc rc = RC_OK;
    for (size_t i = 0; i < j->s->state.nfiles && !rc; i++) {
        const struct jsonl_file *f = &j->s->state.files[i];
        if (!takes_part(j, f->stream))
            continue;
        rc = store->ops->remove(store, jsonl_file_key(j->s, f->stream, f->id, name), err);
    }
    return rc;
}

enum rc jsonl_reduce(struct jsonl *s, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < s->schema->nextracts && !rc; i++) {
        if (reducer_leader(s->schema, i) != i || s->state.reduced[i])
            continue;
        sink_doing(&s->base, "reducing");
        struct job j = {.s = s, .leader = i, .ex = &s->schema->extracts[i]};
        zst_reader_init(&j.reader);
        buf_init(&j.bytes, BUF_NO_LIMIT);
        rc = reduce(&j, err);
        if (!rc)
            rc = remove_candidates(&j, err);
        reducer_free(j.reducer);
        jsonl_parts_release(&j.parts);
        zst_reader_release(&j.reader);
        buf_release(&j.bytes);
    }
    return rc;
}
