/* SPDX-License-Identifier: MIT */
/* The rows of a finished folder: what is shown is what the manifest says, checksums included. */
#include "sinks/jsonl/rows_of_folder.h"

#include <stdlib.h>

#include "sinks/jsonl/manifest_read.h"
#include "sinks/jsonl/reject_file.h"
#include "sinks/store/folder/folder_store.h"

struct folder_rows {
    struct rows_reader base;
    const struct schema *schema;
    struct store *store; /* owned */
    struct jsonl_manifest *manifest;
    struct jsonl_lines lines;
    struct buf item, buf; /* of a kept item: what was decoded, what is summed */
    bool open;
};

static void begin(struct folder_rows *f, const struct jsonl_table_info *t)
{
    if (f->open)
        jsonl_lines_release(&f->lines);
    f->open = t != NULL;
    if (t)
        jsonl_lines_init(&f->lines, f->manifest, t);
}

static enum rc start(struct rows_reader *s, uint32_t index, struct err *err)
{
    struct folder_rows *f = (struct folder_rows *)s;
    struct str name = f->schema->tables[index].name;
    const struct jsonl_table_info *t = jsonl_manifest_table(f->manifest, name);
    begin(f, t);
    if (!t) {
        char place[FS_PATH];
        f->store->ops->place(f->store, store_key(STORE_SHOWN, ""), place);
        return err_set(err, RC_SINK, "\"%s\" has no table \"%.*s\"", place, STR_FMT(name));
    }
    return RC_OK;
}

static enum rc next(struct rows_reader *s, struct str *line, struct err *err)
{
    struct folder_rows *f = (struct folder_rows *)s;
    return jsonl_lines_next(&f->lines, line, err);
}

/* Reads one of the two streams to its end: every file must be the one of the manifest. */
static enum rc count_stream(struct folder_rows *f, const struct jsonl_table_info *t,
                            uint64_t want, struct tally_sum *sum, struct err *err)
{
    struct str line, reason, item;
    begin(f, t);
    enum rc rc = RC_OK;
    while (!rc) {
        rc = jsonl_lines_next(&f->lines, &line, err);
        if (!rc)
            rc = jsonl_reject_split(line, &f->item, &reason, &item, err);
        if (!rc)
            rc = rowless_add(sum, reason, item, &f->buf, err);
    }
    if (rc != RC_END)
        return rc;
    uint64_t n = sum->rows;
    if (n == want)
        return RC_OK;
    char place[FS_PATH];
    f->store->ops->place(f->store, store_key(STORE_SHOWN, ""), place);
    return err_set(err, RC_SINK, "\"%s/%.*s\" holds %llu items, the manifest counts %llu",
                   place, STR_FMT(t->folder), (unsigned long long)n, (unsigned long long)want);
}

static enum rc rowless(struct rows_reader *s, struct rowless_items *out, struct err *err)
{
    struct folder_rows *f = (struct folder_rows *)s;
    const struct jsonl_manifest *m = f->manifest;
    *out = (struct rowless_items){.rejected = m->items[CNT_REJECTED],
                                  .unrouted = m->items[CNT_UNROUTED]};
    enum rc rc = count_stream(f, &m->rejects, out->rejected, &out->rejected_content, err);
    return !rc ? count_stream(f, &m->unrouted, out->unrouted, &out->unrouted_content, err) : rc;
}

static void add_counts(struct buf *out, const char *of, const struct jsonl_count *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        buf_addf(out, "%s ", of);
        for (size_t k = 0; k < v[i].name.n; k++) { /* a type is any text, a line is not */
            char c = v[i].name.p[k];
            buf_putc(out, c == '\t' || c == '\n' ? ' ' : c);
        }
        buf_addf(out, "\t%llu\n", (unsigned long long)v[i].count);
    }
}

static enum rc counts(struct rows_reader *s, struct buf *out, struct err *err)
{
    static const char *const ITEMS[CNT_FIXED] = {"read", "routed", "filtered", "unrouted",
                                                 "rejected"};
    const struct jsonl_manifest *m = ((struct folder_rows *)s)->manifest;
    for (int i = 0; i < CNT_FIXED; i++)
        buf_addf(out, "items %s\t%llu\n", ITEMS[i], (unsigned long long)m->items[i]);
    buf_addf(out, "conflicts\t%llu\nmissing mirrors\t%llu\n", (unsigned long long)m->conflicts,
             (unsigned long long)m->missing_mirrors);
    add_counts(out, "rejected", m->reasons, m->nreasons);
    add_counts(out, "unrouted", m->types, m->ntypes);
    add_counts(out, "note", m->notes, m->nnotes);
    return buf_check(out, err);
}

static void folder_free(struct rows_reader *s)
{
    struct folder_rows *f = (struct folder_rows *)s;
    begin(f, NULL);
    jsonl_manifest_free(f->manifest);
    buf_release(&f->item);
    buf_release(&f->buf);
    store_close(f->store);
    free(f);
}

static const struct rows_reader_ops OPS = {start, next, rowless, counts, folder_free};
static const struct rows_reader_ops OF_STAYED = {start, next, NULL, NULL, folder_free};

static bool same_run(const struct jsonl_table_info *a, const struct jsonl_table_info *b)
{
    return a->stayed == b->stayed && a->started_us == b->started_us &&
           str_eq(a->options, b->options) && str_eq(a->model_hash, b->model_hash);
}

/* The tables asked for may be those that an earlier run of other entities made: what became no row
   in it is not there any more. */
static enum rc find_run(struct folder_rows *f, struct err *err)
{
    const struct jsonl_table_info *first = NULL;
    for (uint32_t i = 0; i < f->schema->ntables; i++) {
        const struct jsonl_table_info *t =
            jsonl_manifest_table(f->manifest, f->schema->tables[i].name);
        if (t && first && !same_run(t, first)) {
            (void)err_set(err, RC_USAGE, "the tables of this folder were made by several runs");
            return err_hint(err, "verify those of one run with its --only");
        }
        first = t ? t : first;
    }
    if (first && first->stayed) {
        f->base.ops = &OF_STAYED;
        f->base.now_us = first->started_us;
        f->base.model_hash = first->model_hash;
        f->base.options = first->options;
    }
    return RC_OK;
}

enum rc jsonl_rows_open(const char *path, const struct schema *schema, struct rows_reader **out,
                        struct err *err)
{
    struct folder_rows *f = calloc(1, sizeof *f);
    if (!f)
        return err_nomem(err);
    buf_init(&f->item, BUF_NO_LIMIT);
    buf_init(&f->buf, BUF_NO_LIMIT);
    enum rc rc = folder_store_look(path, &f->store, err);
    if (!rc)
        rc = jsonl_manifest_read(f->store, &f->manifest, err);
    if (!rc)
        rc = jsonl_manifest_check(f->manifest, err);
    if (rc) {
        folder_free(&f->base);
        if (rc == RC_NONE) {
            rc = err_set(
                err, RC_USAGE,
                "\"%s\" holds no finished export\nhint: run the export to its end first", path);
        }
        return rc;
    }
    f->schema = schema;
    f->base = (struct rows_reader){
        &OPS, false, f->manifest->started_us, f->manifest->model_hash, f->manifest->options,
        {0},  NULL};
    rc = find_run(f, err);
    if (rc) {
        folder_free(&f->base);
        return rc;
    }
    *out = &f->base;
    return RC_OK;
}
