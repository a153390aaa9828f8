/* SPDX-License-Identifier: MIT */
/* What readers see before a run is shown to them, as far as the guards ask. */
#ifndef RUN_SHOWN_H
#define RUN_SHOWN_H

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"

struct shown_table {
    struct str name; /* as the model has it */
    uint64_t rows;
};

struct shown {
    struct shown_table *tables; /* those whose rows will go, or give way */
    size_t n, cap;
    bool any; /* there are rows that could be lost */
    struct arena texts;
};

void shown_init(struct shown *s);
void shown_release(struct shown *s);

/* Copies the name. */
enum rc shown_add(struct shown *s, struct str name, uint64_t rows, struct err *err) MUST_CHECK;

#endif
