/* SPDX-License-Identifier: MIT */
/*
 * What a step needs is said by kind and table, not step by step: of each table it is known how many
 * steps of each kind are left, so a model of a thousand tables costs no more than its list. How a
 * step holds its tables follows the server's own locks; a step that would wait for a lock would
 * keep a connection from better work.
 */
#include "sinks/postgres/finish/schedule.h"

#include <stdlib.h>
#include <string.h>

/* Ways to hold a table, and what else may hold it meanwhile. */
enum hold {
    HOLD_READ,   /* all but ALONE */
    HOLD_INDEX,  /* CREATE INDEX: READ and INDEX */
    HOLD_CHECK,  /* VALIDATE, ANALYZE: READ */
    HOLD_CHANGE, /* ADD FOREIGN KEY: READ */
    HOLD_ALONE,
    HOLDS
};

/* The tables of a step, and how it holds them. */
struct holds {
    uint32_t table[2];
    enum hold how[2];
    uint32_t n;
};

static void add_hold(struct holds *h, uint32_t table, enum hold how)
{
    if (table == UINT32_MAX || (h->n == 1 && h->table[0] == table))
        return;
    h->table[h->n] = table;
    h->how[h->n++] = how;
}

static enum hold how_held(enum pg_step_kind kind)
{
    switch (kind) {
    case PG_STEP_COUNT:
    case PG_STEP_MIRRORS:
    case PG_STEP_LONG:
    case PG_STEP_TOTAL:
        return HOLD_READ;
    case PG_STEP_INDEX:
    case PG_STEP_CARRY:
        return HOLD_INDEX;
    case PG_STEP_FOREIGN:
    case PG_STEP_ANALYZE:
        return HOLD_CHECK;
    case PG_STEP_REFER:
        return HOLD_CHANGE;
    case PG_STEP_LOGGED:
    case PG_STEP_REJECTS:
    case PG_STEP_REDUCE:
    case PG_STEP_EARLY:
    case PG_STEP_DUPLICATES:
    case PG_STEP_KEY:
    case PG_STEP_PLAIN:
    case PG_STEP_KINDS:
        break;
    }
    return HOLD_ALONE;
}

static bool of_extract(enum pg_step_kind kind)
{
    return kind == PG_STEP_REDUCE || kind == PG_STEP_MIRRORS;
}

uint32_t pg_schedule_table(const struct pg_schedule *s, const struct pg_step *step)
{
    if (step->kind == PG_STEP_LOGGED || step->kind == PG_STEP_REJECTS)
        return UINT32_MAX;
    return of_extract(step->kind) ? s->schema->extracts[step->table].into : step->table;
}

static struct holds holds_of(const struct pg_schedule *s, const struct pg_step *step)
{
    struct holds h = {.n = 0};
    enum hold how = how_held(step->kind);
    add_hold(&h, pg_schedule_table(s, step), how);
    if (step->kind == PG_STEP_REDUCE)
        add_hold(&h, s->schema->extracts[step->table].conflict, how);
    if (step->kind == PG_STEP_REFER || step->kind == PG_STEP_FOREIGN) {
        add_hold(&h, s->schema->tables[step->table].references[step->ref].to,
                 step->kind == PG_STEP_REFER ? HOLD_CHANGE : HOLD_READ);
    }
    return h;
}

static int32_t *open_of(const struct pg_schedule *s, uint32_t table, enum pg_step_kind kind)
{
    return &s->open[(size_t)table * PG_STEP_KINDS + kind];
}

static uint32_t *locked_of(const struct pg_schedule *s, uint32_t table, enum hold how)
{
    return &s->locked[(size_t)table * HOLDS + how];
}

static bool may_hold(const struct pg_schedule *s, uint32_t table, enum hold how)
{
    const uint32_t *l = locked_of(s, table, HOLD_READ);
    bool changing = l[HOLD_ALONE] || l[HOLD_CHANGE] || l[HOLD_CHECK];
    switch (how) {
    case HOLD_READ:
        return !l[HOLD_ALONE];
    case HOLD_INDEX:
        return !changing;
    case HOLD_CHECK:
    case HOLD_CHANGE:
        return !changing && !l[HOLD_INDEX];
    case HOLD_ALONE:
    case HOLDS:
        break;
    }
    return !changing && !l[HOLD_INDEX] && !l[HOLD_READ];
}

/* Are all steps of these kinds done? The list ends with PG_STEP_KINDS. */
static bool none_open(const struct pg_schedule *s, uint32_t table,
                      const enum pg_step_kind *kinds)
{
    for (; *kinds != PG_STEP_KINDS; kinds++) {
        if (*open_of(s, table, *kinds))
            return false;
    }
    return true;
}

/* Rows of a table stay what they are. */
static bool rows_stand(const struct pg_schedule *s, uint32_t t)
{
    return none_open(
        s, t, (const enum pg_step_kind[]){PG_STEP_DUPLICATES, PG_STEP_REDUCE, PG_STEP_KINDS});
}

static bool duplicates_ready(const struct pg_schedule *s, uint32_t t)
{
    const struct table *table = &s->schema->tables[t];
    if (s->open_all[PG_STEP_COUNT] || *open_of(s, t, PG_STEP_EARLY))
        return false;
    /* the children of losing rows go with them */
    if (table->kind == TABLE_CHILD && table->parent != UINT32_MAX &&
        *open_of(s, table->parent, PG_STEP_DUPLICATES))
        return false;
    return pg_table_owned(s->schema, t) ||
           (!s->open_all[PG_STEP_LOGGED] && !*open_of(s, t, PG_STEP_REDUCE));
}

/* Steps that need the rows of a table as they were loaded and reduced. */
static bool table_ready(const struct pg_schedule *s, uint32_t i)
{
    const struct pg_step *step = &s->steps->v[i];
    const uint32_t t = step->table;
    switch (step->kind) {
    case PG_STEP_EARLY:
    case PG_STEP_INDEX:
        return !*open_of(s, t, PG_STEP_REDUCE);
    case PG_STEP_LONG:
        return rows_stand(s, t);
    case PG_STEP_KEY:
        return rows_stand(s, t) && !*open_of(s, t, PG_STEP_LONG);
    case PG_STEP_REFER:
        return rows_stand(s, t) && !s->open_all[PG_STEP_COUNT] &&
               !*open_of(s, s->schema->tables[t].references[step->ref].to, PG_STEP_KEY);
    case PG_STEP_FOREIGN:
        return s->state[i - 1] == PG_STEP_DONE; /* its REFER */
    case PG_STEP_CARRY:
        return rows_stand(s, t) && none_open(s, t,
                                             (const enum pg_step_kind[]){
                                                 PG_STEP_KEY, PG_STEP_INDEX, PG_STEP_KINDS});
    case PG_STEP_PLAIN:
        return rows_stand(s, t) &&
               none_open(s, t,
                         (const enum pg_step_kind[]){PG_STEP_COUNT, PG_STEP_KEY, PG_STEP_INDEX,
                                                     PG_STEP_FOREIGN, PG_STEP_CARRY,
                                                     PG_STEP_KINDS});
    case PG_STEP_ANALYZE:
        return rows_stand(s, t) && !*open_of(s, t, PG_STEP_CARRY);
    case PG_STEP_TOTAL:
    case PG_STEP_LOGGED:
    case PG_STEP_COUNT:
    case PG_STEP_REJECTS:
    case PG_STEP_MIRRORS:
    case PG_STEP_REDUCE:
    case PG_STEP_DUPLICATES:
    case PG_STEP_KINDS:
        break;
    }
    for (int k = 0; k < PG_STEP_KINDS; k++) {
        if (k != PG_STEP_TOTAL && *open_of(s, t, (enum pg_step_kind)k))
            return false;
    }
    return true;
}

static bool ready(const struct pg_schedule *s, uint32_t i)
{
    const struct pg_step *step = &s->steps->v[i];
    const bool counted = s->open_all[PG_STEP_COUNT] == 0;
    uint32_t into;
    switch (step->kind) {
    case PG_STEP_COUNT:
    case PG_STEP_REJECTS:
        return true;
    case PG_STEP_MIRRORS:
        return counted;
    case PG_STEP_REDUCE:
        into = s->schema->extracts[step->table].into;
        return counted && !*open_of(s, into, PG_STEP_MIRRORS) &&
               (!pg_table_owned(s->schema, into) || !*open_of(s, into, PG_STEP_DUPLICATES));
    case PG_STEP_LOGGED:
        return counted && !s->open_all[PG_STEP_MIRRORS] && !s->open_all[PG_STEP_REDUCE];
    case PG_STEP_DUPLICATES:
        return duplicates_ready(s, step->table);
    case PG_STEP_EARLY:
    case PG_STEP_LONG:
    case PG_STEP_KEY:
    case PG_STEP_INDEX:
    case PG_STEP_REFER:
    case PG_STEP_FOREIGN:
    case PG_STEP_CARRY:
    case PG_STEP_PLAIN:
    case PG_STEP_ANALYZE:
    case PG_STEP_TOTAL:
    case PG_STEP_KINDS:
        break;
    }
    return !s->open_all[PG_STEP_LOGGED] && table_ready(s, i);
}

/* Adds to what is open of all tables that the step is about. */
static void open_by(struct pg_schedule *s, const struct pg_step *step, int32_t by)
{
    uint32_t t = pg_schedule_table(s, step);
    s->open_all[step->kind] += by;
    if (t != UINT32_MAX)
        *open_of(s, t, step->kind) += by;
    if (step->kind == PG_STEP_REDUCE && s->schema->extracts[step->table].conflict != UINT32_MAX)
        *open_of(s, s->schema->extracts[step->table].conflict, step->kind) += by;
}

enum rc pg_schedule_init(struct pg_schedule *s, const struct schema *schema,
                         const struct pg_steps *steps, const uint64_t *rows, struct err *err)
{
    const size_t n = (size_t)steps->n + 1, nt = (size_t)schema->ntables + 1;
    *s = (struct pg_schedule){.steps = steps, .schema = schema, .left = steps->n};
    s->state = calloc(n, sizeof *s->state);
    s->work = calloc(n, sizeof *s->work);
    s->order = calloc(n, sizeof *s->order);
    s->open = calloc(nt * PG_STEP_KINDS, sizeof *s->open);
    s->locked = calloc(nt * HOLDS, sizeof *s->locked);
    if (!s->state || !s->work || !s->order || !s->open || !s->locked)
        return err_nomem(err);
    for (uint32_t i = 0; i < steps->n; i++)
        open_by(s, &steps->v[i], 1);
    return pg_schedule_order(s, rows, err);
}

void pg_schedule_release(struct pg_schedule *s)
{
    free(s->state);
    free(s->work);
    free(s->order);
    free(s->open);
    free(s->locked);
    *s = (struct pg_schedule){0};
}

bool pg_schedule_take(struct pg_schedule *s, uint32_t *step)
{
    for (uint32_t k = 0; k < s->steps->n; k++) {
        uint32_t i = s->order[k];
        if (s->state[i] != PG_STEP_WAITS)
            continue;
        struct holds h = holds_of(s, &s->steps->v[i]);
        bool can = ready(s, i);
        for (uint32_t t = 0; can && t < h.n; t++)
            can = may_hold(s, h.table[t], h.how[t]);
        if (!can)
            continue;
        for (uint32_t t = 0; t < h.n; t++)
            ++*locked_of(s, h.table[t], h.how[t]);
        s->state[i] = PG_STEP_UNDER_WAY;
        *step = i;
        return true;
    }
    return false;
}

void pg_schedule_end(struct pg_schedule *s, uint32_t step, bool done)
{
    struct holds h = holds_of(s, &s->steps->v[step]);
    for (uint32_t t = 0; t < h.n; t++)
        --*locked_of(s, h.table[t], h.how[t]);
    s->state[step] = done ? PG_STEP_DONE : PG_STEP_WAITS;
    if (!done)
        return;
    open_by(s, &s->steps->v[step], -1);
    s->left--;
}

struct pg_schedule_work pg_schedule_work(const struct pg_schedule *s)
{
    struct pg_schedule_work w = {0};
    for (uint32_t i = 0; i < s->steps->n; i++) {
        w.all += s->work[i];
        w.done += s->state[i] == PG_STEP_DONE ? s->work[i] : 0;
    }
    return w;
}
