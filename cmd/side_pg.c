/* SPDX-License-Identifier: MIT */
/* The tables a run published to PostgreSQL, read back through the binary decoders. */
#include <stdlib.h>

#include "cmd/side.h"
#include "sinks/pg_read.h"

struct pg_side {
    struct side base;
    const struct schema *schema;
    struct pg_reader *reader;
    char *name; /* of the database schema */
    long long run;
    const struct table *table;
    struct datum *cells;
    struct arena arena;
    struct buf line;
};

static enum rc start(struct side *s, uint32_t index, struct err *err)
{
    struct pg_side *p = (struct pg_side *)s;
    p->table = &p->schema->tables[index];
    free(p->cells);
    p->cells = calloc((size_t)p->table->ncolumns + 1, sizeof *p->cells);
    enum rc rc = p->cells ? pg_reader_table(p->reader, p->table, err) : err_nomem(err);
    s->lacks = rc ? NULL : pg_reader_lacks(p->reader);
    return rc;
}

static enum rc next(struct side *s, struct str *line, struct err *err)
{
    struct pg_side *p = (struct pg_side *)s;
    if (s->lacks)
        return RC_END;
    arena_clear(&p->arena);
    enum rc rc = pg_reader_next(p->reader, &p->arena, p->cells, err);
    if (rc != RC_OK)
        return rc;
    for (uint32_t i = 0; i < p->table->ncolumns; i++) {
        if (p->cells[i].state == DATUM_NULL)
            p->cells[i].state = DATUM_MISSING;
    }
    buf_clear(&p->line);
    table_row_json(&p->line, p->table, p->cells);
    *line = buf_view(&p->line);
    return buf_check(&p->line, err);
}

static enum rc left(struct side *s, struct side_left *out, struct err *err)
{
    const struct pg_side *p = (const struct pg_side *)s;
    struct pg_reject_info info = {0};
    enum rc rc = pg_reader_reject_info(p->reader, p->run, &info, err);
    if (rc == RC_USAGE) { /* there are none */
        err_clear(err);
        rc = RC_OK;
    }
    *out =
        (struct side_left){.rejected = info.items - info.unrouted, .unrouted = info.unrouted};
    return rc;
}

static void side_free(struct side *s)
{
    struct pg_side *p = (struct pg_side *)s;
    pg_reader_close(p->reader);
    arena_release(&p->arena);
    buf_release(&p->line);
    free(p->cells);
    free(p->name);
    free(p);
}

enum rc side_pg(const char *conninfo, const char *name, const struct schema *schema,
                struct side **out, struct err *err)
{
    static const struct side_ops OPS = {start, next, left, side_free};
    struct pg_run_info info = {0};
    struct str of = name ? str_of(name) : schema->name;
    struct pg_side *p = calloc(1, sizeof *p);
    if (!p)
        return err_nomem(err);
    arena_init(&p->arena, 1 << 16);
    buf_init(&p->line, BUF_NO_LIMIT);
    p->schema = schema;
    p->name = strndup(of.p, of.n);
    enum rc rc = p->name ? pg_reader_open(conninfo, p->name, &p->reader, err) : err_nomem(err);
    if (rc == RC_OK)
        rc = pg_reader_run(p->reader, &info, err);
    p->run = info.run;
    p->base = (struct side){
        &OPS, true, info.now_us, info.model_hash, info.options, info.duplicates, NULL};
    if (rc == RC_OK) {
        *out = &p->base;
    } else {
        side_free(&p->base);
    }
    return rc;
}
