/* SPDX-License-Identifier: MIT */
/*
 * Prints the tables of a model as they stand in PostgreSQL, read back through the binary decoders:
 * one line "TABLE JSON" for each row, members that are NULL left out.
 * Usage: pg_rows CONNINFO SCHEMA MODEL
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/open/job.h"
#include "sinks/postgres/read/table_rows.h"

static enum rc print_table(struct pg_reader *r, const struct table *t, struct err *err)
{
    struct arena a;
    struct buf line;
    struct datum *cells = calloc(t->ncolumns + 1, sizeof *cells);
    if (cells == NULL)
        return err_nomem(err);
    arena_init(&a, 1 << 16);
    buf_init(&line, BUF_NO_LIMIT);
    enum rc rc = pg_reader_table(r, t, err);
    while (!rc) {
        arena_clear(&a);
        rc = pg_reader_next(r, &a, cells, err);
        if (rc)
            break;
        for (uint32_t i = 0; i < t->ncolumns; i++) {
            if (cells[i].state == DATUM_NULL)
                cells[i].state = DATUM_MISSING;
        }
        buf_clear(&line);
        schema_row_json(&line, t, cells);
        (void)printf("%.*s %.*s\n", STR_FMT(t->name), (int)line.len, line.p);
    }
    buf_release(&line);
    arena_release(&a);
    free(cells);
    return rc == RC_END ? RC_OK : rc;
}

int main(int argc, char **argv)
{
    static struct options o;
    struct job job;
    struct err err = {0};
    struct pg_reader *r = NULL;
    if (argc != 4)
        return 2;
    job_init(&job);
    enum rc rc = job_model(&job, argv[3], &o, &err);
    if (!rc)
        rc = pg_reader_open(argv[1], argv[2], &r, &err);
    for (uint32_t i = 0; !rc && i < job.plan->schema.ntables; i++)
        rc = print_table(r, &job.plan->schema.tables[i], &err);
    if (rc)
        (void)fprintf(stderr, "pg_rows: %s\n", err.msg);
    pg_reader_close(r);
    job_release(&job);
    return rc ? 1 : 0;
}
