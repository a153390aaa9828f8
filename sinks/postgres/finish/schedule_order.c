/* SPDX-License-Identifier: MIT */
/* What the steps cost, and which of them come first. */
#include <stdlib.h>

#include "sinks/postgres/finish/schedule.h"

/* About what a step costs, as measured beside building a key, a row of which is one. */
static double work_of(const struct pg_schedule *s, const struct pg_step *step,
                      const uint64_t *rows, const bool *early)
{
    enum { SAMPLE = 30000 }; /* rows that ANALYZE looks at */
    static const double FACTORS[PG_STEP_KINDS] = {
        [PG_STEP_COUNT] = 0.05,  [PG_STEP_MIRRORS] = 1, [PG_STEP_REDUCE] = 4,
        [PG_STEP_EARLY] = 1,     [PG_STEP_LONG] = 0.1,  [PG_STEP_DUPLICATES] = 1,
        [PG_STEP_KEY] = 1,       [PG_STEP_INDEX] = 0.7, [PG_STEP_FOREIGN] = 0.5,
        [PG_STEP_ANALYZE] = 1.5,
    };
    enum { LITTLE = 200 }; /* as many rows as a transaction costs */
    uint32_t t = pg_schedule_table(s, step);
    if (t == UINT32_MAX)
        return LITTLE;
    bool stands = (step->kind == PG_STEP_DUPLICATES || step->kind == PG_STEP_KEY) && early[t];
    double n = stands ? 0 : (double)rows[t];
    if (step->kind == PG_STEP_ANALYZE && n > SAMPLE)
        n = SAMPLE;
    return LITTLE + FACTORS[step->kind] * n;
}

struct ranked {
    double rank;
    uint32_t step;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank > y->rank || x->rank < y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

/* Foreign keys wait for the keys of both sides: so whatever stands in their way comes first. Counts
   come before all, since what is not whole is not worth building on. */
static double rank_of(const struct pg_schedule *s, uint32_t i, const double *behind)
{
    const struct pg_step *step = &s->steps->v[i];
    uint32_t t = pg_schedule_table(s, step);
    if (step->kind == PG_STEP_COUNT || t == UINT32_MAX)
        return 1e18;
    bool last = step->kind == PG_STEP_INDEX || step->kind == PG_STEP_FOREIGN ||
                step->kind == PG_STEP_CARRY || step->kind == PG_STEP_PLAIN ||
                step->kind == PG_STEP_ANALYZE || step->kind == PG_STEP_TOTAL;
    return s->work[i] + (last ? 0 : behind[t]);
}

static void note_behind(const struct pg_schedule *s, uint32_t i, double *behind)
{
    const struct pg_step *step = &s->steps->v[i];
    if (step->kind != PG_STEP_FOREIGN)
        return;
    uint32_t sides[] = {step->table, s->schema->tables[step->table].references[step->ref].to};
    for (int k = 0; k < 2; k++) {
        if (behind[sides[k]] < s->work[i])
            behind[sides[k]] = s->work[i];
    }
}

static void rank_all(struct pg_schedule *s, struct ranked *v, double *behind)
{
    const uint32_t n = s->steps->n;
    for (uint32_t i = 0; i < n; i++)
        note_behind(s, i, behind);
    for (uint32_t i = 0; i < n; i++)
        v[i] = (struct ranked){rank_of(s, i, behind), i};
    qsort(v, n, sizeof *v, by_rank);
    for (uint32_t i = 0; i < n; i++)
        s->order[i] = v[i].step;
}

static enum rc put_in_order(struct pg_schedule *s, struct err *err)
{
    double *behind = calloc((size_t)s->schema->ntables + 1, sizeof *behind);
    struct ranked *v = calloc((size_t)s->steps->n + 1, sizeof *v);
    bool room = behind && v;
    if (room)
        rank_all(s, v, behind);
    free(behind);
    free(v);
    return room ? RC_OK : err_nomem(err);
}

static enum rc weigh(struct pg_schedule *s, const uint64_t *rows, struct err *err)
{
    bool *early = calloc((size_t)s->schema->ntables + 1, sizeof *early);
    if (!early)
        return err_nomem(err);
    for (uint32_t i = 0; i < s->steps->n; i++) {
        if (s->steps->v[i].kind == PG_STEP_EARLY)
            early[s->steps->v[i].table] = true;
    }
    for (uint32_t i = 0; i < s->steps->n; i++)
        s->work[i] = work_of(s, &s->steps->v[i], rows, early);
    free(early);
    return RC_OK;
}

enum rc pg_schedule_order(struct pg_schedule *s, const uint64_t *rows, struct err *err)
{
    enum rc rc = weigh(s, rows, err);
    return rc ? rc : put_in_order(s, err);
}
