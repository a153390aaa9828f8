/* SPDX-License-Identifier: MIT */
/*
 * The state folder of a backfill: who it belongs to, its passes, its logs. A pass is one
 * backfill of the table from its first segment to its last, or one undo. Logs are never
 * deleted: together they are the journal of all that was ever written.
 *
 *     lock                      held (flock) while a process works on it
 *     state.json                table, passes; replaced in one step
 *     log/PPPP-GGGG-WWW.log     pass, process (generation), worker
 *     listed.jsonl              of the last pass: items that conflicted or failed, and why
 */
#ifndef SINKS_DYNAMODB_JOURNAL_STATE_H
#define SINKS_DYNAMODB_JOURNAL_STATE_H

#include "pipeline/base/arena.h"
#include "pipeline/base/own_place.h"
#include "sinks/store/fs.h"

/* The format of a path in the folder: the folder may be reached by links, what lies in it not. */
#define STATE_OWN "%s" OWN_PLACE_MARK

enum pass_kind { PASS_FILL, PASS_UNDO };

/* Pages of an undo are written down in turn as these segments. */
enum { STATE_UNDO_SEGMENTS = 2 };

struct pass_info {
    enum pass_kind kind;
    uint32_t number;      /* from 1 */
    uint32_t generations; /* processes that worked on it */
    uint32_t segments; /* TotalSegments, fixed for the pass; of an undo: STATE_UNDO_SEGMENTS */
    int64_t now_us;    /* its start */
    bool finished;
    bool abandoned;   /* by --restart: its marks count for nothing, its intents stay */
    bool undone;      /* PASS_FILL: an undo has put back what it wrote */
    struct str model; /* hash; of PASS_UNDO: empty */
};

struct state {
    char dir[FS_PATH];
    int lock; /* -1: not held */
    struct arena arena;
    struct str table; /* the table's identity: ARN and TableId */
    struct pass_info *passes;
    uint32_t n, cap;
    const char *renorm; /* borrowed: of the wish */
    uint32_t was;       /* the version of state.json when it was read; 0: there was none */
};

/* The version of state.json that this program writes; state_file.c has the steps that lead to it. */
enum { STATE_VERSION = 2 };

/* What the caller wants to work on. */
struct state_wish {
    const char *dir;
    enum pass_kind kind;
    struct str table;   /* identity */
    struct str model;   /* hash */
    uint32_t segments;  /* of a new pass */
    int64_t now_us;     /* of a new pass */
    bool restart;       /* abandon an unfinished pass of another model */
    const char *renorm; /* the version of this program; may be NULL */
};

/*
 * Makes or opens the folder (0700), takes the lock, and goes on with the unfinished pass or
 * begins a new one; the last element of passes is the one to work on, with its generation
 * counted. RC_USAGE: of another table; an unfinished pass of another model or kind (the hint
 * says what to do); --undo where nothing was written, or all is undone already; files that are
 * not ours. RC_TRANSIENT: another process holds the lock.
 */
enum rc state_open(struct state *s, const struct state_wish *wish, struct err *err) MUST_CHECK;

/* Looks without a lock, without making anything: for rehearsal and status. RC_NONE: none there. */
enum rc state_look(struct state *s, const char *dir, struct err *err) MUST_CHECK;

/* Is a process at work on it? *pid: which, as it wrote; 0: not known. */
bool state_busy(const char *dir, long *pid);

struct pass_info *state_pass(struct state *s); /* the one to work on */

/* The pass is complete (and, for an undo, so are the fills it put back: undone). */
enum rc state_finish(struct state *s, struct err *err) MUST_CHECK;

/* The log of a pass, process and worker. */
void state_log_path(const struct state *s, uint32_t pass, uint32_t generation, uint32_t worker,
                    char out[FS_PATH]);
void state_close(struct state *s);

#endif
