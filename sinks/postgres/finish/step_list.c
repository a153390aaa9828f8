/* SPDX-License-Identifier: MIT */
/*
 * The list of steps, in an order in which they could be done one by one; what each of them needs is
 * said in schedule.c. Copies are reduced before keys are checked, but after the keys of the items
 * that they are held against; rows are logged before they have keys, keys are there before anything
 * refers to them, and positions stay until no example needs them any more.
 */
#include "pipeline/base/memory.h"
#include "sinks/postgres/finish/steps.h"
#include "sinks/postgres/ledger/make_run.h"

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

static enum rc add_indexes(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        for (uint32_t k = 0; !rc && k < r->schema->tables[i].nreferences; k++)
            rc = add_step(steps, PG_STEP_INDEX, i, k, err);
    }
    return rc;
}

static enum rc add_foreign(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        for (uint32_t k = 0; !rc && k < r->schema->tables[i].nreferences; k++) {
            if (!pg_ddl_can_refer(r->schema, i, k))
                continue;
            rc = add_step(steps, PG_STEP_REFER, i, k, err);
            if (!rc)
                rc = add_step(steps, PG_STEP_FOREIGN, i, k, err);
        }
    }
    return rc;
}

static enum rc add_constraints(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = add_tables(steps, r, PG_STEP_KEY, keyed, err);
    if (!rc)
        rc = add_indexes(steps, r, err);
    if (!rc)
        rc = add_foreign(steps, r, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_CARRY, any, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_PLAIN, any, err);
    return rc;
}

static enum rc add_reductions(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->nextracts; i++) {
        if (!pg_extract_leads(r->schema, i))
            continue;
        if (r->schema->extracts[i].rule == EXTRACT_MIRROR)
            rc = add_step(steps, PG_STEP_MIRRORS, i, 0, err);
        if (!rc)
            rc = add_step(steps, PG_STEP_REDUCE, i, 0, err);
    }
    return rc;
}

/* Tables to which no copies are added once their key stands. */
static enum rc add_early(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        if (keyed(&r->schema->tables[i]) && !pg_table_owned(r->schema, i))
            rc = add_step(steps, PG_STEP_EARLY, i, 0, err);
    }
    return rc;
}

/* Keys and what must be true of the rows for them. */
static enum rc add_checks(struct pg_steps *steps, const struct pg_run *r, bool replace,
                          struct err *err)
{
    enum rc rc = replace ? add_early(steps, r, err) : RC_OK;
    /* parents come first, since the children of losing copies go with them */
    if (!rc)
        rc = add_parents(steps, r, false, err);
    if (!rc)
        rc = add_tables(steps, r, PG_STEP_DUPLICATES, keyed_child, err);
    if (!rc && replace) {
        rc = add_constraints(steps, r, err);
    } else if (!rc) {
        rc = add_tables(steps, r, PG_STEP_LONG, pg_may_be_long, err);
    }
    /* whoever wants no constraints wants speed; autovacuum gathers the statistics later */
    return rc ? rc : add_tables(steps, r, PG_STEP_ANALYZE, any, err);
}

enum rc pg_steps_make(struct pg_steps *steps, const struct pg_run *r, struct err *err)
{
    bool replace = r->opts.mode == PG_REPLACE, checked = !r->opts.no_constraints;
    enum rc rc = add_tables(steps, r, PG_STEP_COUNT, any, err);
    if (!rc)
        rc = add_step(steps, PG_STEP_REJECTS, 0, 0, err);
    /* copies are held against the item that stays, so of several with one key the others go first */
    if (!rc && checked)
        rc = add_parents(steps, r, true, err);
    if (!rc)
        rc = add_reductions(steps, r, err);
    /* candidates stay unlogged, so this step follows the last look at them: a crash before it
       begins the run anew, a crash after it finds all that is still needed */
    if (!rc && replace)
        rc = add_step(steps, PG_STEP_LOGGED, 0, 0, err);
    if (!rc && checked)
        rc = add_checks(steps, r, replace, err);
    return rc ? rc : add_tables(steps, r, PG_STEP_TOTAL, any, err);
}

static struct str about(const struct pg_run *r, const struct pg_step *step)
{
    const struct schema *s = r->schema;
    bool extract = step->kind == PG_STEP_REDUCE || step->kind == PG_STEP_MIRRORS;
    return s->tables[extract ? s->extracts[step->table].into : step->table].name;
}

void pg_step_name(struct buf *b, const struct pg_run *r, const struct pg_step *step)
{
    static const char *const names[PG_STEP_KINDS] = {
        "count", "rejects", "mirrors", "reduce",  "logged", "early", "duplicates", "long",
        "key",   "index",   "refer",   "foreign", "carry",  "plain", "analyze",    "total"};
    buf_puts(b, names[step->kind]);
    if (step->kind == PG_STEP_LOGGED || step->kind == PG_STEP_REJECTS)
        return;
    buf_putc(b, ' ');
    buf_add_str(b, about(r, step));
    if (step->kind == PG_STEP_INDEX || step->kind == PG_STEP_FOREIGN ||
        step->kind == PG_STEP_REFER) {
        struct pg_name name = pg_ddl_foreign_name(&r->schema->tables[step->table], step->ref);
        buf_addf(b, " %s", name.text);
    }
}

void pg_step_words(struct buf *b, const struct pg_run *r, const struct pg_step *step)
{
    static const char *const words[PG_STEP_KINDS] = {
        "counting ",      "counting rejected items",
        "mirrors of ",    "copies for ",
        "logging",        "key of ",
        "duplicates of ", "long values of ",
        "key of ",        "index of ",
        "reference of ",  "reference of ",
        "indexes of ",    "finishing ",
        "statistics of ", "size of "};
    buf_puts(b, words[step->kind]);
    if (step->kind == PG_STEP_LOGGED || step->kind == PG_STEP_REJECTS)
        return;
    buf_add_str(b, about(r, step));
}
