/* SPDX-License-Identifier: MIT */
/*
 * Why items became no rows stands in the ledger, whichever process put them there. How many rows
 * have no parent is counted where the constraints are made; the ledger has examples of them.
 */
#include <stdio.h>

#include "sinks/postgres/postgres_private.h"
#include "sql.inc"

void pg_reasons_orphans(struct pg_run *r, uint32_t table, uint32_t ref, uint64_t n)
{
    const struct table *t = &r->schema->tables[table];
    struct pg_name name = pg_ddl_foreign_name(t, ref);
    struct reason one = {.name = pg_name_view(&name), .column = t->name, .count = n};
    struct err ignored;
    for (size_t i = 0; i < r->orphans.n; i++) {
        struct reason *old = &r->orphans.v[i];
        if (str_eq(old->name, one.name) && str_eq(old->column, one.column))
            old->count = one.count = 0; /* it is tried again, and counted anew */
    }
    one.count = n;
    if (n)
        (void)!reasons_add(&r->orphans, &one, &ignored);
}

static struct reason reject_of(const PGresult *res, int i)
{
    return (struct reason){.kind = str_is(pg_text(res, i, 0), "unrouted") ? REJECT_UNROUTED
                                                                          : REJECT_ITEM,
                           .name = pg_text(res, i, 1),
                           .column = pg_text(res, i, 2),
                           .count = (uint64_t)pg_number(res, i, 3),
                           .example = pg_text(res, i, 4)};
}

/* Of constraints that were counted, so the count stays. */
static struct reason orphan_of(const PGresult *res, int i)
{
    return (struct reason){.name = pg_text(res, i, 0),
                           .column = pg_text(res, i, 1),
                           .example = pg_text(res, i, 2)};
}

static enum rc read_all(struct pg_run *r, const char *sql,
                        struct reason (*one)(const PGresult *, int), struct reasons *out)
{
    char run[24];
    const char *params[] = {run};
    PGresult *res = NULL;
    struct err err = {0};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_query(r->pg, sql, params, 1, &res, &err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        struct reason found = one(res, i);
        rc = reasons_add(out, &found, &err);
    }
    PQclear(res);
    reasons_sort(out);
    return rc;
}

void pg_reasons_read(struct pg_run *r, struct sink_report *report)
{
    static const char EXAMPLES[] =
        "SELECT DISTINCT ON (1, 2) constraint_name, table_name, key::text FROM renorm.orphan "
        "WHERE run = $1 ORDER BY 1, 2, key::text COLLATE \"C\"";
    reasons_clear(&r->reasons);
    if (!read_all(r, sql_reject_reasons, reject_of, &r->reasons) && r->reasons.n) {
        report->reasons = &r->reasons;
        (void)snprintf(report->rejects_place, sizeof report->rejects_place,
                       "renorm.reject where run = %lld", r->run);
    }
    if (report->orphans && !read_all(r, EXAMPLES, orphan_of, &r->orphans)) {
        report->orphans_by = &r->orphans;
        (void)snprintf(report->orphans_place, sizeof report->orphans_place,
                       "renorm.orphan where run = %lld", r->run);
    }
}
