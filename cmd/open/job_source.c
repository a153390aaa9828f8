/* SPDX-License-Identifier: MIT */
/*
 * Words that name files are one source; each live table is one; several of these are read as one. What
 * is neither is read alone.
 */
#include <stdlib.h>

#include "cmd/open/drivers.h"
#include "pipeline/source/several/several.h"

struct words {
    const struct driver **drivers; /* of each word */
    const char **files;            /* those that are read together */
    size_t nfiles, ntables;
    const struct driver *of_files;
};

static enum rc check_word(const char *word, const struct driver *d, size_t n, struct err *err)
{
    if (!d->source) {
        return err_set(err, RC_USAGE,
                       "\"%s\" is no source of this build\nhint: name a file or a folder",
                       word);
    }
    if (d->alone && !d->live && n > 1)
        return err_set(err, RC_USAGE, "%s is read alone, not with other sources", d->alone);
    return RC_OK;
}

static enum rc sort_words(struct words *w, const char *const *words, size_t n, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; !rc && i < n; i++) {
        rc = drivers_find(words[i], &w->drivers[i], err);
        if (!rc)
            rc = check_word(words[i], w->drivers[i], n, err);
        if (rc)
            break;
        if (w->drivers[i]->live) {
            w->ntables++;
        } else {
            w->of_files = w->of_files ? w->of_files : w->drivers[i];
            w->files[w->nfiles++] = words[i];
        }
    }
    return rc;
}

/* What was opened goes to the list. */
static enum rc move_out(struct job *job, enum rc rc, struct source **list, size_t *n)
{
    if (!rc)
        list[(*n)++] = job->source;
    job->source = NULL;
    return rc;
}

static enum rc open_several(struct job *job, const struct words *w, const char *const *words,
                            size_t n, const struct options *o, struct err *err)
{
    struct source **v = calloc(n + 1, sizeof *v); /* NOLINT(bugprone-sizeof-expression) */
    size_t opened = 0;
    enum rc rc = RC_OK;
    if (!v)
        return err_nomem(err);
    for (size_t i = 0; !rc && i < n; i++) {
        if (!w->drivers[i]->live)
            continue;
        rc = w->drivers[i]->source(job, &words[i], 1, o, err);
        rc = move_out(job, rc, v, &opened);
    }
    if (!rc && w->nfiles) {
        rc = w->of_files->source(job, (const char *const *)w->files, w->nfiles, o, err);
        rc = move_out(job, rc, v, &opened);
    }
    if (!rc) {
        rc = several_new(v, opened, &job->source, err);
        opened = 0;
    }
    for (size_t i = 0; i < opened; i++)
        v[i]->ops->free(v[i]);
    free(v);
    return rc;
}

enum rc job_source(struct job *job, const char *const *words, size_t n, const struct options *o,
                   struct err *err)
{
    if (!n)
        return err_set(err, RC_USAGE, "no source given");
    struct words w = {
        .drivers = calloc(n, sizeof *w.drivers), /* NOLINT(bugprone-sizeof-expression) */
        .files = calloc(n, sizeof *w.files)};    /* NOLINT(bugprone-sizeof-expression) */
    if (!w.drivers || !w.files) {
        free(w.drivers);
        free(w.files);
        return err_nomem(err);
    }
    enum rc rc = sort_words(&w, words, n, err);
    if (!rc && (w.ntables == 0 || n == 1)) {
        rc = w.drivers[0]->source(job, words, n, o, err);
    } else if (!rc) {
        rc = open_several(job, &w, words, n, o, err);
    }
    free(w.drivers);
    free(w.files);
    return rc;
}
