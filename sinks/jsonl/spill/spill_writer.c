/* SPDX-License-Identifier: MIT */
/* Rows are kept as they come, in one buffer, and sorted by counting when they are written. */
#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/memory.h"
#include "sinks/jsonl/spill/spill.h"

enum {
    MB = 1 << 20,
    POOL = 8 * MB,    /* rows that wait in memory */
    LARGE_SHARE = 32, /* of a commit's bytes: a stream with so large a part gets a compressor */
    SMALL_SHARE = 64, /* it may be taken from one with a smaller part than this */
    ROW_MAX = 256 * MB /* as for a compressor */
};

enum rc spill_writer_init(struct spill_writer *w, struct jsonl *s, uint32_t most,
                          struct err *err)
{
    uint32_t n = jsonl_streams(s->schema);
    *w = (struct spill_writer){.s = s, .nstreams = n, .most = most};
    buf_init(&w->rows, (size_t)POOL + ROW_MAX);
    buf_init(&w->out, BUF_NO_LIMIT);
    w->direct = calloc(n, sizeof *w->direct);
    w->bytes = calloc(n, sizeof *w->bytes);
    w->counts = calloc(n, sizeof *w->counts);
    w->places = calloc((size_t)n + 1, sizeof *w->places);
    if (w->direct && w->bytes && w->counts && w->places)
        return RC_OK;
    spill_writer_release(w);
    return err_nomem(err);
}

void spill_writer_release(struct spill_writer *w)
{
    store_object_close(w->to);
    buf_release(&w->rows);
    buf_release(&w->out);
    free(w->index);
    free(w->direct);
    free(w->bytes);
    free(w->counts);
    free(w->places);
    free(w->order);
    *w = (struct spill_writer){0};
}

/*
 * Where only finished objects last, every commit ends all parts: once there are too many streams, a
 * compressor has to be earned there.
 */
bool spill_writer_direct(struct spill_writer *w, uint32_t stream)
{
    bool free_for_all = w->s->store->keeps_synced || !w->used;
    if (!w->direct[stream] && w->ndirect < w->most && free_for_all) {
        w->direct[stream] = true;
        w->ndirect++;
    }
    return w->direct[stream];
}

/* Fills `order`; afterwards `places` says where each stream ends in it. */
static enum rc sort(struct spill_writer *w, uint32_t *nblocks, struct err *err)
{
    if (w->cap_order < w->n) {
        uint32_t *more = realloc(w->order, w->cap * sizeof *more);
        if (!more)
            return err_nomem(err);
        w->order = more;
        w->cap_order = w->cap;
    }
    uint32_t *at = w->places, sum = 0;
    memset(at, 0, ((size_t)w->nstreams + 1) * sizeof *at);
    for (size_t i = 0; i < w->n; i++)
        at[w->index[i].stream]++;
    *nblocks = 0;
    for (uint32_t i = 0; i < w->nstreams; i++) {
        uint32_t count = at[i];
        *nblocks += count != 0;
        w->counts[i] += count;
        at[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < w->n; i++)
        w->order[at[w->index[i].stream]++] = (uint32_t)i;
    return RC_OK;
}

static void add_block(struct spill_writer *w, uint32_t stream, uint32_t from, uint32_t to)
{
    struct spill_block head = {.stream = stream, .rows = to - from};
    size_t begin = w->out.len;
    buf_add(&w->out, &head, sizeof head);
    for (uint32_t i = from; i < to; i++) {
        uint32_t row = w->order[i], at = w->index[row].at;
        size_t end = row + 1 < w->n ? w->index[row + 1].at : w->rows.len;
        buf_add(&w->out, w->rows.p + at, end - at);
    }
    if (w->out.rc)
        return;
    const char *bytes = w->out.p + begin + sizeof head;
    head.size = (uint32_t)(w->out.len - begin - sizeof head);
    head.hash = XXH3_64bits(bytes, head.size);
    memcpy(w->out.p + begin, &head, sizeof head);
}

static enum rc begin_file(struct spill_writer *w, struct err *err)
{
    w->file =
        (struct jsonl_file){.id = jsonl_new_file(w->s), .stream = jsonl_spill(w->s->schema)};
    return jsonl_begin(w->s, &w->file, &w->to, err);
}

/* Writes the rows that wait as one group. */
static enum rc write_group(struct spill_writer *w, struct err *err)
{
    struct spill_group head = {.mark = SPILL_MARK};
    enum rc rc = w->to ? RC_OK : begin_file(w, err);
    if (!rc)
        rc = sort(w, &head.nblocks, err);
    if (rc)
        return rc;
    head.size = w->rows.len + (uint64_t)head.nblocks * sizeof(struct spill_block);
    buf_clear(&w->out);
    buf_add(&w->out, &head, sizeof head);
    uint32_t from = 0;
    for (uint32_t i = 0; i < w->nstreams; i++) {
        if (w->places[i] > from)
            add_block(w, i, from, w->places[i]);
        from = w->places[i];
    }
    rc = buf_check(&w->out, err);
    if (!rc && w->to)
        rc = w->to->ops->write(w->to, buf_view(&w->out), err);
    w->file.bytes += w->out.len;
    w->file.rows += w->n;
    w->file.raw += w->rows.len;
    w->dirty = true;
    w->n = 0;
    buf_clear(&w->rows);
    jsonl_point(w->s, "spill");
    return rc;
}

enum rc spill_writer_added(struct spill_writer *w, uint32_t stream, size_t before,
                           struct err *err)
{
    enum rc rc = buf_check(&w->rows, err);
    if (rc)
        return rc;
    struct spill_row *v = memory_push(w->index, w->n, &w->cap, 1024, sizeof *v);
    if (!v)
        return err_nomem(err);
    w->index = v;
    v[w->n++] = (struct spill_row){stream, (uint32_t)before};
    w->since += w->rows.len - before;
    w->used = true;
    return w->rows.len >= POOL ? write_group(w, err) : RC_OK;
}

/* The direct stream that had the fewest bytes of late. */
static uint32_t idlest(const struct spill_writer *w)
{
    uint32_t best = w->nstreams;
    for (uint32_t i = 0; i < w->nstreams; i++) {
        if (w->direct[i] && (best == w->nstreams || w->bytes[i] < w->bytes[best]))
            best = i;
    }
    return best;
}

static enum rc demote(struct spill_writer *w, struct jsonl_parts *parts, uint32_t stream,
                      struct err *err)
{
    w->direct[stream] = false;
    w->ndirect--;
    return jsonl_parts_end_stream(parts, stream, err);
}

static enum rc promote(struct spill_writer *w, struct jsonl_parts *parts, uint32_t stream,
                       uint64_t total, struct err *err)
{
    enum rc rc = RC_OK;
    if (w->ndirect == w->most) {
        uint32_t idle = idlest(w);
        if (w->bytes[idle] * SMALL_SHARE > total)
            return RC_OK;
        rc = demote(w, parts, idle, err);
    }
    w->direct[stream] = true;
    w->ndirect++;
    return rc;
}

enum rc spill_writer_balance(struct spill_writer *w, struct jsonl_parts *parts, struct err *err)
{
    /* a commit of a few rows tells nothing: shares are at least those of one that was due */
    uint64_t total = 0, due = (uint64_t)w->s->opts.commit_mb * MB;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < w->nstreams; i++)
        total += w->bytes[i];
    total = total > due ? total : due;
    for (uint32_t i = 0; i < w->nstreams && w->used && !rc; i++) {
        if (w->direct[i] && !w->s->store->keeps_synced && w->bytes[i] * SMALL_SHARE < total)
            rc = demote(w, parts, i, err);
    }
    for (uint32_t i = 0; i < w->nstreams && w->used && !rc; i++) {
        if (!w->direct[i] && w->bytes[i] * LARGE_SHARE >= total)
            rc = promote(w, parts, i, total, err);
    }
    memset(w->bytes, 0, w->nstreams * sizeof *w->bytes);
    return rc;
}

enum rc spill_writer_gather(struct spill_writer *w, struct jsonl_parts *parts,
                            struct sync_thread *job, struct err *err)
{
    enum rc rc = w->n ? write_group(w, err) : RC_OK;
    if (rc || !w->dirty)
        return rc;
    bool finish = !w->s->store->keeps_synced;
    rc = sync_thread_add(job, (struct sync_thread_object){w->to, finish}, err);
    if (rc)
        return rc;
    if (finish)
        w->to = NULL;
    parts->changed[parts->nchanged++] = w->file;
    w->dirty = false;
    w->since = 0;
    return RC_OK;
}

void spill_writer_record(struct spill_writer *w, struct buf *record)
{
    bool first = true;
    if (!w->used)
        return;
    for (uint32_t i = 0; i < w->nstreams; i++) {
        if (w->counts[i] == 0)
            continue;
        buf_addf(record, "%s%u,%u", first ? ",\"spilled\":[" : ",", i, w->counts[i]);
        w->counts[i] = 0;
        first = false;
    }
    buf_puts(record, first ? "" : "]");
}
