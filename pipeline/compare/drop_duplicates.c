/* SPDX-License-Identifier: MIT */
/* The reader hands on what the inner one gives, but for lines that are lost. */
#include "pipeline/compare/drop_duplicates.h"

#include <stdlib.h>

struct kept_rows {
    struct rows_reader base;
    struct rows_reader_ops ops;
    struct rows_reader *inner;
    struct lost_rows *lost; /* borrowed */
    uint32_t table;
};

static enum rc start(struct rows_reader *s, uint32_t index, struct err *err)
{
    struct kept_rows *c = (struct kept_rows *)s;
    c->table = index;
    lost_rows_again(c->lost);
    enum rc rc = c->inner->ops->start(c->inner, index, err);
    s->lacks = c->inner->lacks;
    return rc;
}

static enum rc next(struct rows_reader *s, struct str *line, struct err *err)
{
    struct kept_rows *c = (struct kept_rows *)s;
    enum rc rc = c->inner->ops->next(c->inner, line, err);
    while (!rc && lost_rows_has(c->lost, c->table, *line))
        rc = c->inner->ops->next(c->inner, line, err);
    return rc;
}

static enum rc rowless(struct rows_reader *s, struct rowless_items *out, struct err *err)
{
    struct rows_reader *inner = ((struct kept_rows *)s)->inner;
    return inner->ops->rowless(inner, out, err);
}

static enum rc counts(struct rows_reader *s, struct buf *out, struct err *err)
{
    struct rows_reader *inner = ((struct kept_rows *)s)->inner;
    return inner->ops->counts(inner, out, err);
}

static void kept_free(struct rows_reader *s)
{
    struct kept_rows *c = (struct kept_rows *)s;
    c->inner->ops->free(c->inner);
    free(c);
}

enum rc drop_duplicates(struct lost_rows *lost, struct rows_reader *inner,
                        struct rows_reader **out, struct err *err)
{
    struct kept_rows *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c) {
        inner->ops->free(inner);
        return err_nomem(err);
    }
    *c = (struct kept_rows){.base = *inner, .inner = inner, .lost = lost};
    c->ops = (struct rows_reader_ops){start, next, inner->ops->rowless ? rowless : NULL,
                                      inner->ops->counts ? counts : NULL, kept_free};
    c->base.ops = &c->ops;
    *out = &c->base;
    return RC_OK;
}
