/* SPDX-License-Identifier: MIT */
/*
 * Guards against a bad night: a source without items, or a table that lost most of its rows, is more
 * likely an accident than the truth. They stand where showing a run takes rows away that readers
 * see; what they find is a reason to hold it.
 */
#ifndef RUN_GUARDS_H
#define RUN_GUARDS_H

#include "pipeline/run/sink.h"

/* Smaller tables may come and go. */
enum { GUARDS_ROWS = 100 };

struct guards {
    double max_shrink;        /* in percent of the rows that were there */
    bool empty, shrink;       /* allowed, whatever the source and the tables do */
    const struct str *tables; /* borrowed: these may shrink */
    size_t ntables;
};

/* Would losing all but `is` of `was` rows be too much for this table? */
bool guards_shrunk(const struct guards *g, struct str table, uint64_t was, uint64_t is);

/* Holds the run because it would take the rows of a table: `what` says how, for people. */
void guards_hold(struct verdict *v, struct str table, const char *what);

struct run_setup;
struct run_result;

/*
 * Compares what the run has read and made with what the sink shows now. Tables that go with the old
 * result though no guard stands before them are told in the report.
 */
enum rc guards_check(const struct run_setup *setup, struct run_result *out,
                     struct err *err) MUST_CHECK;

#endif
