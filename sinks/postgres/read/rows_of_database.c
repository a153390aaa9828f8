/* SPDX-License-Identifier: MIT */
/* The tables a run published to PostgreSQL, read back through the binary decoders. */
#include "sinks/postgres/read/rows_of_database.h"

#include <stdlib.h>

#include "sinks/postgres/read/table_rows.h"

struct pg_rows {
    struct rows_reader base;
    const struct schema *schema;
    struct pg_reader *reader;
    char *name; /* of the database schema */
    long long run;
    const struct table *table;
    struct datum *cells;
    struct arena arena;
    struct buf line;
};

static enum rc start(struct rows_reader *s, uint32_t index, struct err *err)
{
    struct pg_rows *p = (struct pg_rows *)s;
    p->table = &p->schema->tables[index];
    free(p->cells);
    p->cells = calloc((size_t)p->table->ncolumns + 1, sizeof *p->cells);
    enum rc rc = p->cells ? pg_reader_table(p->reader, p->table, err) : err_nomem(err);
    s->lacks = rc ? NULL : pg_reader_lacks(p->reader);
    return rc;
}

static enum rc next(struct rows_reader *s, struct str *line, struct err *err)
{
    struct pg_rows *p = (struct pg_rows *)s;
    if (s->lacks)
        return RC_END;
    arena_clear(&p->arena);
    enum rc rc = pg_reader_next(p->reader, &p->arena, p->cells, err);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < p->table->ncolumns; i++) {
        if (p->cells[i].state == DATUM_NULL)
            p->cells[i].state = DATUM_MISSING;
    }
    buf_clear(&p->line);
    schema_row_json(&p->line, p->table, p->cells);
    *line = buf_view(&p->line);
    return buf_check(&p->line, err);
}

static enum rc rowless(struct rows_reader *s, struct rowless_items *out, struct err *err)
{
    struct pg_rows *p = (struct pg_rows *)s;
    struct pg_kept_item item;
    *out = (struct rowless_items){0};
    enum rc rc = pg_reader_kept(p->reader, p->run, err);
    while (!rc) {
        rc = pg_reader_kept_next(p->reader, &item, err);
        if (!rc) {
            rc = rowless_add(item.unrouted ? &out->unrouted_content : &out->rejected_content,
                             item.reason, item.bytes, &p->line, err);
        }
    }
    out->rejected = out->rejected_content.rows;
    out->unrouted = out->unrouted_content.rows;
    return rc == RC_END ? RC_OK : rc;
}

static void pg_rows_free(struct rows_reader *s)
{
    struct pg_rows *p = (struct pg_rows *)s;
    pg_reader_close(p->reader);
    arena_release(&p->arena);
    buf_release(&p->line);
    free(p->cells);
    free(p->name);
    free(p);
}

enum rc pg_rows_open(const char *conninfo, const char *name, const struct schema *schema,
                     struct rows_reader **out, struct err *err)
{
    static const struct rows_reader_ops OPS = {start, next, rowless, NULL, pg_rows_free};
    struct pg_run_info info = {0};
    struct str of = name ? str_of(name) : schema->name;
    struct pg_rows *p = calloc(1, sizeof *p);
    if (!p)
        return err_nomem(err);
    arena_init(&p->arena, 1 << 16);
    buf_init(&p->line, BUF_NO_LIMIT);
    p->schema = schema;
    p->name = strndup(of.p, of.n);
    enum rc rc = p->name ? pg_reader_open(conninfo, p->name, &p->reader, err) : err_nomem(err);
    if (!rc)
        rc = pg_reader_run(p->reader, schema, &info, err);
    p->run = info.run;
    p->base = (struct rows_reader){
        &OPS, true, info.now_us, info.model_hash, info.options, info.duplicates, NULL};
    if (!rc) {
        *out = &p->base;
    } else {
        pg_rows_free(&p->base);
    }
    return rc;
}
