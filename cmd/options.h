/* SPDX-License-Identifier: MIT */
/*
 * The command line. One table says everything about an option: the parser, --help, the manual
 * page and the shell completion are all made from it.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/err.h"

enum command_bit {
    CMD_EXPORT = 1,
    CMD_CHECK = 2,
    CMD_EXPLAIN = 4,
    CMD_VERIFY = 8,
    CMD_STATUS = 16,
    CMD_BACKFILL = 32,
    CMD_INFER = 64,
    CMD_ALL = 127
};

enum { MAX_WORDS = 256 };

struct options {
    const char *words[MAX_WORDS]; /* what is not an option, the command left out */
    size_t nwords;
    /* model and items */
    const char *model, *ttl, *mask_key_file, *max_rejects, *max_unrouted, *pk, *key, *now;
    /* running */
    uint64_t workers, commit_mb, commit_seconds;
    bool restart, quiet, json, dry_run, help;
    const char *log, *summary, *output;
    /* JSON lines */
    uint64_t level, part_mb, open_parts;
    /* PostgreSQL */
    const char *schema, *mode, *orphans, *duplicates, *synchronous_commit, *run;
    bool delete_missing, no_constraints, unlogged, keep_old, join, ddl;
    uint64_t keep_runs, retry_seconds, lease_seconds;
    /* DynamoDB */
    const char *region, *endpoint, *profile, *index, *rcu, *wcu, *give_up, *max_age, *state,
        *undo;
    uint64_t segments, rcu_percent, sample, in_flight, watch_seconds;
    bool strong, push_filter, gzip, fips, dual_stack, backfill;
    bool scatter; /* by the command, not by an option: what is read is written to at once */
};

enum option_kind { OPT_FLAG, OPT_NUMBER, OPT_TEXT };

struct option_row {
    const char *name; /* without the dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    size_t offset; /* in struct options */
    unsigned commands;
    const char *arg; /* name of its argument, NULL for flags */
    uint64_t min, max;
    const char *group; /* heading in the manual */
    const char *help;  /* one sentence, lower case, no full stop; defaults named */
};

struct command_row {
    const char *name;
    enum command_bit bit;
    const char *synopsis; /* what follows the name */
    const char *help;
    int (*main)(const struct options *o);
};

extern const struct option_row option_table[];
extern const size_t option_count;
extern const struct command_row command_table[];
extern const size_t command_count;

const struct command_row *command_find(const char *name);

void options_defaults(struct options *o);

/* Parses argv behind the command's name. RC_USAGE with a sentence and a hint. */
enum rc options_parse(struct options *o, const struct command_row *c, int argc, char **argv,
                      struct err *err) MUST_CHECK;

/* The help of all commands (NULL) or of one. */
void options_help(const struct command_row *c, struct buf *out);

#endif
