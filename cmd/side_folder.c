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

static enum rc start(struct side *s, uint32_t index, struct err *err)
{
    struct folder_side *f = (struct folder_side *)s;
    if (f->open)
        jsonl_rows_release(&f->rows);
    f->open = false;
    struct str name = f->schema->tables[index].name;
    const struct jsonl_table_info *t = jsonl_manifest_table(f->manifest, name);
    if (!t) {
        return err_set(err, RC_SINK, "\"%s\" has no table \"%.*s\"", f->manifest->out,
                       STR_FMT(name));
    }
    jsonl_rows_init(&f->rows, f->manifest, t);
    f->open = true;
    return RC_OK;
}

static enum rc next(struct side *s, struct str *line, struct err *err)
{
    struct folder_side *f = (struct folder_side *)s;
    return jsonl_rows_next(&f->rows, line, err);
}

static void side_free(struct side *s)
{
    struct folder_side *f = (struct folder_side *)s;
    if (f->open)
        jsonl_rows_release(&f->rows);
    jsonl_manifest_free(f->manifest);
    free(f);
}

enum rc side_folder(const char *path, const struct schema *schema, struct side **out,
                    struct err *err)
{
    static const struct side_ops OPS = {start, next, side_free};
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
    f->base = (struct side){&OPS, false, f->manifest->started_us, f->manifest->model_hash,
                            f->manifest->options};
    *out = &f->base;
    return RC_OK;
}
