/* SPDX-License-Identifier: MIT */
/*
 * The simulator's own books: one line per request, and the check that the units consumed in any
 * window of time stay under a rate. A line is, separated by tabs: arrival (monotonic
 * microseconds; the kernel's stamp where there is one), operation, segment (-1 none), units,
 * HTTP status (0 = no answer), outcome, fault, index units, "on" for a Scan with a start key.
 */
#ifndef SIM_BOOKS_H
#define SIM_BOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct books {
    FILE *file; /* NULL: no books are kept */
};

struct books_line {
    int64_t arrival_us;
    struct str operation;
    int64_t segment;
    double units;
    int status;
    const char *outcome, *fault;
    double index_units;
    bool from_key; /* a Scan that does not begin its segment */
};

/* Opens a file of lines to write; NULL as the path: none. */
enum rc books_open(struct books *b, const char *path, struct err *err) MUST_CHECK;
void books_write(struct books *b, const struct books_line *line);

/* The body of a request: arrival, operation, outcome, the body as it came. */
void books_capture(struct books *b, const struct books_line *line, struct str body);

/* Lines are written whole; after a flush a reader sees all requests answered so far. */
void books_flush(struct books *b);
void books_close(struct books *b);

struct books_limit {
    double rate, slack;
    double page; /* 0 = the largest single request in the books */
    const char *operation;
};

/* Prints the worst window of 1 to 10 seconds; RC_DATA if a window is above
   rate * (T + 1 + slack) + page. */
enum rc books_check(const char *path, const struct books_limit *limit,
                    struct err *err) MUST_CHECK;

#endif
