/* SPDX-License-Identifier: MIT */
/* The least that a reader of rows has to do. */
#include "tests/harness/memory_rows.h"

static enum rc start(struct rows_reader *r, uint32_t index, struct err *err)
{
    struct memory_rows *m = (struct memory_rows *)r;
    (void)err;
    m->at = m->of[index];
    m->starts++;
    r->lacks = m->lacks[index];
    return RC_OK;
}

static enum rc next(struct rows_reader *r, struct str *line, struct err *err)
{
    struct memory_rows *m = (struct memory_rows *)r;
    if (m->fail_at && m->lines == m->fail_at)
        return err_set(err, RC_SINK, "as asked for");
    if (!*m->at)
        return RC_END;
    *line = str_of(*m->at++);
    m->lines++;
    return RC_OK;
}

static enum rc rowless(struct rows_reader *r, struct rowless_items *out, struct err *err)
{
    (void)err;
    *out = ((struct memory_rows *)r)->rowless;
    return RC_OK;
}

static void free_nothing(struct rows_reader *r)
{
    (void)r;
}

struct rows_reader *memory_rows(struct memory_rows *m)
{
    static const struct rows_reader_ops OPS = {start, next, rowless, NULL, free_nothing};
    m->base.ops = &OPS;
    return &m->base;
}
