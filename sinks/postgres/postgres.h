/* SPDX-License-Identifier: MIT */
/*
 * The PostgreSQL sink: rows are loaded by binary COPY into tables of the run's own, together
 * with the ledger (schema "renorm") in one transaction; when all is there, checked and indexed,
 * one more transaction shows it to readers.
 */
#ifndef SINKS_POSTGRES_POSTGRES_H
#define SINKS_POSTGRES_POSTGRES_H

#include "pipeline/base/env.h"
#include "pipeline/run/sink.h"

enum pg_mode { PG_REPLACE = 0, PG_APPEND, PG_MERGE };
enum pg_orphans { PG_ORPHANS_KEEP = 0, PG_ORPHANS_FAIL };

/* DEFAULT: fail; with PG_MERGE the last copy wins. */
enum pg_duplicates { PG_DUP_DEFAULT = 0, PG_DUP_FAIL, PG_DUP_FIRST, PG_DUP_LAST };

/* Numbers are to be given, the rest may be zero. Strings are borrowed until close. */
struct pg_options {
    const char *conninfo; /* anything libpq takes: postgresql://... or key=value pairs */
    const char *schema;   /* NULL: the model's name */
    enum pg_mode mode;
    bool delete_missing; /* merge: rows whose key was not seen go */
    enum pg_orphans orphans;
    enum pg_duplicates duplicates;
    bool no_constraints;            /* no keys, indexes, foreign keys, checks, statistics */
    bool unlogged;                  /* staging without WAL: a server crash restarts the load */
    const char *synchronous_commit; /* NULL: as the server says */
    bool keep_old;                  /* replace: the old tables stay in a schema of their own */
    bool again;                     /* append: also what was appended before */
    bool join;                      /* help a run that is under way */
    uint32_t keep_runs;             /* finished runs kept in the ledger */
    uint32_t commit_mb;             /* row buffers of a worker in MB */
    uint32_t retry_s;               /* how long a lost connection is tried again, in seconds */
    uint32_t open_s;                /* the same of the first connection */
    uint32_t lease_s;               /* a process silent for longer is taken for dead */
    const struct env *env;          /* NULL: the real machine */
};

/* Checks the options and makes the sink; nothing is connected before its open. */
enum rc pg_sink_open(const struct pg_options *opts, struct sink **out,
                     struct err *err) MUST_CHECK;

/* The names options take; false if there is no such. */
bool pg_mode_parse(struct str name, enum pg_mode *out);
bool pg_orphans_parse(struct str name, enum pg_orphans *out);
bool pg_duplicates_parse(struct str name, enum pg_duplicates *out);

#endif
