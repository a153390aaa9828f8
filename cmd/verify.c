/* SPDX-License-Identifier: MIT */
/*
 * Proves that a sink holds what the source says: the source is exported once more, through
 * the same model and as of the same moment, into a private folder; then both are compared.
 * So verify has nothing of its own that could agree with a mistake of the sink: extracts are
 * reduced, rows cast and spelt by the code that a fresh export runs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/compare.h"
#include "cmd/copies.h"
#include "cmd/exit.h"
#include "cmd/job.h"
#include "cmd/open_side.h"
#include "cmd/plain.h"
#include "cmd/recheck.h"
#include "cmd/row_options.h"
#include "cmd/sheet.h"
#include "cmd/signals.h"
#include "cmd/verify_backfill.h"
#include "pipeline/source/scan.h"
#include "sinks/fs.h"

static enum rc make_folder(struct buf *path, struct err *err)
{
    const char *base = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): no threads yet */
    buf_addf(path, "%s/renorm-verify-XXXXXX", base && *base ? base : "/tmp");
    enum rc rc = buf_check(path, err);
    if (rc != RC_OK)
        return rc;
    (void)buf_cstr(path); /* ends it with NUL, in place */
    if (!mkdtemp(path->p))
        return err_errno(err, RC_TRANSIENT, errno, "cannot make a folder like \"%s\"", path->p);
    return RC_OK;
}

/* What cannot be removed is said: the folder holds the items' rows. */
static void remove_folder(const char *path)
{
    struct err err = {0};
    if (fs_remove(path, &err) != RC_OK)
        (void)fprintf(stderr, "renorm: \"%s\" is left behind: %s\n", path, err.msg);
}

static enum rc same_model(const struct job *job, const struct side *side, struct err *err)
{
    if (side->model_hash.n == 0 || str_eq(side->model_hash, job->model->hash))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "the sink was made with another model (%.12s, this is %.12s)",
                  side->model_hash.p, job->model->hash.p);
    return err_hint(err, "verify with the model of the export");
}

/* Names what still differs, and counts the rest. */
static void tell_again(const struct recheck *r, const struct schema *schema,
                       struct comparison *found, uint64_t fates[])
{
    uint64_t named = 0;
    uint32_t table = UINT32_MAX;
    for (size_t i = 0; i < recheck_count(r); i++) {
        const struct recheck_key *k = recheck_get(r, i);
        fates[k->fate]++;
        named = k->table == table ? named : 0;
        table = k->table;
        if (k->fate == RECHECK_UNREAD || k->fate == RECHECK_DIFFERS)
            found->differing++;
        if (k->fate == RECHECK_EQUAL || named++ >= COMPARE_NAMED)
            continue;
        bool changed = k->fate == RECHECK_CHANGED;
        compare_name(&schema->tables[k->table], k->key,
                     changed ? "changed since" : compare_word(k->what));
    }
}

static enum rc look_again(struct recheck *r, const struct fresh *first, const char *private,
                          struct comparison *found, struct err *err)
{
    uint64_t fates[RECHECK_EQUAL + 1] = {0};
    char folder[FS_PATH];
    if (recheck_count(r) == 0)
        return RC_OK;
    fs_path(folder, "%s/again", private);
    enum rc rc = recheck_run(r, first, folder, err);
    if (rc == RC_AUTH || rc == RC_USAGE || rc == RC_SOURCE) {
        (void)fprintf(stderr, "renorm: what differs is not read again: %s\n", err->msg);
        err_clear(err);
        rc = RC_OK;
    }
    if (rc)
        return rc;
    tell_again(r, &first->job->plan->schema, found, fates);
    found->changed += fates[RECHECK_CHANGED];
    (void)printf(
        "read again: %llu equal now, %llu changed since, %llu different; not read "
        "again: %llu\n"
        "note: rows written since the export differ too: a live table under writes "
        "cannot be proved\n",
        (unsigned long long)fates[RECHECK_EQUAL], (unsigned long long)fates[RECHECK_CHANGED],
        (unsigned long long)fates[RECHECK_DIFFERS], (unsigned long long)fates[RECHECK_UNREAD]);
    return RC_OK;
}

static enum rc conclude(const struct comparison *found, struct err *err)
{
    if (found->differing) {
        return err_set(err, RC_FINISHED_BAD,
                       "the sink does not hold what the source says: %llu %s",
                       (unsigned long long)found->differing,
                       found->differing == 1 ? "difference" : "differences");
    }
    if (found->quiet)
        return RC_OK;
    (void)printf("verified: %llu row%s in %llu table%s", (unsigned long long)found->rows,
                 plain_plural(found->rows), (unsigned long long)found->tables,
                 plain_plural(found->tables));
    if (found->rejected || found->unrouted) {
        (void)printf("; %llu rejected, %llu unrouted", (unsigned long long)found->rejected,
                     (unsigned long long)found->unrouted);
    }
    if (found->changed)
        (void)printf(", but for %llu changed since", (unsigned long long)found->changed);
    (void)printf("\n");
    return RC_OK;
}

static enum rc summarize(const struct options *o, const struct comparison *found, enum rc rc,
                         struct err *err)
{
    struct buf text;
    struct err late = {0};
    if (!o->summary)
        return rc;
    buf_init(&text, 4096);
    buf_addf(&text,
             "{\"tables\":%llu,\"rows\":%llu,\"differing\":%llu,\"changed_since\":%llu,"
             "\"rejected\":%llu,\"unrouted\":%llu,\"ok\":%s}\n",
             (unsigned long long)found->tables, (unsigned long long)found->rows,
             (unsigned long long)found->differing, (unsigned long long)found->changed,
             (unsigned long long)found->rejected, (unsigned long long)found->unrouted,
             rc == RC_OK ? "true" : "false");
    enum rc written = sheet_write(o->summary, &text, &late);
    buf_release(&text);
    if (rc == RC_OK && written != RC_OK) {
        *err = late;
        rc = written;
    }
    return rc;
}

static enum rc compare(const struct options *o, struct job *job, struct side *sink,
                       const char *folder, struct err *err)
{
    struct side *fresh = NULL;
    struct comparison found = {.quiet = o->quiet};
    struct fresh first = {.job = job,
                          .source = job->source,
                          .workers = (uint32_t)o->workers,
                          .fold = sink->folds_nulls,
                          .now_us = sink->now_us};
    char rows[FS_PATH], trail[FS_PATH];
    fs_path(rows, "%s/rows", folder);
    fs_path(trail, "%s/trail", folder);
    first.folder = rows;
    enum rc rc = RC_OK;
    first.places = sink->duplicates.n > 0;
    if (scan_is(job->source) || first.places)
        first.trail = trail;
    if (scan_is(job->source)) {
        found.again = recheck_new(&job->plan->schema);
        rc = found.again ? RC_OK : err_nomem(err);
    }
    if (rc == RC_OK)
        rc = fresh_export(&first, err);
    if (rc == RC_OK)
        rc = side_folder(rows, &job->plan->schema, &fresh, err);
    if (rc == RC_OK && first.places) {
        struct copies_options copies = {trail, &job->plan->schema,
                                        str_is(sink->duplicates, "last")};
        rc = side_copies(&copies, fresh, &fresh, err);
    }
    if (rc == RC_OK)
        rc = compare_sides(&job->plan->schema, fresh, sink, &found, err);
    if (fresh)
        fresh->ops->free(fresh);
    if (rc == RC_OK && found.again)
        rc = look_again(found.again, &first, folder, &found, err);
    recheck_free(found.again);
    if (rc == RC_OK)
        rc = conclude(&found, err);
    return rc == RC_OK || rc == RC_FINISHED_BAD ? summarize(o, &found, rc, err) : rc;
}

static enum rc prepare(const struct options *o, struct job *job, struct err *err)
{
    if (o->nwords < 2) {
        (void)err_set(err, RC_USAGE, "verify needs a source and a sink");
        return err_hint(err, "renorm verify items.jsonl out/ -m model.json");
    }
    enum rc rc = o->summary ? sheet_writable(o->summary, err) : RC_OK;
    if (rc == RC_OK && o->model)
        rc = job_source(job, o->words, o->nwords - 1, o, err);
    if (rc == RC_OK)
        rc = job_model(job, o->model, o, err);
    return rc == RC_OK ? job_mask_key(job, o, err) : rc;
}

int cmd_verify(const struct options *o)
{
    if (o->backfill)
        return verify_backfill(o);
    if (strcmp(o->max_rejects, "0") != 0 ||
        strcmp(o->max_unrouted, "0") != 0) { /* the run has judged them */
        struct err usage = {0};
        enum rc rc = err_set(&usage, RC_USAGE,
                             "--max-rejects and --max-unrouted go with verify --backfill only");
        return exit_tell(rc, &usage);
    }
    struct job job;
    struct side *sink = NULL;
    struct err err = {0};
    struct buf folder;
    job_init(&job);
    job.stop = signals_install();
    buf_init(&folder, 4096);
    enum rc rc = prepare(o, &job, &err);
    if (rc == RC_OK)
        rc = open_side(o->words[o->nwords - 1], o, &job.plan->schema, &sink, &err);
    if (rc == RC_OK)
        rc = same_model(&job, sink, &err);
    if (rc == RC_OK)
        rc = row_options_same(&job, sink->options, &err);
    bool made = false;
    if (rc == RC_OK) {
        rc = make_folder(&folder, &err);
        made = rc == RC_OK;
    }
    if (rc == RC_OK)
        rc = compare(o, &job, sink, folder.p, &err);
    if (made)
        remove_folder(folder.p);
    if (sink)
        sink->ops->free(sink);
    buf_release(&folder);
    job_release(&job);
    return exit_tell(rc, &err);
}
