/* SPDX-License-Identifier: MIT */
/* The profile of a run in the ledger, one row for each of its records. */
#include "sinks/postgres/finish/finish.h"
#include "sql.inc"

static enum rc last_once(struct pg_run *r, struct buf *json, struct err *err)
{
    char run[24];
    const char *params[] = {r->schema_name.text, run};
    PGresult *res = NULL;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_query(r->pg, sql_shape_last, params, 2, &res, err);
    buf_clear(json);
    if (!rc && PQntuples(res) == 1)
        buf_add_str(json, pg_text(res, 0, 0));
    PQclear(res);
    return rc ? rc : buf_check(json, err);
}

enum rc pg_shape_last(struct pg_run *r, struct buf *json, struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = last_once(r, json, err);
    return rc;
}

/* The run's row is locked by a statement of its own: the next one then sees what another process
   that joined the run has kept meanwhile, and takes its place. */
static enum rc keep_once(struct pg_run *r, const char *json, struct err *err)
{
    char run[24];
    const char *params[] = {run, json};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc) {
        rc = pg_query_run(r, "SELECT FROM renorm.run WHERE run = $1 FOR NO KEY UPDATE", NULL,
                          err);
    }
    if (!rc)
        rc = pg_query(r->pg, sql_shape_keep, params, 2, NULL, err);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

enum rc pg_shape_keep(struct pg_run *r, struct str json, struct err *err)
{
    struct pg_attempts attempts = {0};
    struct arena a;
    if (r->already) /* its own shape stays, and it may have left the ledger */
        return RC_OK;
    arena_init(&a, json.n + 64);
    const char *text = arena_cstr(&a, json);
    enum rc rc = text ? RC_OK : err_nomem(err);
    while (text && pg_attempts_next(&attempts, r, &rc, err))
        rc = keep_once(r, text, err);
    arena_release(&a);
    return rc;
}

static uint32_t place_of(const struct schema *s, struct str name)
{
    uint32_t i = 0;
    while (i < s->nentities + s->ntables && !str_eq(extras_place_name(s, i), name))
        i++;
    return i;
}

static enum val_kind kind_of(struct str name)
{
    unsigned k = VAL_S;
    while (k < PROFILE_KINDS && !str_is(name, value_kind_name((enum val_kind)k)))
        k++;
    return k < PROFILE_KINDS ? (enum val_kind)k : VAL_MISSING;
}

enum rc pg_shape_extras(struct pg_run *r, struct extras *out, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_query_run(r, sql_shape_extras, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        struct extra x = {.name = pg_text(res, i, 1), .example = pg_text(res, i, 4)};
        x.counts[kind_of(pg_text(res, i, 2))] = (uint64_t)pg_number(res, i, 3);
        if (extras_add(out, place_of(r->schema, pg_text(res, i, 0)), &x))
            rc = err_nomem(err);
    }
    PQclear(res);
    return rc;
}
