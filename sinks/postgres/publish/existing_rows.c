/* SPDX-License-Identifier: MIT */
/*
 * Append and merge meet rows that are there already. Rows made of copies never touch one, unless
 * it can only be made of copies itself and the newer ones are asked for; an item is taken whole or
 * not at all, and its children with it. What gives way leaves the staging tables, inside the
 * transaction that publishes: the statements that follow need not know.
 */
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"

/* How the staged rows of a table give way to those of the target. */
enum gives_way { NONE_GIVES_WAY, COPIES_GIVE_WAY, ALL_GIVE_WAY };

static bool owned(const struct schema *s, uint32_t table)
{
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == table && s->extracts[i].rule == EXTRACT_OWNER)
            return true;
    }
    return false;
}

/* A load that deletes what is missing shows what a full one would: copies stand for lost items. */
static enum gives_way way_of(const struct pg_run *r, uint32_t table)
{
    const struct table *t = &r->schema->tables[table];
    bool append = r->opts.mode == PG_APPEND, last = r->opts.duplicates == PG_DUP_LAST;
    if (t->nkey == 0 || t->kind == TABLE_CHILD || t->kind == TABLE_CONFLICT)
        return NONE_GIVES_WAY;
    if (append && r->opts.duplicates == PG_DUP_FIRST)
        return ALL_GIVE_WAY;
    if (t->kind == TABLE_EXTRACT)
        return append && !last ? ALL_GIVE_WAY : NONE_GIVES_WAY;
    return owned(r->schema, table) && !r->opts.delete_missing ? COPIES_GIVE_WAY
                                                              : NONE_GIVES_WAY;
}

static enum rc touch(struct pg_run *r, struct buf *sql, uint64_t *n, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = buf_check(sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(sql), NULL, 0, &res, err);
    if (!rc && n)
        *n += (uint64_t)pg_touched(res);
    PQclear(res);
    buf_clear(sql);
    return rc;
}

static void add_only_copies(struct buf *b, enum gives_way way, const char *alias)
{
    if (way == ALL_GIVE_WAY)
        return;
    buf_addf(b, " AND %s.", alias);
    pg_add_ident(b, PG_POS);
    buf_puts(b, " IS NULL");
}

/* Staged rows of `t`, as s, beside those of the target, as a, that have the same key: `joint` stands
   between the tables, `on` before the condition. */
static void add_same_key(struct buf *b, const struct pg_run *r, const struct table *t,
                         const char *joint, const char *on)
{
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
    buf_addf(b, " AS s%s", joint);
    pg_add_qualified(b, pg_name_view(&r->schema_name), t->name);
    buf_addf(b, " AS a %s ", on);
    pg_add_key_match(b, t, "a", "s");
}

/* Staged rows of `of`, children or conflicts, that belong to a row of `t` that gives way. */
static void add_delete_of(struct buf *b, const struct pg_run *r, const struct table *of,
                          const struct table *t, enum gives_way way)
{
    buf_puts(b, "DELETE FROM ");
    pg_add_qualified(b, pg_name_view(&r->staging), of->name);
    buf_puts(b, " AS c USING ");
    add_same_key(b, r, t, ", ", "WHERE");
    buf_puts(b, " AND ");
    pg_add_key_match(b, t, "s", "c");
    add_only_copies(b, way, "s");
}

static enum rc give_way(struct pg_run *r, uint32_t table, enum gives_way way, uint64_t *n,
                        struct err *err)
{
    const struct schema *s = r->schema;
    const struct table *t = &s->tables[table];
    struct buf sql;
    enum rc rc = RC_OK;
    buf_init(&sql, 1 << 20);
    for (uint32_t i = 0; !rc && i < s->ntables; i++) {
        if (pg_governs(s, i) != t)
            continue;
        add_delete_of(&sql, r, &s->tables[i], t, way);
        rc = touch(r, &sql, s->tables[i].kind == TABLE_CHILD ? n : NULL, err);
    }
    buf_puts(&sql, "DELETE FROM ");
    add_same_key(&sql, r, t, " USING ", "WHERE");
    add_only_copies(&sql, way, "s");
    if (!rc)
        rc = touch(r, &sql, n, err);
    buf_release(&sql);
    return rc;
}

/* Rows of the target that the staged ones will take the place of. */
static enum rc count_replaced(struct pg_run *r, const struct table *t, uint64_t *n,
                              struct err *err)
{
    PGresult *res = NULL;
    struct buf sql;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT count(*) FROM ");
    add_same_key(&sql, r, t, " JOIN ", "ON");
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *n += rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

enum rc pg_existing_rows(struct pg_run *r, struct sink_report *report, struct err *err)
{
    const struct schema *s = r->schema;
    bool last = r->opts.mode == PG_APPEND && r->opts.duplicates == PG_DUP_LAST;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && !r->opts.no_constraints && i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        enum gives_way way = way_of(r, i);
        if (way != NONE_GIVES_WAY)
            rc = give_way(r, i, way, &report->not_added, err);
        if (!rc && last && t->nkey > 0 && t->kind != TABLE_CHILD && t->kind != TABLE_CONFLICT)
            rc = count_replaced(r, t, &report->replaced, err);
    }
    return rc;
}
