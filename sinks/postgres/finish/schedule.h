/* SPDX-License-Identifier: MIT */
/*
 * Which finish step may be done next, by whoever is free: what it needs is done, no step under way
 * holds its tables against it, and of all such it is the one with most work behind it.
 */
#ifndef SINKS_POSTGRES_FINISH_SCHEDULE_H
#define SINKS_POSTGRES_FINISH_SCHEDULE_H

#include "sinks/postgres/finish/steps.h"

enum pg_step_state { PG_STEP_WAITS = 0, PG_STEP_UNDER_WAY, PG_STEP_DONE };

struct pg_schedule {
    const struct pg_steps *steps;
    const struct schema *schema;
    enum pg_step_state *state;
    double *work;     /* of each step; rows are its unit */
    uint32_t *order;  /* steps, those with most work behind them first */
    int32_t *open;    /* table by table: steps of each kind that are not done */
    uint32_t *locked; /* table by table: steps under way that hold it, by the way they do */
    int32_t open_all[PG_STEP_KINDS];
    uint32_t left; /* not done */
};

/* `rows` of each table. Borrows steps and schema. */
enum rc pg_schedule_init(struct pg_schedule *s, const struct schema *schema,
                         const struct pg_steps *steps, const uint64_t *rows,
                         struct err *err) MUST_CHECK;
void pg_schedule_release(struct pg_schedule *s);

/* schedule_order.c: fills work and order. */
enum rc pg_schedule_order(struct pg_schedule *s, const uint64_t *rows,
                          struct err *err) MUST_CHECK;
/* The table a step is about; UINT32_MAX: about none. */
uint32_t pg_schedule_table(const struct pg_schedule *s, const struct pg_step *step);

/* False: nothing may be begun before a step that is under way is done. */
bool pg_schedule_take(struct pg_schedule *s, uint32_t *step);

/* What was taken is done, or given back. */
void pg_schedule_end(struct pg_schedule *s, uint32_t step, bool done);

/* The work of all steps, of those done, and of those under way. */
struct pg_schedule_work {
    double all, done;
};
struct pg_schedule_work pg_schedule_work(const struct pg_schedule *s);

#endif
