/* SPDX-License-Identifier: MIT */
/*
 * The last look before anything is made of the rows: what the tables hold must be what the commits
 * of all processes say they put there. It cannot differ unless something is broken, here or in the
 * server, or somebody has been at the staging tables; then nothing may be shown to readers.
 */
#include <string.h>

#include "sinks/postgres/finish/finish.h"

/* Row i: how many rows table i holds; the last: rejected and unrouted items. */
static enum rc count_all(struct pg_run *r, PGresult **res, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 24);
    buf_puts(&sql, "SELECT n FROM (");
    for (uint32_t i = 0; i < r->schema->ntables; i++) {
        buf_addf(&sql, "SELECT %u AS i, count(*) AS n FROM ", i);
        pg_add_qualified(&sql, pg_name_view(&r->staging), r->schema->tables[i].name);
        buf_puts(&sql, " UNION ALL ");
    }
    buf_addf(&sql,
             "SELECT %u, count(*) FROM renorm.reject WHERE run = %lld) AS held ORDER BY i",
             r->schema->ntables, r->run);
    enum rc rc = buf_check(&sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, res, err);
    buf_release(&sql);
    return rc;
}

/*
 * The server has said of each row that it took it, and of each commit that it is durable; the
 * ledger counts the same. Whoever wants no constraints wants speed: that is proof enough then. A
 * run that was resumed, shared or unlogged is looked at.
 */
static bool all_heard(const struct pg_run *r)
{
    const uint64_t *c = r->counters;
    const uint32_t n = r->schema->ntables;
    bool all = r->opts.no_constraints && !r->unlogged &&
               r->heard[n] == c[CNT_REJECTED] + c[CNT_UNROUTED];
    for (uint32_t i = 0; i < n && all; i++)
        all = r->heard[i] == c[CNT_FIXED + i];
    return all;
}

static void compare(struct buf *b, struct str name, long long held, uint64_t counted)
{
    if ((uint64_t)held == counted)
        return;
    buf_puts(b, b->len ? ", " : "");
    buf_addf(b, "\"%.*s\" holds %lld rows, the ledger counts %llu", STR_FMT(name), held,
             (unsigned long long)counted);
}

static enum rc look(struct pg_run *r, struct pg_outcome *out, struct err *err)
{
    const uint32_t n = r->schema->ntables;
    const uint64_t *c = r->counters;
    struct buf what;
    PGresult *res = NULL;
    buf_init(&what, 700);
    enum rc rc = count_all(r, &res, err);
    for (uint32_t i = 0; !rc && i < n; i++) {
        out->amount += (uint64_t)pg_number(res, (int)i, 0);
        compare(&what, r->schema->tables[i].name, pg_number(res, (int)i, 0), c[CNT_FIXED + i]);
    }
    if (!rc) {
        compare(&what, STR("renorm.reject"), pg_number(res, (int)n, 0),
                c[CNT_REJECTED] + c[CNT_UNROUTED]);
    }
    if (!rc && (what.len > 0 || what.rc)) {
        rc = err_set(err, RC_SINK,
                     "the rows of run %lld are not those that were committed: %.*s%s", r->run,
                     (int)what.len, what.p, what.rc ? "..." : "");
        err_hint(err, "nothing was published; --restart loads everything anew");
    }
    PQclear(res);
    buf_release(&what);
    return rc;
}

enum rc pg_count_held(struct pg_run *r, struct pg_outcome *out, struct err *err)
{
    enum rc rc = pg_ledger_counters(r, r->counters, err);
    if (rc || !all_heard(r))
        return rc ? rc : look(r, out, err);
    for (uint32_t i = 0; i < r->schema->ntables; i++)
        out->amount += r->heard[i];
    return RC_OK;
}
