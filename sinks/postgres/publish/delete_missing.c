/* SPDX-License-Identifier: MIT */
/*
 * --delete-missing: rows of the target go whose keys the source has no more. They are counted before
 * children of staged parents are put aside, so an element that left its list counts, too. Where
 * that is more of a table than the guards let go, the transaction is given up.
 */
#include "pipeline/run/guards.h"
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"

/* Rows of `t` in the target whose key of `by` no staged row of `by` has. */
static void add_delete(struct buf *b, const struct pg_run *r, const struct table *t,
                       const struct table *by)
{
    buf_puts(b, "DELETE FROM ");
    pg_add_qualified(b, pg_name_view(&r->schema_name), t->name);
    buf_puts(b, " AS a WHERE NOT EXISTS (SELECT FROM ");
    pg_add_qualified(b, pg_name_view(&r->staging), by->name);
    buf_puts(b, " AS s WHERE ");
    pg_add_key_match(b, by, "a", "s");
    buf_puts(b, ")");
}

static enum rc delete_from(struct pg_run *r, uint32_t table, uint64_t *deleted, struct err *err)
{
    const struct schema *s = r->schema;
    const struct table *t = &s->tables[table];
    const struct table *by = t->kind == TABLE_CONFLICT ? pg_governs(s, table) : t;
    PGresult *res = NULL;
    struct buf sql;
    *deleted = 0;
    if (!by || by->nkey == 0)
        return RC_OK;
    buf_init(&sql, 1 << 20);
    add_delete(&sql, r, t, by);
    enum rc rc = buf_check(&sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *deleted = rc ? 0 : (uint64_t)pg_touched(res);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

static void check_shrink(const struct table *t, uint64_t was, uint64_t deleted,
                         struct verdict *v)
{
    char what[128];
    if (!v->guards || !guards_shrunk(v->guards, t->name, was, was - deleted))
        return;
    (void)snprintf(what, sizeof what, "would lose %llu of its %llu rows, more than %g%%",
                   (unsigned long long)deleted, (unsigned long long)was, v->guards->max_shrink);
    guards_hold(v, t->name, what);
}

enum rc pg_delete_missing(struct pg_run *r, struct verdict *v, struct sink_report *report,
                          struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        uint64_t was = 0, deleted = 0;
        if (t->kind != TABLE_CONFLICT)
            rc = pg_target_rows(r, i, &was, err);
        if (!rc)
            rc = delete_from(r, i, &deleted, err);
        if (rc || t->kind == TABLE_CONFLICT)
            continue;
        report->deleted += deleted;
        check_shrink(t, was, deleted, v);
    }
    return !rc && v->held ? err_set(err, RC_FINISHED_BAD, "%s", v->why) : rc;
}
