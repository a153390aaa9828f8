/* SPDX-License-Identifier: MIT */
/* Folds the lines of a table where that is asked for, and takes their keys from them. */
#include "pipeline/compare/rows_reader.h"
#include "pipeline/row/row_line.h"

struct walk {
    struct row_line row;
    struct buf key, folded;
    bool fold;
};

/* The line itself stands for the key where the table has none. */
static struct str key_of(struct walk *w, struct str line)
{
    if (w->row.table->nkey == 0)
        return line;
    buf_clear(&w->key);
    (void)row_line_split(&w->row, line);
    (void)row_line_key(&w->row, &w->key);
    return buf_view(&w->key);
}

static enum rc give(struct walk *w, struct str line, const struct rows_each *each,
                    struct err *err)
{
    if (w->fold) {
        row_line_fold(line, &w->folded);
        line = buf_view(&w->folded);
    }
    struct str key = key_of(w, line);
    if (w->key.rc || w->folded.rc)
        return err_nomem(err);
    return each->row(each->ctx, key, line, err);
}

enum rc rows_walk(struct rows_reader *r, const struct rows_table *of,
                  const struct rows_each *each, struct err *err)
{
    struct walk w = {.fold = of->fold && !r->folds_nulls};
    struct str line;
    buf_init(&w.key, BUF_NO_LIMIT);
    buf_init(&w.folded, BUF_NO_LIMIT);
    enum rc rc = row_line_init(&w.row, &of->schema->tables[of->index], err);
    if (!rc)
        rc = r->ops->start(r, of->index, err);
    while (!rc && !(rc = r->ops->next(r, &line, err)))
        rc = give(&w, line, each, err);
    row_line_release(&w.row);
    buf_release(&w.key);
    buf_release(&w.folded);
    return rc == RC_END ? RC_OK : rc;
}
