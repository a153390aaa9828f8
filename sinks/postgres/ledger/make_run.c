/* SPDX-License-Identifier: MIT */
/*
 * Making a run: its row in the ledger, its segments, and a schema of its own with the staging
 * tables, which have neither keys nor constraints. All of it in the transaction that found no
 * other run; what follows only ever adds rows.
 */
#include "sinks/postgres/ledger/make_run.h"

#include <string.h>

#include "pipeline/row/reduce/reducer.h"
#include "sql.inc"

static void add_counter_name(struct buf *b, const char *kind, struct str name)
{
    buf_puts(b, b->len > 1 ? ",\"" : "\"");
    buf_puts(b, kind);
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '"' || name.p[i] == '\\')
            buf_putc(b, '\\');
        buf_putc(b, name.p[i]);
    }
    buf_putc(b, '"');
}

/* The names of the counters as an array literal, so that `status` can read them without the
   model. */
static void counter_names(struct buf *b, const struct schema *s)
{
    static const char *const fixed[CNT_FIXED] = {
        [CNT_READ] = "read",         [CNT_ROUTED] = "routed",     [CNT_FILTERED] = "filtered",
        [CNT_UNROUTED] = "unrouted", [CNT_REJECTED] = "rejected",
    };
    buf_putc(b, '{');
    for (int i = 0; i < CNT_FIXED; i++)
        add_counter_name(b, "", str_of(fixed[i]));
    for (uint32_t i = 0; i < s->ntables; i++)
        add_counter_name(b, "table ", s->tables[i].name);
    for (uint32_t i = 0; i < s->nnotes; i++)
        add_counter_name(b, "note ", s->notes[i]);
    buf_putc(b, '}');
}

bool pg_extract_leads(const struct schema *s, uint32_t extract)
{
    return reducer_leader(s, extract) == extract;
}

struct pg_name pg_candidate_name(const struct schema *s, uint32_t extract)
{
    char text[32];
    (void)snprintf(text, sizeof text, "renorm:candidate%u", reducer_leader(s, extract));
    return pg_name_fit(str_of(text), NULL);
}

static void candidate_table(struct buf *b, struct pg_run *r, uint32_t extract)
{
    const struct table *t = &r->schema->tables[r->schema->extracts[extract].into];
    struct pg_name name = pg_candidate_name(r->schema, extract);
    buf_puts(b, r->unlogged ? "CREATE UNLOGGED TABLE " : "CREATE TABLE ");
    pg_add_qualified(b, pg_name_view(&r->staging), pg_name_view(&name));
    buf_puts(b, " (");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        pg_add_ident(b, t->columns[i].name);
        buf_putc(b, ' ');
        pg_ddl_type(b, &t->columns[i]);
        buf_puts(b, ", ");
    }
    buf_puts(b, "\"renorm:source\" text COLLATE \"C\" NOT NULL, "
                "\"renorm:text\" text COLLATE \"C\", \"renorm:number\" numeric);\n");
}

void pg_extras_table(struct buf *b, const struct pg_run *r)
{
    buf_puts(b, r->unlogged ? "CREATE UNLOGGED TABLE IF NOT EXISTS "
                            : "CREATE TABLE IF NOT EXISTS ");
    pg_add_qualified(b, pg_name_view(&r->staging), PG_EXTRAS);
    buf_puts(b, " (place integer NOT NULL, name text COLLATE \"C\" NOT NULL, kind integer NOT "
                "NULL, n bigint NOT NULL, segment integer NOT NULL, item bigint NOT NULL, "
                "example text);\n");
}

void pg_keys_table(struct buf *b, const struct pg_run *r)
{
    if (!r->with_pos)
        return;
    buf_puts(b, r->unlogged ? "CREATE UNLOGGED TABLE IF NOT EXISTS "
                            : "CREATE TABLE IF NOT EXISTS ");
    pg_add_qualified(b, pg_name_view(&r->staging), PG_KEYS);
    buf_puts(b, " (first bigint NOT NULL, source_keys text[] NOT NULL);\n");
}

/* Keys are read by few, so they are not compressed. */
static void items_view(struct buf *b, const struct pg_run *r)
{
    buf_puts(b, "ALTER TABLE ");
    pg_add_qualified(b, pg_name_view(&r->staging), PG_KEYS);
    buf_puts(b, " ALTER COLUMN source_keys SET STORAGE EXTERNAL;\nCREATE VIEW ");
    pg_add_qualified(b, pg_name_view(&r->staging), PG_ITEMS);
    buf_puts(b, " AS SELECT k.first + u.n - 1 AS pos, u.source_key FROM ");
    pg_add_qualified(b, pg_name_view(&r->staging), PG_KEYS);
    buf_puts(b, " AS k, unnest(k.source_keys) WITH ORDINALITY AS u (source_key, n);\n");
}

static void staging_tables(struct buf *b, struct pg_run *r)
{
    struct str staging = pg_name_view(&r->staging);
    buf_puts(b, "CREATE SCHEMA ");
    pg_add_ident(b, staging);
    buf_puts(b, ";\n");
    for (uint32_t i = 0; i < r->schema->ntables; i++) {
        pg_ddl_table(b, staging, &r->schema->tables[i],
                     r->unlogged ? PG_DDL_UNLOGGED : PG_DDL_LOGGED, r->with_pos);
    }
    for (uint32_t i = 0; i < r->schema->ntables; i++)
        pg_ddl_comments(b, staging, &r->schema->tables[i]);
    for (uint32_t i = 0; i < r->schema->nextracts; i++) {
        if (pg_extract_leads(r->schema, i))
            candidate_table(b, r, i);
    }
    pg_extras_table(b, r);
    pg_keys_table(b, r);
    if (r->with_pos)
        items_view(b, r);
}

static enum rc insert_run(struct pg_run *r, const struct run_info *info, struct err *err)
{
    static const char *const modes[] = {"replace", "append", "merge"};
    char now[24], segments[24], source[24];
    struct arena a;
    struct buf names;
    PGresult *res = NULL;
    arena_init(&a, 4096);
    buf_init(&names, 1 << 24);
    counter_names(&names, r->schema);
    (void)snprintf(now, sizeof now, "%lld", (long long)info->now_us);
    (void)snprintf(segments, sizeof segments, "%u", info->segments);
    (void)snprintf(source, sizeof source, "%lld", (long long)info->source_us);
    const char *params[] = {r->schema_name.text,
                            modes[r->opts.mode],
                            arena_cstr(&a, info->model_hash),
                            arena_cstr(&a, info->source_identity),
                            arena_cstr(&a, info->source_text),
                            buf_cstr(&r->options),
                            info->version ? info->version : "",
                            now,
                            segments,
                            r->unlogged ? "t" : "f",
                            buf_cstr(&names),
                            source};
    enum rc rc = pg_query(r->pg, sql_run_insert, params, 12, &res, err);
    if (!rc)
        pg_ledger_name_run(r, pg_number(res, 0, 0));
    PQclear(res);
    buf_release(&names);
    arena_release(&a);
    return rc;
}

static enum rc insert_segments(struct pg_run *r, const char *segments, struct err *err)
{
    char run[24];
    const char *params[] = {run, segments};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    return pg_query(r->pg, r->stmts[PG_STMT_INSERT], params, 2, NULL, err);
}

enum rc pg_begin_run(struct pg_run *r, const struct run_info *info, struct err *err)
{
    struct buf sql;
    char segments[24];
    buf_init(&sql, 1 << 26);
    (void)snprintf(segments, sizeof segments, "%u", info->segments);
    r->unlogged = r->opts.unlogged;
    enum rc rc = pg_precheck(r, err);
    if (!rc)
        rc = insert_run(r, info, err);
    if (!rc)
        rc = pg_stmts_make(r, err);
    if (!rc)
        rc = insert_segments(r, segments, err);
    if (!rc) {
        staging_tables(&sql, r);
        rc = pg_exec_buf(r->pg, &sql, err);
    }
    buf_release(&sql);
    return rc;
}

enum rc pg_settle(struct pg_run *r, const char *schema, struct err *err)
{
    const char *params[] = {schema};
    return pg_query(r->pg, sql_settle, params, 1, NULL, err);
}

enum rc pg_begin_again(struct pg_run *r, struct err *err)
{
    char run[24];
    const char *params[] = {run};
    PGresult *res = NULL;
    struct buf sql;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    buf_init(&sql, 1 << 26);
    buf_addf(&sql,
             "DELETE FROM renorm.reject WHERE run = %lld;"
             "DELETE FROM renorm.step WHERE run = %lld;"
             "DELETE FROM renorm.segment_unlogged WHERE run = %lld;"
             "UPDATE renorm.run SET loaded = false WHERE run = %lld;"
             "DROP SCHEMA IF EXISTS ",
             r->run, r->run, r->run, r->run);
    pg_add_ident(&sql, pg_name_view(&r->staging));
    buf_puts(&sql, " CASCADE;");
    staging_tables(&sql, r);
    enum rc rc = pg_settle(r, r->staging.text, err);
    if (!rc)
        rc = pg_exec_buf(r->pg, &sql, err);
    if (!rc) {
        rc = pg_query(r->pg, "SELECT segments FROM renorm.run WHERE run = $1", params, 1, &res,
                      err);
    }
    if (!rc)
        rc = insert_segments(r, PQgetvalue(res, 0, 0), err);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

enum rc pg_abandon(struct pg_run *r, long long run, struct err *err)
{
    struct buf sql;
    char staging[40];
    buf_init(&sql, 1 << 16);
    (void)snprintf(staging, sizeof staging, "renorm_run_%lld", run);
    buf_addf(&sql,
             "UPDATE renorm.run SET state = 'abandoned', finished = clock_timestamp() "
             "WHERE run = %lld;"
             "UPDATE renorm.segment SET epoch = epoch + 1, owner = NULL WHERE run = %lld;"
             "DELETE FROM renorm.segment_unlogged WHERE run = %lld;"
             "DELETE FROM renorm.reject WHERE run = %lld;"
             "DROP SCHEMA IF EXISTS \"renorm_run_%lld\" CASCADE;",
             run, run, run, run, run);
    enum rc rc = pg_settle(r, staging, err);
    if (!rc)
        rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}
