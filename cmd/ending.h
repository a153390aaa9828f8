/* SPDX-License-Identifier: MIT */
/*
 * What is left of a command for those who were not there: the summary, the metrics, and the first
 * and the last event of its log. They are written whatever becomes of the command, a wrong option included, so
 * that what stands in the file is always of the last call. main owns it; a command adds to it
 * what it alone knows.
 */
#ifndef CMD_ENDING_H
#define CMD_ENDING_H

#include "cmd/options.h"
#include "cmd/print/metrics.h"

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct ending {
    const char *command;     /* borrowed, as it was called */
    const struct options *o; /* borrowed; as far as they could be read */
    unsigned bit;            /* which command it is, 0: none that there is */
    int64_t start_us;        /* by the wall clock */
    int64_t start_mono_us;
    const char *over;   /* the option whose file is one that the command reads; NULL: none is */
    char inferred[128]; /* the model that was not named; empty: one was */
    char model_hash[65];    /* empty: no model was read */
    struct buf members;     /* of the summary: what the command says, a comma before each */
    struct metrics metrics; /* what the command counted */
};

/* Nothing is written or told yet, but from here on it will be told as --log says. */
void ending_init(struct ending *out, const char *command, unsigned bit,
                 const struct options *o);

/* Writes a summary that says that the command runs, and tells that it starts. RC_USAGE: it cannot
 * be written, or --log is wrong. */
enum rc ending_begin(struct ending *out, struct err *err) MUST_CHECK;

/* Keeps the path of a model that the call did not name. */
void ending_inferred(struct ending *out, const char *path);

/* Keeps the hash of the model, which may be empty. */
void ending_model(struct ending *out, struct str hash);

/*
 * Writes summary and metrics, tells the error and the end, releases all, and returns the exit status. A
 * file that cannot be written spoils a command that went well, and no other.
 */
int ending_end(struct ending *out, enum rc rc, struct err *err);

#endif
