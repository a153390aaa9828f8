/* SPDX-License-Identifier: MIT */
/* What is wrong with a model: all of it, each with its place, told at once. */
#ifndef MODEL_PROBLEMS_H
#define MODEL_PROBLEMS_H

#include <stdint.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/base/err.h"

struct place {
    uint32_t line, column; /* from 1; 0: not known */
};

struct problem {
    struct place place;
    const char *text; /* may hold a second line "hint: ..." */
    struct problem *next;
};

struct problems {
    struct arena arena;
    struct problem *first, *last;
    size_t count;
};

void problems_init(struct problems *p);
void problems_release(struct problems *p);
void problems_add(struct problems *p, struct place at, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* RC_OK if there are none; else the error that says how many, or that there was no memory. */
enum rc problems_verdict(const struct problems *p, bool nomem, struct err *err) MUST_CHECK;

/* Appends "NAME:LINE:COLUMN: TEXT\n" for each, ordered by place. */
void problems_print(const struct problems *p, const char *name, struct buf *out);

#endif
