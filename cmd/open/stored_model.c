/* SPDX-License-Identifier: MIT */
#include "cmd/open/stored_model.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cmd/open/infer_model.h"
#include "cmd/print/tell.h"
#include "pipeline/source/table/scan.h"

enum { MODELS_MAX = 999 };

static void path_of(const struct options *o, unsigned n, char out[STORED_MODEL_PATH])
{
    char room[64];
    struct str name = infer_model_name(o, room, sizeof room);
    if (n == 1) {
        (void)snprintf(out, STORED_MODEL_PATH, "./%.*s.model.json", STR_FMT(name));
    } else {
        (void)snprintf(out, STORED_MODEL_PATH, "./%.*s.model.%u.json", STR_FMT(name), n);
    }
}

/* A folder that is read holds items, and no model beside them. */
static bool reads_here(const struct options *o)
{
    struct stat here;
    struct stat st;
    bool same = false;
    for (size_t i = 0; i + 1 < o->nwords && stat(".", &here) == 0; i++) {
        same = same || (stat(o->words[i], &st) == 0 && S_ISDIR(st.st_mode) &&
                        st.st_dev == here.st_dev && st.st_ino == here.st_ino);
    }
    return same;
}

enum rc stored_model_find(const struct options *o, struct stored_model *out, struct err *err)
{
    struct stat st;
    unsigned n = 0;
    do {
        path_of(o, ++n, out->path);
    } while (n < MODELS_MAX && lstat(out->path, &st) == 0);
    out->there = n > 1 && !o->reinfer;
    if (out->there) {
        path_of(o, n - 1, out->path);
        return RC_OK;
    }
    if (reads_here(o)) {
        (void)err_set(err, RC_USAGE,
                      "the model would be left in the folder that the items are read from");
        return err_hint(err, "call it from another folder, or name a model with -m FILE");
    }
    if (o->join || o->dry_run) {
        (void)err_set(err, RC_USAGE, "--%s needs a model", o->join ? "join" : "dry-run");
        return err_hint(err,
                        "name one with -m FILE; \"renorm infer SOURCE -o FILE\" writes one");
    }
    return RC_OK;
}

/* Only what can be read twice is inferred on the way. */
static enum rc refuse(const struct source *s, struct err *err)
{
    bool table = scan_is(s);
    if (!table && s->resumable)
        return RC_OK;
    (void)err_set(err, RC_USAGE, "no model given, and %s is read only once",
                  table ? "a live table" : "standard input");
    return err_hint(err, "name one with -m FILE; \"renorm infer SOURCE -o FILE\" writes one");
}

enum rc stored_model_make(const struct stored_model *m, struct job *job,
                          const struct options *o, struct err *err)
{
    enum rc rc = refuse(job->source, err);
    if (!rc)
        rc = infer_model_store(job, o, m->path, err);
    if (rc)
        return rc;
    if (!o->quiet)
        tell_warning("inferred the model %s, which later exports of this source use", m->path);
    job->source->ops->free(job->source);
    job->source = NULL;
    return job_source(job, o->words, o->nwords - 1, o, err);
}
