/* SPDX-License-Identifier: MIT */
/*
 * A table that the model has no more would go with the old result: it has lost all its rows. Tables
 * of conflicts are no loss, the fewer rows the better.
 */
#include "pipeline/run/guards.h"

#include <stdio.h>

#include "pipeline/run/run.h"
#include "pipeline/run/shown.h"

static bool may_shrink(const struct guards *g, struct str table)
{
    for (size_t i = 0; i < g->ntables; i++) {
        if (str_eq(g->tables[i], table))
            return true;
    }
    return g->shrink;
}

bool guards_shrunk(const struct guards *g, struct str table, uint64_t was, uint64_t is)
{
    if (was < GUARDS_ROWS || is >= was || may_shrink(g, table))
        return false;
    return (double)(was - is) > g->max_shrink / 100.0 * (double)was;
}

void guards_hold(struct verdict *v, struct str table, const char *what)
{
    char but[VERDICT_BUT];
    (void)snprintf(but, sizeof but, "--allow shrink:%.*s", STR_FMT(table));
    verdict_hold(v, but, "table \"%.*s\" %s", STR_FMT(table), what);
}

static const struct table *find_table(const struct schema *s, struct str name)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        if (str_eq(s->tables[i].name, name))
            return &s->tables[i];
    }
    return NULL;
}

static void check_gone(const struct guards *g, const struct shown_table *was,
                       struct run_result *out)
{
    char what[128];
    (void)snprintf(what, sizeof what, "is not in this model, its %llu rows would go",
                   (unsigned long long)was->rows);
    if (guards_shrunk(g, was->name, was->rows, 0)) {
        guards_hold(&out->verdict, was->name, what);
    } else {
        sink_note(&out->report,
                  "table \"%.*s\" (%llu rows) is not in this model: it goes with the result "
                  "that is replaced",
                  STR_FMT(was->name), (unsigned long long)was->rows);
    }
}

static void check_table(const struct guards *g, const struct schema *schema,
                        const struct shown_table *was, struct run_result *out)
{
    char what[128];
    const struct table *t = find_table(schema, was->name);
    if (!t) {
        check_gone(g, was, out);
        return;
    }
    uint64_t is = out->report.tables[t - schema->tables].rows;
    /* of an empty source one reason is enough, and whoever allows it means all tables */
    bool empty = out->counters[CNT_READ] == 0;
    if (empty || t->kind == TABLE_CONFLICT || !guards_shrunk(g, was->name, was->rows, is))
        return;
    (void)snprintf(what, sizeof what, "shrank from %llu to %llu rows, by more than %g%%",
                   (unsigned long long)was->rows, (unsigned long long)is, g->max_shrink);
    guards_hold(&out->verdict, was->name, what);
}

enum rc guards_check(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    struct sink *sink = setup->sink;
    struct shown shown;
    if (sink->effect != SINK_REPLACES || !sink->ops->shown)
        return RC_OK;
    shown_init(&shown);
    enum rc rc = sink->ops->shown(sink, &shown, err);
    bool empty = !rc && shown.any && out->counters[CNT_READ] == 0 && !setup->guards.empty;
    if (empty)
        verdict_hold(&out->verdict, "--allow empty", "the source is empty: 0 items");
    for (size_t i = 0; !rc && i < shown.n; i++)
        check_table(&setup->guards, &setup->plan->schema, &shown.tables[i], out);
    shown_release(&shown);
    return rc;
}
