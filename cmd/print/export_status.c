/* SPDX-License-Identifier: MIT */
/* First comes the run that is under way or was cut short, then the finished one of the manifest. */
#include "cmd/print/export_status.h"

#include <inttypes.h>

#include "cmd/print/plain.h"
#include "pipeline/base/json.h"
#include "pipeline/item/timestamp.h"
#include "sinks/jsonl/folder_status.h"
#include "sinks/jsonl/manifest_read.h"
#include "sinks/store/folder/folder_store.h"

static const char *const FATES[CNT_FIXED] = {"read", "routed", "filtered", "unrouted",
                                             "rejected"};

static void add_time(struct buf *b, int64_t us)
{
    timestamp_add_stamp(b, us);
}

static void text_reason(struct buf *out, enum reject_kind kind, struct str name, uint64_t count)
{
    buf_puts(out, kind == REJECT_ITEM ? "  rejected " : "  unrouted ");
    plain_pad(out, name.n ? name : STR("(no type)"), 21);
    buf_addf(out, " %14" PRIu64 "\n", count);
}

static void text_unfinished(const struct jsonl_status *st, struct buf *out)
{
    struct str why = st->state.held.why;
    buf_addf(out, "%s",
             st->under_way ? "under way"
             : why.n       ? "held"
                           : "cut short, can be resumed");
    if (st->under_way)
        buf_addf(out, " (process %ld)", st->pid);
    if (why.n) {
        buf_puts(out, "\n  why: ");
        plain_add(out, why, why.n);
        buf_puts(
            out,
            "\n  held: the same command with a higher allowance shows it, or renorm publish");
    }
    buf_addf(out, "\n  model %.*s %.12s\n  source %.*s\n  started ", STR_FMT(st->name),
             st->model_hash.n ? st->model_hash.p : "-", STR_FMT(st->source));
    add_time(out, st->started_us);
    buf_addf(out, "\n  segments %u of ", st->state.segments_done);
    if (st->segments) {
        buf_addf(out, "%u done\n", st->segments);
    } else {
        buf_puts(out, "an unknown number done\n");
    }
    for (uint32_t i = 0; st->state.counters && i < CNT_FIXED; i++)
        buf_addf(out, "  %-30s %14" PRIu64 "\n", FATES[i], st->state.counters[i]);
    for (size_t i = 0; i < st->ntables; i++) {
        buf_addf(out, "  table %-24.*s %14" PRIu64 " rows\n", STR_FMT(st->tables[i]),
                 jsonl_status_rows(st, i));
    }
    for (size_t i = 0; i < st->state.reasons.n; i++) {
        const struct reason *r = &st->state.reasons.v[i];
        if (reasons_is_first(&st->state.reasons, i))
            text_reason(out, r->kind, r->name, reasons_named(&st->state.reasons, i));
    }
}

static void text_finished(const struct jsonl_manifest *m, struct buf *out)
{
    buf_addf(out, "finished\n  model %.*s %.12s\n  source %.*s\n  started ", STR_FMT(m->name),
             m->model_hash.n ? m->model_hash.p : "-", STR_FMT(m->source));
    add_time(out, m->started_us);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < CNT_FIXED; i++)
        buf_addf(out, "  %-30s %14" PRIu64 "\n", FATES[i], m->items[i]);
    for (size_t i = 0; i < m->ntables; i++) {
        buf_addf(out, "  table %-24.*s %14" PRIu64 " rows %14" PRIu64 " bytes in %zu file%s\n",
                 STR_FMT(m->tables[i].name), m->tables[i].rows, m->tables[i].bytes,
                 m->tables[i].nfiles, plain_plural(m->tables[i].nfiles));
    }
    for (size_t i = 0; i < m->nreasons; i++)
        text_reason(out, REJECT_ITEM, m->reasons[i].name, m->reasons[i].count);
    for (size_t i = 0; i < m->ntypes; i++)
        text_reason(out, REJECT_UNROUTED, m->types[i].name, m->types[i].count);
}

static void json_head(struct buf *out, const char *state, struct str name, struct str hash,
                      int64_t started)
{
    buf_addf(out, "{\"state\":\"%s\",\"model\":", state);
    json_add_string(out, name);
    buf_puts(out, ",\"model_hash\":");
    json_add_string(out, hash);
    buf_puts(out, ",\"started\":\"");
    add_time(out, started);
    buf_putc(out, '"');
}

static void json_items(struct buf *out, const uint64_t *counters)
{
    buf_puts(out, ",\"items\":{");
    for (uint32_t i = 0; i < CNT_FIXED; i++)
        buf_addf(out, "%s\"%s\":%" PRIu64, i ? "," : "", FATES[i], counters ? counters[i] : 0);
    buf_puts(out, "},\"tables\":{");
}

static void json_unfinished(const struct jsonl_status *st, struct buf *out)
{
    struct str why = st->state.held.why;
    json_head(out,
              st->under_way ? "under-way"
              : why.n       ? "held"
                            : "cut-short",
              st->name, st->model_hash, st->started_us);
    if (why.n) {
        buf_puts(out, ",\"why\":");
        json_add_string(out, why);
    }
    buf_addf(out, ",\"segments\":%u,\"segments_done\":%u", st->segments,
             st->state.segments_done);
    json_items(out, st->state.counters);
    for (size_t i = 0; i < st->ntables; i++) {
        buf_puts(out, i ? "," : "");
        json_add_string(out, st->tables[i]);
        buf_addf(out, ":{\"rows\":%" PRIu64 "}", jsonl_status_rows(st, i));
    }
    buf_puts(out, "}}");
}

static void json_finished(const struct jsonl_manifest *m, struct buf *out)
{
    json_head(out, "finished", m->name, m->model_hash, m->started_us);
    buf_addf(out, ",\"segments\":%u,\"segments_done\":%u", m->segments, m->segments);
    json_items(out, m->items);
    for (size_t i = 0; i < m->ntables; i++) {
        buf_puts(out, i ? "," : "");
        json_add_string(out, m->tables[i].name);
        buf_addf(out, ":{\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", m->tables[i].rows,
                 m->tables[i].bytes);
    }
    buf_puts(out, "}}");
}

static enum rc print_status(struct store *store, const char *path, bool json, struct buf *out,
                            struct err *err)
{
    struct jsonl_status st = {0};
    struct jsonl_manifest *m = NULL;
    enum rc rc = jsonl_status_read(store, &st, err);
    if (rc)
        return rc;
    rc = jsonl_manifest_read(store, &m, err);
    if (rc == RC_NONE)
        rc = RC_OK;
    if (!rc && json)
        buf_puts(out, "{\"runs\":[");
    if (!rc && st.unfinished)
        json ? json_unfinished(&st, out) : text_unfinished(&st, out);
    if (!rc && m) {
        buf_puts(out, st.unfinished ? json ? "," : "\n" : "");
        json ? json_finished(m, out) : text_finished(m, out);
    }
    if (!rc && json)
        buf_puts(out, "]}\n");
    if (!rc && !m && !st.unfinished)
        rc = err_set(err, RC_USAGE, "\"%s\" holds no export", path);
    jsonl_manifest_free(m);
    jsonl_status_release(&st);
    return rc;
}

enum rc export_status(const char *path, bool json, struct buf *out, struct err *err)
{
    struct store *store = NULL;
    enum rc rc = folder_store_look(path, &store, err);
    if (!rc)
        rc = print_status(store, path, json, out, err);
    store_close(store);
    return rc;
}
