/* SPDX-License-Identifier: MIT */
/* A reader of rows whose lines are written down in the test: a sink that needs no sink. */
#ifndef HARNESS_MEMORY_ROWS_H
#define HARNESS_MEMORY_ROWS_H

#include "pipeline/compare/rows_reader.h"

enum { MEMORY_TABLES = 2 };

struct memory_rows {
    struct rows_reader base;
    const char *const *of[MEMORY_TABLES]; /* by table; each ends with NULL */
    const char *lacks[MEMORY_TABLES];
    struct rowless_items rowless;
    unsigned starts;  /* how often a table was begun */
    unsigned lines;   /* how many lines it gave, of all tables */
    unsigned fail_at; /* it fails when it has given so many; 0: never */
    const char *const *at;
};

/* Gives it its ops; the caller sets the rest, and owns it. */
struct rows_reader *memory_rows(struct memory_rows *m);

#endif
