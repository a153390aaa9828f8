/* SPDX-License-Identifier: MIT */
/*
 * The last look before anything is made of the rows: what the tables hold must be what the commits
 * of all processes say they put there. It cannot differ unless something is broken, here or in the
 * server, or somebody has been at the staging tables; then nothing may be shown to readers.
 */
#include "sinks/postgres/finish/finish.h"

static enum rc count(struct pg_run *r, struct str table, uint64_t *rows, struct err *err)
{
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 16);
    buf_puts(&sql, "SELECT count(*) FROM ");
    if (table.n) {
        pg_add_qualified(&sql, pg_name_view(&r->staging), table);
    } else {
        buf_addf(&sql, "renorm.reject WHERE run = %lld", r->run);
    }
    enum rc rc = buf_check(&sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *rows = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

/*
 * The server has said of each row that it took it, and of each commit that it is durable; the
 * ledger counts the same. Whoever wants no constraints wants speed: that is proof enough then. A
 * run that was resumed, shared or unlogged is looked at.
 */
static bool heard(const struct pg_run *r, uint32_t i, uint64_t counted)
{
    return r->opts.no_constraints && !r->unlogged && r->heard[i] == counted;
}

static enum rc compare(struct pg_run *r, struct str table, uint64_t held, uint64_t counted,
                       struct err *err)
{
    if (held == counted)
        return RC_OK;
    err_set(err, RC_SINK,
            "the rows of run %lld are not those that were committed: \"%.*s\" holds %llu rows, "
            "the ledger counts %llu",
            r->run, STR_FMT(table), (unsigned long long)held, (unsigned long long)counted);
    return err_hint(err, "nothing was published; --restart loads everything anew");
}

enum rc pg_count_held(struct pg_run *r, uint32_t table, struct pg_outcome *out, struct err *err)
{
    struct str name = r->schema->tables[table].name;
    uint64_t counted = r->counters[CNT_FIXED + table];
    out->amount = counted;
    if (heard(r, table, counted))
        return RC_OK;
    enum rc rc = count(r, name, &out->amount, err);
    return rc ? rc : compare(r, name, out->amount, counted, err);
}

enum rc pg_count_rejects(struct pg_run *r, struct pg_outcome *out, struct err *err)
{
    uint64_t counted = r->counters[CNT_REJECTED] + r->counters[CNT_UNROUTED];
    out->amount = counted;
    if (heard(r, r->schema->ntables, counted))
        return RC_OK;
    enum rc rc = count(r, STR(""), &out->amount, err);
    return rc ? rc : compare(r, STR("renorm.reject"), out->amount, counted, err);
}
