/* SPDX-License-Identifier: MIT */
/*
 * What most commands begin with: the model is read and compiled, the source is opened, the mask key
 * is at hand. job_release frees all of it.
 */
#ifndef CMD_OPEN_JOB_H
#define CMD_OPEN_JOB_H

#include <stdatomic.h>

#include "cmd/options.h"
#include "pipeline/run/run.h"

struct job {
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct source *source;
    struct arena texts;      /* of the source's address */
    struct buf mask_key;     /* wiped on release */
    bool foresee;            /* set by check: what can only fail later is a problem, too */
    const atomic_bool *stop; /* set by commands that heed it: see files_options */
};

void job_init(struct job *job);
void job_release(struct job *job);

/* Reads and compiles; problems are printed to standard error. RC_USAGE if there are any. */
enum rc job_model(struct job *job, const char *path, const struct options *o,
                  struct err *err) MUST_CHECK;

/* Prints the problems found so far, and is RC_USAGE if there are any; else `rc`. */
enum rc job_problems(const struct job *job, const char *path, enum rc rc,
                     struct err *err) MUST_CHECK;

/* Opens the source that the words name. */
enum rc job_source(struct job *job, const char *const *words, size_t n, const struct options *o,
                   struct err *err) MUST_CHECK;

/* Says which entities have their items where nothing is read: their tables would be empty. RC_USAGE
   if there are any. */
enum rc job_sources_read(struct job *job, const char *path, struct err *err) MUST_CHECK;

/* Reads the mask key, if the model needs one. RC_USAGE: there is none. */
enum rc job_mask_key(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

/* Gives the start of the run, from --now or the clock, in microseconds since 1970. */
enum rc job_now(const struct options *o, int64_t *out, struct err *err) MUST_CHECK;

/* Reads "N" or "P%", the value of option --NAME. */
enum rc job_allowance(const char *name, const char *text, struct allowance *out,
                      struct err *err) MUST_CHECK;

#endif
