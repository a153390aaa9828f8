/* SPDX-License-Identifier: MIT */
/*
 * What the steps do. Order matters: copies are reduced before keys are checked, but after the keys
 * of the items that they are held against; rows are logged before they have keys, keys are there
 * before anything refers to them, and positions stay until no example needs them any more.
 */
#include "sinks/postgres/finish/steps.h"

#include <string.h>

#include "pipeline/base/memory.h"
#include "sinks/postgres/ledger/make_run.h"
#include "sql.inc"

static enum rc add_step(struct pg_steps *steps, enum pg_step_kind kind, uint32_t table,
                        uint32_t ref, struct err *err)
{
    struct pg_step *v = memory_push(steps->v, steps->n, &steps->cap, 32, sizeof *v);
    if (!v)
        return err_nomem(err);
    steps->v = v;
    steps->v[steps->n++] = (struct pg_step){kind, table, ref};
    return RC_OK;
}

/* One step for each table that `wanted` picks. */
static enum rc add_tables(struct pg_steps *steps, const struct pg_run *r,
                          enum pg_step_kind kind, bool (*wanted)(const struct table *),
                          struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        if (wanted(&r->schema->tables[i]))
            rc = add_step(steps, kind, i, 0, err);
    }
    return rc;
}

static bool any(const struct table *t)
{
    (void)t;
    return true;
}

static bool keyed(const struct table *t)
{
    return t->nkey > 0 && t->kind != TABLE_CONFLICT;
}

bool pg_table_owned(const struct schema *s, uint32_t table)
{
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == table && s->extracts[i].rule == EXTRACT_OWNER)
            return true;
    }
    return false;
}

/* One step for each table that is no child and owned, or not. */
static enum rc add_parents(struct pg_steps *steps, const struct pg_run *r, bool are_owned,
                           struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        if (keyed(t) && t->kind != TABLE_CHILD && pg_table_owned(r->schema, i) == are_owned)
            rc = add_step(steps, PG_STEP_DUPLICATES, i, 0, err);
    }
    return rc;
}

static bool keyed_child(const struct table *t)
{
    return keyed(t) && t->kind == TABLE_CHILD;
}

static enum rc add_references(struct pg_steps *steps, const struct pg_run *r,
                              enum pg_step_kind kind, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        for (uint32_t k = 0; !rc && k < r->schema->tables[i].nreferences; k++) {
            if (kind == PG_STEP_INDEX || pg_ddl_can_refer(r->schema, i, k))
                rc = add_step(steps, kind, i, k, err);
        }
    }
    return rc;
}

static enum rc add_constraints(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = add_tables(steps, r, PG_STEP_KEY, keyed, err);
    if (!rc)
        rc = add_references(steps, r, PG_STEP_INDEX, err);
    if (!rc)
        rc = add_references(steps, r, PG_STEP_FOREIGN, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_CARRY, any, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_PLAIN, any, err);
    return rc;
}

enum rc pg_steps_make(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc;
    bool replace = r->opts.mode == PG_REPLACE, checked = !r->opts.no_constraints;
    rc = add_step(steps, PG_STEP_COUNT, 0, 0, err);
    /* copies are held against the item that stays, so of several with one key the others go first */
    if (!rc && checked)
        rc = add_parents(steps, r, true, err);
    for (uint32_t i = 0; !rc && i < r->schema->nextracts; i++) {
        if (!pg_extract_leads(r->schema, i))
            continue;
        if (r->schema->extracts[i].rule == EXTRACT_MIRROR)
            rc = add_step(steps, PG_STEP_MIRRORS, i, 0, err);
        if (!rc)
            rc = add_step(steps, PG_STEP_REDUCE, i, 0, err);
    }
    /* candidates stay unlogged, so this step follows the last look at them: a crash before it
       begins the run anew, a crash after it finds all that is still needed */
    if (!rc && replace)
        rc = add_step(steps, PG_STEP_LOGGED, 0, 0, err);
    /* parents come first, since the children of losing copies go with them */
    if (!rc && checked)
        rc = add_parents(steps, r, false, err);
    if (!rc && checked)
        rc = add_tables(steps, r, PG_STEP_DUPLICATES, keyed_child, err);
    if (!rc && checked)
        rc = add_tables(steps, r, PG_STEP_LONG, pg_may_be_long, err);
    if (!rc && checked && replace)
        rc = add_constraints(steps, r, err);
    /* whoever wants no constraints wants speed; autovacuum gathers the statistics later */
    if (!rc && checked)
        rc = add_step(steps, PG_STEP_ANALYZE, 0, 0, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_TOTAL, any, err);
    return rc;
}

void pg_step_name(struct buf *b, const struct pg_run *r, const struct pg_step *step)
{
    static const char *const names[] = {"logged", "count",   "mirrors", "reduce",  "duplicates",
                                        "long",   "key",     "index",   "foreign", "carry",
                                        "plain",  "analyze", "total"};
    const struct schema *s = r->schema;
    buf_puts(b, names[step->kind]);
    if (step->kind == PG_STEP_LOGGED || step->kind == PG_STEP_COUNT ||
        step->kind == PG_STEP_ANALYZE)
        return;
    buf_putc(b, ' ');
    if (step->kind == PG_STEP_REDUCE || step->kind == PG_STEP_MIRRORS) {
        buf_add_str(b, s->tables[s->extracts[step->table].into].name);
    } else {
        buf_add_str(b, s->tables[step->table].name);
    }
    if (step->kind == PG_STEP_INDEX || step->kind == PG_STEP_FOREIGN) {
        struct pg_name name = pg_ddl_foreign_name(&s->tables[step->table], step->ref);
        buf_addf(b, " %s", name.text);
    }
}

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

static enum rc build_index(struct pg_run *r, const struct pg_step *step, struct err *err)
{
    struct buf sql;
    enum rc rc = RC_OK;
    buf_init(&sql, 1 << 20);
    if (pg_ddl_index(&sql, pg_name_view(&r->staging), r->schema, step->table, step->ref))
        rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/* Rows that only ever came by COPY were counted by the first steps. */
static bool counted(const struct pg_run *r, uint32_t table)
{
    const struct schema *s = r->schema;
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == table || s->extracts[i].conflict == table)
            return false;
    }
    return r->opts.no_constraints;
}

static enum rc count_rows(struct pg_run *r, uint32_t table, const char *name, uint64_t *rows,
                          struct err *err)
{
    PGresult *res = NULL;
    struct buf sql;
    if (counted(r, table)) {
        enum rc rc = pg_ledger_counters(r, r->counters, err);
        *rows = r->counters[CNT_FIXED + table];
        return rc;
    }
    buf_init(&sql, 4096);
    buf_addf(&sql, "SELECT count(*) FROM %s", name);
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
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
    case PG_STEP_LOGGED:
        return make_logged(r, err);
    case PG_STEP_COUNT:
        return pg_count_held(r, out, err);
    case PG_STEP_MIRRORS:
        return pg_missing_mirrors(r, step->table, out, err);
    case PG_STEP_REDUCE:
        return pg_reduce(r, step->table, out, err);
    case PG_STEP_DUPLICATES:
        return pg_duplicates(r, step->table, out, err);
    case PG_STEP_LONG:
        return pg_check_long(r, step->table, out, err);
    case PG_STEP_KEY:
        return pg_build_key(r, step->table, err);
    case PG_STEP_INDEX:
        return build_index(r, step, err);
    case PG_STEP_FOREIGN:
        return pg_foreign_key(r, pg_name_view(&r->staging), step->table, step->ref, out, err);
    case PG_STEP_CARRY:
        return pg_carry_indexes(r, t, err);
    case PG_STEP_PLAIN:
        return drop_position(r, t, err);
    case PG_STEP_ANALYZE:
        return pg_analyze(r, err);
    case PG_STEP_TOTAL:
        return total(r, step->table, out, err);
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
