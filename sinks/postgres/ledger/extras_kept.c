/* SPDX-License-Identifier: MIT */
/*
 * What went to `extra` is kept in the run's staging schema, commit by commit. When another process
 * has published the run that is gone, and the ledger has the sum.
 */
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/ledger/make_run.h"

/* True while the staging schema is there: it goes in the transaction that publishes the run, and
   that waits for this one. */
static enum rc staging_there(struct pg_run *r, bool *there, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc =
        pg_query_run(r, "SELECT state FROM renorm.run WHERE run = $1 FOR SHARE", &res, err);
    *there = !rc && PQntuples(res) == 1 && !str_is(pg_text(res, 0, 0), "published") &&
             !str_is(pg_text(res, 0, 0), "abandoned");
    PQclear(res);
    return rc;
}

static enum rc add_rows(const PGresult *res, struct extras *out, struct err *err)
{
    for (int i = 0; i < PQntuples(res); i++) {
        struct extra x = {.name = pg_text(res, i, 1), .example = pg_text(res, i, 6)};
        long long kind = pg_number(res, i, 2);
        if (kind < 0 || kind >= PROFILE_KINDS)
            return err_set(err, RC_SINK, "the ledger counts a type %lld, which is none", kind);
        x.counts[kind] = (uint64_t)pg_number(res, i, 3);
        x.at = (struct extra_place){(uint32_t)pg_number(res, i, 4),
                                    (uint64_t)pg_number(res, i, 5)};
        if (extras_add(out, (uint32_t)pg_number(res, i, 0), &x))
            return err_nomem(err);
    }
    return RC_OK;
}

static enum rc read_staging(struct pg_run *r, struct extras *out, struct err *err)
{
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 16);
    buf_puts(&sql, "SELECT e.place, e.name, e.kind, e.n, e.segment, e.item, e.example FROM ("
                   "SELECT place, name, kind, sum(n) OVER w AS n, segment, item, example, "
                   "row_number() OVER (w ORDER BY example IS NULL, segment, item) AS i FROM ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), PG_EXTRAS);
    buf_puts(&sql, " WINDOW w AS (PARTITION BY place, name, kind)) AS e WHERE e.i = 1");
    enum rc rc = buf_check(&sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    if (!rc)
        rc = add_rows(res, out, err);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

static enum rc read_once(struct pg_run *r, struct extras *out, struct err *err)
{
    bool there = false;
    extras_clear(out);
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc)
        rc = staging_there(r, &there, err);
    if (!rc)
        rc = there ? read_staging(r, out, err) : pg_shape_extras(r, out, err);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

enum rc pg_extras_read(struct pg_run *r, struct extras *out, struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = read_once(r, out, err);
    return rc;
}
