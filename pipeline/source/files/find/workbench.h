/* SPDX-License-Identifier: MIT */
/* The tables of a NoSQL Workbench model: one file holds the items of several. */
#ifndef FILES_FIND_WORKBENCH_H
#define FILES_FIND_WORKBENCH_H

#include "pipeline/base/arena.h"
#include "pipeline/source/files/input.h"

/* Could a document that begins like this be one? */
bool workbench_begins(struct str head);

/*
 * Reads the whole file once for its tables. With a table named only that one is read from then on: in->table
 * and in->table_index are set. Without, and if there are several, a sentence that lists them is appended
 * to `notice`. RC_USAGE: it has no such table, or none at all.
 */
enum rc workbench_look(struct input *in, struct str table, struct arena *a, struct buf *notice,
                       struct err *err) MUST_CHECK;

#endif
