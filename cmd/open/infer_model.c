/* SPDX-License-Identifier: MIT */
#include "cmd/open/infer_model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/print/tell.h"
#include "pipeline/infer/propose.h"
#include "pipeline/source/table/scan.h"
#include "sinks/store/fs.h"

enum { BUDGET_MB = 24 };

/* The model's name: that of the file, folder or table, as far as a schema can be called so. */
struct str infer_model_name(const struct options *o, char *room, size_t size)
{
    const char *word = o->words[0];
    const char *slash = strrchr(word, '/');
    const char *from = slash && slash[1] ? slash + 1 : word;
    size_t n = 0;
    if (strncmp(from, "dynamodb:", 9) == 0)
        from += 9;
    for (; *from && *from != '.' && *from != '?' && n + 1 < size && n < 60; from++) {
        char c = *from;
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (c >= 'A' && c <= 'Z') {
            room[n++] = (char)(c - 'A' + 'a');
        } else if (letter) {
            room[n++] = c;
        } else if (n && room[n - 1] != '_') {
            room[n++] = '_';
        }
    }
    while (n && room[n - 1] == '_')
        n--;
    bool kept = n >= 3 && memcmp(room, "pg_", 3) == 0; /* by PostgreSQL */
    return n && !kept ? str_make(room, n) : STR("inferred");
}

static enum rc write_file(const struct options *o, struct str text, struct err *err)
{
    int fd =
        open(o->output, O_WRONLY | O_CREAT | O_CLOEXEC | (o->force ? O_TRUNC : O_EXCL), 0666);
    if (fd < 0 && errno == EEXIST) {
        (void)err_set(err, RC_USAGE, "\"%s\" is there already", o->output);
        return err_hint(err, "--force writes over it");
    }
    if (fd < 0)
        return err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", o->output);
    enum rc rc = fs_write(fd, text, o->output, err);
    if (close(fd) < 0 && !rc)
        rc = err_errno(err, RC_SINK, errno, "cannot write \"%s\"", o->output);
    return rc;
}

/* How the source is opened once more: its words are the first of the call's. */
struct infer_again {
    struct job *job;
    const struct options *o;
    size_t nwords;
};

static enum rc open_again(struct infer_survey *survey, struct err *err)
{
    const struct infer_again *a = survey->again_ctx;
    a->job->source->ops->free(a->job->source);
    a->job->source = NULL;
    enum rc rc = job_source(a->job, a->o->words, a->nwords, a->o, err);
    survey->source = a->job->source;
    return rc;
}

/* A live table is read only once, for what it costs. */
static bool read_twice(const struct source *s)
{
    return s->resumable && !scan_is(s);
}

/* Reads the source and tells what no model can load. */
static enum rc propose(struct job *job, const struct options *o, size_t nwords,
                       struct infer_result *r, struct err *err)
{
    char room[64];
    struct infer_again again = {job, o, nwords};
    struct infer_survey survey = {.source = job->source,
                                  .workers = (uint32_t)o->workers,
                                  .budget = (size_t)BUDGET_MB << 20,
                                  .again = read_twice(job->source) ? open_again : NULL,
                                  .again_ctx = &again,
                                  .stop = job->stop};
    enum rc rc = propose_model(&survey, infer_model_name(o, room, sizeof room), r, err);
    if (!rc && r->sample.faults) {
        tell_warning("%llu pieces of the source are no items, such as: %s",
                     (unsigned long long)r->sample.faults, r->sample.fault);
    }
    if (!rc && r->undecodable) {
        tell_warning("%llu items can be loaded by no model, such as: %s",
                     (unsigned long long)r->undecodable, r->reason);
    }
    if (!rc && r->untried) {
        tell_warning("the model rests on a sample and was not tried on all items: \"renorm "
                     "check MODEL SOURCE\" tells of those that do not fit");
    }
    return rc;
}

enum rc infer_model_write(struct job *job, const struct options *o, struct err *err)
{
    struct infer_result r;
    enum rc rc = propose(job, o, o->nwords, &r, err);
    if (!rc && o->output) {
        rc = write_file(o, buf_view(&r.model), err);
    } else if (!rc) {
        (void)fwrite(r.model.p, 1, r.model.len, stdout);
    }
    propose_release(&r);
    return rc;
}

/* A link is made only where nothing is: two exports at once do not write over one another. */
static enum rc store(struct str text, const char *path, struct err *err)
{
    char tmp[256];
    (void)snprintf(tmp, sizeof tmp, "%s.%ld", path, (long)getpid());
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, RC_USAGE, errno, "cannot store the model \"%s\"", path);
    enum rc rc = fs_write(fd, text, path, err);
    if (!rc && fsync(fd) < 0)
        rc = err_errno(err, RC_SINK, errno, "cannot write \"%s\"", path);
    if (close(fd) < 0 && !rc)
        rc = err_errno(err, RC_SINK, errno, "cannot write \"%s\"", path);
    if (!rc && link(tmp, path) < 0)
        rc = err_errno(err, RC_USAGE, errno, "cannot store the model \"%s\"", path);
    (void)unlink(tmp);
    return rc;
}

enum rc infer_model_store(struct job *job, const struct options *o, const char *path,
                          struct err *err)
{
    struct infer_result r;
    enum rc rc = propose(job, o, o->nwords - 1, &r, err);
    if (!rc)
        rc = store(buf_view(&r.model), path, err);
    propose_release(&r);
    return rc;
}
