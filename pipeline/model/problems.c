/* SPDX-License-Identifier: MIT */
/*
 * A list in the order of finding, sorted by place when printed. A problem for which there is no
 * memory is still counted: a model with problems never passes for a good one.
 */
#include "pipeline/model/problems.h"

#include <stdarg.h>
#include <stdlib.h>

enum { TEXT_MAX = 65536 };

void problems_init(struct problems *p)
{
    *p = (struct problems){0};
    arena_init(&p->arena, 4096);
}

void problems_release(struct problems *p)
{
    arena_release(&p->arena);
    problems_init(p);
}

void problems_add(struct problems *p, struct place at, const char *fmt, ...)
{
    struct buf text;
    va_list ap;
    p->count++;
    buf_init(&text, TEXT_MAX);
    va_start(ap, fmt);
    buf_vaddf(&text, fmt, ap);
    va_end(ap);
    struct problem *new = ARENA_NEW(&p->arena, struct problem);
    const char *copy = arena_cstr(&p->arena, buf_view(&text));
    buf_release(&text);
    if (!new || !copy)
        return;
    *new = (struct problem){.place = at, .text = copy};
    if (p->last) {
        p->last->next = new;
    } else {
        p->first = new;
    }
    p->last = new;
}

enum rc problems_verdict(const struct problems *p, bool nomem, struct err *err)
{
    if (nomem)
        return err_nomem(err);
    if (!p->count)
        return RC_OK;
    return err_set(err, RC_USAGE, "the model has %zu %s", p->count,
                   p->count == 1 ? "error" : "errors");
}

struct entry {
    const struct problem *problem;
    size_t found; /* keeps the order of finding among those of one place */
};

static int by_place(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    struct place x = a->problem->place, y = b->problem->place;
    if (x.line != y.line)
        return x.line < y.line ? -1 : 1;
    if (x.column != y.column)
        return x.column < y.column ? -1 : 1;
    return a->found < b->found ? -1 : a->found > b->found;
}

static void print_one(const struct problem *p, const char *name, struct buf *out)
{
    if (p->place.line) {
        buf_addf(out, "%s:%u:%u: %s\n", name, p->place.line, p->place.column, p->text);
    } else {
        buf_addf(out, "%s: %s\n", name, p->text);
    }
}

void problems_print(const struct problems *p, const char *name, struct buf *out)
{
    size_t n = 0;
    struct entry *sorted = calloc(p->count ? p->count : 1, sizeof *sorted);
    for (const struct problem *one = p->first; one; one = one->next) {
        if (sorted) {
            sorted[n] = (struct entry){one, n};
        } else {
            print_one(one, name, out);
        }
        n++;
    }
    if (sorted) {
        qsort(sorted, n, sizeof *sorted, by_place);
        for (size_t i = 0; i < n; i++)
            print_one(sorted[i].problem, name, out);
    }
    free(sorted);
}
