/* SPDX-License-Identifier: MIT */
/* The rows of a finished folder, checksums checked on the way. */
#include <stdlib.h>

#include "cmd/side.h"
#include "sinks/jsonl_read.h"

struct folder_side {
    struct side base;
    const struct schema *schema;
    struct jsonl_manifest *manifest;
    struct jsonl_rows rows;
    bool open;
};

static void begin(struct folder_side *f, const struct jsonl_table_info *t)
{
    if (f->open)
        jsonl_rows_release(&f->rows);
    f->open = t != NULL;
    if (t)
        jsonl_rows_init(&f->rows, f->manifest, t);
}

static enum rc start(struct side *s, uint32_t index, struct err *err)
{
    struct folder_side *f = (struct folder_side *)s;
    struct str name = f->schema->tables[index].name;
    const struct jsonl_table_info *t = jsonl_manifest_table(f->manifest, name);
    begin(f, t);
    if (!t) {
        return err_set(err, RC_SINK, "\"%s\" has no table \"%.*s\"", f->manifest->out,
                       STR_FMT(name));
    }
    return RC_OK;
}

static enum rc next(struct side *s, struct str *line, struct err *err)
{
    struct folder_side *f = (struct folder_side *)s;
    return jsonl_rows_next(&f->rows, line, err);
}

/* Reads one of the two streams to its end: every file must be the one of the manifest. */
static enum rc count_stream(struct folder_side *f, const struct jsonl_table_info *t,
                            uint64_t want, struct err *err)
{
    uint64_t n = 0;
    struct str line;
    begin(f, t);
    enum rc rc = RC_OK;
    while ((rc = jsonl_rows_next(&f->rows, &line, err)) == RC_OK)
        n++;
    if (rc != RC_END)
        return rc;
    if (n == want)
        return RC_OK;
    return err_set(err, RC_SINK, "\"%s/%.*s\" holds %llu items, the manifest counts %llu",
                   f->manifest->out, STR_FMT(t->folder), (unsigned long long)n,
                   (unsigned long long)want);
}

static enum rc left(struct side *s, struct side_left *out, struct err *err)
{
    struct folder_side *f = (struct folder_side *)s;
    const struct jsonl_manifest *m = f->manifest;
    *out = (struct side_left){m->items[CNT_REJECTED], m->items[CNT_UNROUTED]};
    enum rc rc = count_stream(f, &m->rejects, out->rejected, err);
    return rc == RC_OK ? count_stream(f, &m->unrouted, out->unrouted, err) : rc;
}

static void side_free(struct side *s)
{
    struct folder_side *f = (struct folder_side *)s;
    begin(f, NULL);
    jsonl_manifest_free(f->manifest);
    free(f);
}

enum rc side_folder(const char *path, const struct schema *schema, struct side **out,
                    struct err *err)
{
    static const struct side_ops OPS = {start, next, left, side_free};
    struct folder_side *f = calloc(1, sizeof *f);
    if (!f)
        return err_nomem(err);
    enum rc rc = jsonl_manifest_read(path, &f->manifest, err);
    if (rc != RC_OK) {
        free(f);
        if (rc == RC_END) {
            rc = err_set(
                err, RC_USAGE,
                "\"%s\" holds no finished export\nhint: run the export to its end first", path);
        }
        return rc;
    }
    f->schema = schema;
    f->base = (struct side){
        &OPS, false, f->manifest->started_us, f->manifest->model_hash, f->manifest->options,
        {0},  NULL};
    *out = &f->base;
    return RC_OK;
}
