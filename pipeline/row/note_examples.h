/* SPDX-License-Identifier: MIT */
/* An example for what is counted: the first that any worker meets. Counters outlive a process in the
   ledger, examples do not: a resumed run may have counted something without one. */
#ifndef ROW_NOTE_EXAMPLES_H
#define ROW_NOTE_EXAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/str.h"

struct note_examples;

/* Returns owned, or NULL when out of memory: note_examples_free. */
struct note_examples *note_examples_new(uint32_t notes);
void note_examples_free(struct note_examples *x);

/* True while there is none. thread: any. */
bool note_examples_wanted(struct note_examples *x, uint32_t note);

/* Keeps a copy of the text, unless there is one already or no memory for it. thread: any. */
void note_examples_add(struct note_examples *x, uint32_t note, struct str text);

/* A view, valid until it is freed; empty: none. thread: main, when no worker runs. */
struct str note_examples_get(const struct note_examples *x, uint32_t note);

#endif
