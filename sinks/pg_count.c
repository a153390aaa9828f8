/* SPDX-License-Identifier: MIT */
/*
 * The last look before anything is made of the rows: what the tables hold must be what the commits
 * of all processes say they put there. It cannot differ unless something is broken, here or in the
 * server, or somebody has been at the staging tables; then nothing may be shown to readers.
 */
#include <string.h>

#include "sinks/pg_finish.h"

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

static void compare(struct buf *b, struct str name, long long held, uint64_t counted)
{
    if ((uint64_t)held == counted)
        return;
    buf_puts(b, b->len ? ", " : "");
    buf_addf(b, "\"%.*s\" holds %lld rows, the ledger counts %llu", STR_FMT(name), held,
             (unsigned long long)counted);
}

enum rc pg_count_held(struct pg_run *r, struct pg_outcome *out, struct err *err)
{
    const uint32_t n = r->schema->ntables;
    struct buf what;
    PGresult *res = NULL;
    buf_init(&what, 700);
    enum rc rc = pg_ledger_counters(r, r->counters, err);
    if (!rc)
        rc = count_all(r, &res, err);
    const uint64_t *c = r->counters;
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
