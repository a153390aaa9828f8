/* SPDX-License-Identifier: MIT */
/* What the steps do, one function each where no other file has it. */
#include "sinks/postgres/finish/steps.h"

#include <string.h>

#include "pipeline/base/memory.h"
#include "sinks/postgres/ledger/make_run.h"
#include "sql.inc"

/* The candidates are done with, and the items only lend their source keys to examples. */
static enum rc make_logged(struct pg_run *r, struct err *err)
{
    struct buf sql;
    if (!r->unlogged)
        return RC_OK;
    buf_init(&sql, 1 << 22);
    buf_addf(&sql,
             "INSERT INTO renorm.segment SELECT * FROM renorm.segment_unlogged "
             "WHERE run = %lld ON CONFLICT DO NOTHING;"
             "DELETE FROM renorm.segment_unlogged WHERE run = %lld;"
             "UPDATE renorm.run SET unlogged = false WHERE run = %lld;",
             r->run, r->run, r->run);
    for (uint32_t i = 0; i < r->schema->ntables; i++) {
        buf_puts(&sql, "ALTER TABLE ");
        pg_add_qualified(&sql, pg_name_view(&r->staging), r->schema->tables[i].name);
        buf_puts(&sql, " SET LOGGED;");
    }
    buf_puts(&sql, "ALTER TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), PG_EXTRAS);
    buf_puts(&sql, " SET LOGGED;");
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_carry_indexes(struct pg_run *r, const struct table *t, struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text, r->staging.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_carry_indexes, params, 3, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++)
        rc = pg_exec(r->pg, PQgetvalue(res, i, 0), err);
    PQclear(res);
    return rc;
}

static enum rc drop_position(struct pg_run *r, const struct table *t, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 4096);
    buf_puts(&sql, "ALTER TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), t->name);
    buf_puts(&sql, " DROP COLUMN IF EXISTS ");
    pg_add_ident(&sql, PG_POS);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/* Values too long for it are looked for only where it cannot be built. */
static enum rc build_index(struct pg_run *r, const struct pg_step *step, struct pg_outcome *out,
                           struct err *err)
{
    struct buf sql;
    enum rc rc = RC_OK;
    buf_init(&sql, 1 << 20);
    if (pg_ddl_index(&sql, pg_name_view(&r->staging), r->schema, step->table, step->ref))
        rc = pg_try_index(r, &sql, step->table, out, err);
    buf_release(&sql);
    return rc;
}

static enum rc analyze(struct pg_run *r, const struct table *t, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 4096);
    buf_puts(&sql, "ANALYZE ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), t->name);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/* Made by copies, so that the ledger does not know how many rows it has. */
static bool reduced(const struct pg_run *r, uint32_t table)
{
    const struct schema *s = r->schema;
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == table || s->extracts[i].conflict == table)
            return true;
    }
    return false;
}

/* The first steps have proved what the ledger counts; nothing took rows away since. */
static enum rc as_counted(struct pg_run *r, uint32_t table, bool *as, struct err *err)
{
    PGresult *res = NULL;
    *as = false;
    if (reduced(r, table))
        return RC_OK;
    enum rc rc = pg_query_run(r,
                              "SELECT coalesce(sum(amount), 0) FROM renorm.step "
                              "WHERE run = $1 AND name LIKE 'duplicates %'",
                              &res, err);
    *as = !rc && pg_number(res, 0, 0) == 0;
    PQclear(res);
    return rc;
}

static enum rc count_rows(struct pg_run *r, uint32_t table, const char *name, uint64_t *rows,
                          struct err *err)
{
    PGresult *res = NULL;
    struct buf sql;
    bool as = false;
    enum rc rc = as_counted(r, table, &as, err);
    *rows = r->counters[CNT_FIXED + table];
    if (rc || as)
        return rc;
    buf_init(&sql, 4096);
    buf_addf(&sql, "SELECT count(*) FROM %s", name);
    rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *rows = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

static enum rc total(struct pg_run *r, uint32_t table, struct pg_outcome *out, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct buf sql, name;
    buf_init(&sql, 1 << 16);
    buf_init(&name, 4096);
    pg_add_qualified(&name, pg_name_view(&r->staging), t->name);
    enum rc rc = count_rows(r, table, buf_cstr(&name), &out->amount, err);
    buf_addf(&sql, "INSERT INTO renorm.table_total (run, name, rows, bytes) SELECT %lld, ",
             r->run);
    pg_add_literal(&sql, t->name);
    buf_addf(&sql, ", %llu, pg_total_relation_size(", (unsigned long long)out->amount);
    pg_add_literal(&sql, buf_view(&name));
    buf_puts(&sql, ") ON CONFLICT (run, name) DO UPDATE SET rows = excluded.rows, "
                   "bytes = excluded.bytes");
    if (!rc)
        rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    buf_release(&name);
    return rc;
}

enum rc pg_step_run(struct pg_run *r, const struct pg_step *step, struct pg_outcome *out,
                    struct err *err)
{
    const struct table *t = &r->schema->tables[step->table];
    switch (step->kind) {
    case PG_STEP_COUNT:
        return pg_count_held(r, step->table, out, err);
    case PG_STEP_REJECTS:
        return pg_count_rejects(r, out, err);
    case PG_STEP_MIRRORS:
        return pg_missing_mirrors(r, step->table, out, err);
    case PG_STEP_REDUCE:
        return pg_reduce(r, step->table, out, err);
    case PG_STEP_LOGGED:
        return make_logged(r, err);
    case PG_STEP_EARLY:
        return pg_early_key(r, step->table, err);
    case PG_STEP_DUPLICATES:
        return pg_duplicates(r, step->table, out, err);
    case PG_STEP_LONG:
        return pg_check_long(r, step->table, out, err);
    case PG_STEP_KEY:
        return pg_build_key(r, step->table, out, err);
    case PG_STEP_INDEX:
        return build_index(r, step, out, err);
    case PG_STEP_REFER:
        return pg_refer(r, step->table, step->ref, err);
    case PG_STEP_FOREIGN:
        return pg_check_foreign(r, step->table, step->ref, out, err);
    case PG_STEP_CARRY:
        return pg_carry_indexes(r, t, err);
    case PG_STEP_PLAIN:
        return drop_position(r, t, err);
    case PG_STEP_ANALYZE:
        return analyze(r, t, err);
    case PG_STEP_TOTAL:
        return total(r, step->table, out, err);
    case PG_STEP_KINDS:
        break;
    }
    return RC_OK;
}

enum rc pg_totals_read(struct pg_run *r, struct sink_report *report, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_query_run(
        r, "SELECT name, rows, bytes FROM renorm.table_total WHERE run = $1", &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        for (uint32_t t = 0; report->tables && t < r->schema->ntables; t++) {
            if (!str_eq(r->schema->tables[t].name, pg_text(res, i, 0)))
                continue;
            report->tables[t].rows = (uint64_t)pg_number(res, i, 1);
            report->tables[t].bytes = (uint64_t)pg_number(res, i, 2);
        }
    }
    PQclear(res);
    return rc;
}
