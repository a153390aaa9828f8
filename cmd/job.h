/* SPDX-License-Identifier: MIT */
/*
 * What most commands begin with: the model read and compiled, the source opened, the mask key
 * at hand. One owner: job_release frees all of it.
 */
#ifndef CMD_JOB_H
#define CMD_JOB_H

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
    const atomic_bool *stop; /* set by commands that heed it: see files_options */
};

void job_init(struct job *job);
void job_release(struct job *job);

/* Reads and compiles; problems are printed to standard error. RC_USAGE if there are any. */
enum rc job_model(struct job *job, const char *path, const struct options *o,
                  struct err *err) MUST_CHECK;

/* Prints the problems found so far, and is RC_USAGE if there are any; else `rc`. */
enum rc job_judge(const struct job *job, const char *path, enum rc rc,
                  struct err *err) MUST_CHECK;

/* Opens the source the words name. */
enum rc job_source(struct job *job, const char *const *words, size_t n, const struct options *o,
                   struct err *err) MUST_CHECK;

/* The mask key, if the model needs one; its absence is RC_USAGE. */
enum rc job_mask_key(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

/* The start of the run: --now, or the clock. Microseconds since 1970. */
enum rc job_now(const struct options *o, int64_t *out, struct err *err) MUST_CHECK;

/* "N" or "P%", the value of option --NAME. */
enum rc job_allowance(const char *name, const char *text, struct allowance *out,
                      struct err *err) MUST_CHECK;

enum sink_word { SINK_FOLDER, SINK_POSTGRES, SINK_S3, SINK_NULL };
enum sink_word sink_of(const char *word);

#endif
