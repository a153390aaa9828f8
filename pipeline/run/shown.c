/* SPDX-License-Identifier: MIT */
/* All of it lives in one arena. */
#include "pipeline/run/shown.h"

void shown_init(struct shown *s)
{
    *s = (struct shown){0};
    arena_init(&s->texts, 4096);
}

void shown_release(struct shown *s)
{
    arena_release(&s->texts);
    *s = (struct shown){0};
}

enum rc shown_add(struct shown *s, struct str name, uint64_t rows, struct err *err)
{
    struct shown_table *v = arena_push(&s->texts, s->tables, s->n, &s->cap, 16, sizeof *v);
    struct str kept = arena_dup(&s->texts, name);
    if (!v || !kept.p)
        return err_nomem(err);
    s->tables = v;
    s->tables[s->n++] = (struct shown_table){kept, rows};
    s->any = s->any || rows > 0;
    return RC_OK;
}
