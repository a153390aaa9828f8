/* SPDX-License-Identifier: MIT */
/*
 * The inside of the PostgreSQL sink: one load, as this process sees it. While workers run `pg_mu`
 * guards the run's own connection, `mu` the segments and what was heard of commits, and `cancel_mu`
 * what may be cancelled on that connection; all else is fixed once the run is open, or used by the
 * main thread alone.
 */
#ifndef SINKS_POSTGRES_POSTGRES_PRIVATE_H
#define SINKS_POSTGRES_POSTGRES_PRIVATE_H

#include <pthread.h>

#include "sinks/postgres/ddl/ddl.h"
#include "sinks/postgres/postgres.h"
#include "sinks/postgres/wire/connection.h"

enum { PG_LOCK_CLASS = 1919249007, PG_ORPHAN_EXAMPLES = 1000 };

/* Statements that name the run's segment table, logged or unlogged. */
enum pg_stmt {
    PG_STMT_CLAIM,
    PG_STMT_DONE,
    PG_STMT_REFENCE,
    PG_STMT_COMMIT,
    PG_STMT_SUMS,
    PG_STMT_OPEN,
    PG_STMT_INSERT,
    PG_STMT_LEFT,
    PG_STMTS
};

/* A segment this process has claimed. */
struct pg_segment {
    uint32_t claimed; /* the epoch it was claimed with; 0: not claimed */
    uint32_t epoch;   /* now: grows with each lost connection */
    uint64_t commits;
    uint64_t items; /* items seen so far: positions of rows grow with it */
    struct buf resume;
};

/* The thread that keeps the process alive in the eyes of others. */
struct pg_heartbeat {
    pthread_t thread;
    pthread_mutex_t mu;
    pthread_cond_t wake;
    bool started, stop; /* lock: mu */
};

struct pg_run {
    struct sink sink;
    struct pg_options opts;
    const struct env *env;
    uint32_t workers;
    const char *session; /* statements run on each new connection of its own; NULL: none */
    struct pg_target target;
    const struct schema *schema;
    struct pg_name schema_name; /* where readers look */
    struct pg_name staging;     /* schema of the run's own tables */
    long long run;
    int process;
    bool unlogged, loaded, published, opened;
    bool gone;     /* what was loaded, or somebody who loads, is gone: no use to try again */
    bool already;  /* this load was appended before: nothing is to be done */
    bool with_pos; /* rows carry their position: duplicates can be told apart */
    struct buf options; /* of the run's identity: ours and the pipeline's */
    struct str judged;  /* borrowed from run_info */
    char *stmts[PG_STMTS];
    uint64_t *counters; /* of run_state */
    struct pg_heartbeat heartbeat;
    struct reasons reasons, orphans; /* of the report; orphans by constraint and table */

    const atomic_bool *stop; /* the operator's wish; may be NULL */
    pthread_mutex_t cancel_mu;
    PGcancel *cancel; /* lock: cancel_mu. Ends what pg is busy with */
    bool watched;     /* lock: cancel_mu. It is to be ended when asked to stop */

    pthread_mutex_t pg_mu;
    PGconn *pg;       /* lock: pg_mu while workers run */
    bool claim_ready; /* lock: pg_mu. The claim is prepared on it */

    pthread_mutex_t mu;
    struct pg_segment *segments; /* lock: mu */
    uint32_t nsegments;
    uint32_t *left;  /* thread: main. What the last pg_sums found left behind */
    uint64_t *heard; /* lock: mu. Rows of each table, then items kept aside, whose commit this
                        process knows of */
};

static inline struct str pg_name_view(const struct pg_name *n)
{
    return str_make(n->text, n->n);
}

/*
 * ledger_upgrade.c: makes the ledger, or brings an older one to the version of this program, which is
 * `renorm`. RC_TRANSIENT: it is older, and other processes work in it.
 */
enum rc pg_ledger_prepare(struct pg_run *r, const char *renorm, struct err *err) MUST_CHECK;

/* ledger.c: finds or makes the run; RC_USAGE or RC_TRANSIENT when it may not be touched. */
enum rc pg_ledger_open(struct pg_run *r, const struct run_info *info, struct run_state *state,
                       struct err *err) MUST_CHECK;
void pg_ledger_name_run(struct pg_run *r, long long run);
enum rc pg_stmts_make(struct pg_run *r, struct err *err) MUST_CHECK;
/*
 * Inside a transaction: an unlogged run's rows are there, that is, no server crash has emptied its
 * tables since they were loaded. RC_TRANSIENT and r->gone if not: trying again is no use. Another
 * process may have made the run a logged one meanwhile.
 */
enum rc pg_ledger_whole(struct pg_run *r, struct err *err) MUST_CHECK;
/* The error of a run that is not. */
enum rc pg_ledger_emptied(struct err *err);
enum rc pg_ledger_counters(struct pg_run *r, uint64_t *sums, struct err *err) MUST_CHECK;

/* make_run.c: makes a run with its staging tables, inside the caller's transaction. */
enum rc pg_begin_run(struct pg_run *r, const struct run_info *info, struct err *err) MUST_CHECK;
/* An unlogged run after a server crash: what is left of it goes. */
enum rc pg_begin_again(struct pg_run *r, struct err *err) MUST_CHECK;
/* Ends dead connections that hold locks in a staging schema. */
enum rc pg_settle(struct pg_run *r, const char *schema, struct err *err) MUST_CHECK;
enum rc pg_abandon(struct pg_run *r, long long run, struct err *err) MUST_CHECK;

/*
 * supersede.c: the unfinished run has given way to this one; the ledger says of it why. The other tells
 * of those that gave way to this run.
 */
enum rc pg_supersede(struct pg_run *r, const struct run_info *info, const PGresult *run,
                     const char *why, struct err *err) MUST_CHECK;
void pg_tell_superseded(struct pg_run *r, struct sink_report *report);

/* claims.c. thread: any */
enum rc pg_claim(struct pg_run *r, uint32_t segment, struct claim *claim,
                 struct err *err) MUST_CHECK;
enum rc pg_run_connect(struct pg_run *r, unsigned seconds, struct err *err) MUST_CHECK;
/* lock: r->pg_mu while workers run. A new connection if the old one is lost; tries for retry_s. */
enum rc pg_run_reconnect(struct pg_run *r, struct err *err) MUST_CHECK;

/* attempts.c. thread: any */
bool pg_stopped(const struct pg_run *r);
/* The error of a run that was asked to stop. */
enum rc pg_interrupted(struct err *err);
/* rc, or pg_interrupted if asked to stop with nothing worse than trouble that may heal. */
enum rc pg_unless_stopped(const struct pg_run *r, enum rc rc, struct err *err);
/* Until when trouble that begins now is borne with. */
int64_t pg_retry_until(const struct pg_run *r);
/* After an error: pauses if it is worth another try. */
bool pg_try_again(const struct pg_run *r, int64_t until, struct err *err);
/* Tries at one thing, all zeros before the first. */
struct pg_attempts {
    int64_t until; /* when it is given up */
    bool begun;
};
/*
 * while (pg_attempts_next(&attempts, r, &rc, err)) rc = ...: tries until rc is RC_OK, or what went
 * wrong does not heal in time, or the operator asks to stop. Each try has a connection. After the
 * last rc is what err says. lock: as pg_run_reconnect
 */
bool pg_attempts_next(struct pg_attempts *a, struct pg_run *r, enum rc *rc, struct err *err);
/* The connection is a new one, or none. */
void pg_stop_aim(struct pg_run *r);
/* From here to there its statements may be cancelled. */
void pg_stop_watch(struct pg_run *r, bool on);
/* Many times a second, by its thread: cancels if asked to stop. */
void pg_stop_cancel(struct pg_run *r);

/* heartbeat.c: the process as others see it. */
enum rc pg_heartbeat_begin(struct pg_run *r, struct err *err) MUST_CHECK;
void pg_heartbeat_end(struct pg_run *r);
/* Is somebody at work on run? Sets *live and, for messages, who. */
enum rc pg_heartbeat_others(struct pg_run *r, long long run, bool *live, struct buf *who,
                            struct err *err) MUST_CHECK;

/* loader.c */
struct sink_worker *pg_worker_new(struct pg_run *r, uint32_t index, struct err *err);

/* extras_kept.c: what of all items went to `extra`. */
enum rc pg_extras_read(struct pg_run *r, struct extras *out, struct err *err) MUST_CHECK;

/* shape_kept.c: the profile of the last run that was published; that of this one. */
enum rc pg_shape_last(struct pg_run *r, struct buf *json, struct err *err) MUST_CHECK;
enum rc pg_shape_keep(struct pg_run *r, struct str json, struct err *err) MUST_CHECK;
/* What it says of `extra`; inside the caller's transaction. */
enum rc pg_shape_extras(struct pg_run *r, struct extras *out, struct err *err) MUST_CHECK;

/* finish.c: waits until all segments are done, and gives what they counted together; see sink.h. */
enum rc pg_sums(struct pg_run *r, uint64_t *counters, struct claim_list *left,
                struct err *err) MUST_CHECK;
/* The steps between the last row and publishing, each done once. */
enum rc pg_finish(struct pg_run *r, struct verdict *v, struct sink_report *report,
                  struct err *err) MUST_CHECK;

/* reasons_read.c: as many rows of a table have no parent by that reference. */
void pg_reasons_orphans(struct pg_run *r, uint32_t table, uint32_t ref, uint64_t n);
/* Fills the report with why items became no rows, and by which constraints rows have no parent; as
   far as the server answers. */
void pg_reasons_read(struct pg_run *r, struct sink_report *report);

/* target.c: what stands in the target, before anything is loaded and before it is shown. */
enum rc pg_precheck(struct pg_run *r, struct err *err) MUST_CHECK;

/* publish.c */
enum rc pg_publish(struct pg_run *r, struct verdict *v, struct sink_report *report,
                   struct err *err) MUST_CHECK;
/* shown_rows.c: what readers see, for the guards. */
enum rc pg_shown(struct pg_run *r, struct shown *out, struct err *err) MUST_CHECK;
enum rc pg_hold(struct pg_run *r, const struct verdict *v, struct sink_report *report,
                struct err *err) MUST_CHECK;

#endif
