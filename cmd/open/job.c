/* SPDX-License-Identifier: MIT */
/* Reads what the command line names. The drivers know which source a word is. */
#include "cmd/open/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/open/drivers.h"
#include "cmd/print/tell.h"
#include "pipeline/base/env.h"
#include "pipeline/item/timestamp.h"
#include "pipeline/stage/stage.h"
#include "sinks/postgres/ddl/ddl.h"

enum { MAX_KEY = 4096 };

void job_init(struct job *job)
{
    *job = (struct job){0};
    problems_init(&job->problems);
    arena_init(&job->texts, 1024);
    buf_init(&job->mask_key, MAX_KEY);
}

void job_release(struct job *job)
{
    if (job->source)
        job->source->ops->free(job->source);
    plan_free(job->plan);
    model_free(job->model);
    problems_release(&job->problems);
    arena_release(&job->texts);
    buf_wipe(&job->mask_key);
}

enum rc job_problems(const struct job *job, const char *path, enum rc rc, struct err *err)
{
    struct buf text;
    if (!job->problems.count)
        return rc;
    buf_init(&text, (size_t)16 << 20);
    problems_print(&job->problems, path, &text);
    tell_problems(buf_view(&text));
    buf_release(&text);
    return err_set(err, RC_USAGE, "%s has %zu %s", path, job->problems.count,
                   job->problems.count == 1 ? "error" : "errors");
}

/* The names of --only. */
static enum rc split_names(struct job *job, const char *text, struct names *out,
                           struct err *err)
{
    struct str rest = str_of(text);
    size_t most = 1;
    for (size_t i = 0; i < rest.n; i++)
        most += rest.p[i] == ',';
    *out = (struct names){.v = arena_array(&job->texts, most, sizeof *out->v)};
    if (!out->v)
        return err_nomem(err);
    for (size_t at = 0; at <= rest.n;) {
        size_t end = str_find(rest, STR(","), at);
        out->v[out->n++] = str_make(rest.p + at, end - at);
        at = end + 1;
    }
    return RC_OK;
}

static const struct plan_part *list_parts(struct job *job, const struct source *source)
{
    struct plan_part *v = arena_array(&job->texts, source->nparts + 1, sizeof *v);
    for (size_t i = 0; v && i < source->nparts; i++) {
        const struct source_part *p = source->parts[i];
        v[i] = (struct plan_part){p->name, p->stem, {p->key, (uint32_t)p->nkey}};
    }
    return v;
}

static enum rc compile(struct job *job, const struct plan_options *opts, const char *only,
                       struct err *err)
{
    struct names names = {0};
    if (!only)
        return plan_new(job->model, opts, &job->plan, &job->problems, err);
    enum rc rc = split_names(job, only, &names, err);
    return rc ? rc : plan_only(job->model, opts, &names, &job->plan, &job->problems, err);
}

enum rc job_model(struct job *job, const char *path, const struct options *o, struct err *err)
{
    if (!path) {
        (void)err_set(err, RC_USAGE, "no model given");
        return err_hint(err,
                        "name one with -m FILE; \"renorm infer SOURCE -o FILE\" writes one");
    }
    struct plan_options opts = {.reserved = job->foresee ? pg_ddl_reserved : NULL};
    const struct source *source = job->source;
    if (source) {
        opts.ttl = source->ttl;
        opts.key = (struct names){source->key, (uint32_t)source->nkey};
        opts.indexing = (struct names){source->indexing, (uint32_t)source->nindexing};
        opts.parts = list_parts(job, source);
        opts.nparts = opts.parts ? source->nparts : 0;
        if (!opts.parts)
            return err_nomem(err);
    }
    if (o->ttl) {
        opts.ttl_given = true;
        opts.ttl = strcmp(o->ttl, "off") == 0 ? (struct str){0} : str_of(o->ttl);
    }
    enum rc rc = model_read_file(path, stage_table, &job->model, &job->problems, err);
    if (job->model && (!rc || rc == RC_USAGE))
        rc = compile(job, &opts, o->only, err);
    return rc == RC_NOMEM ? rc : job_problems(job, path, rc, err);
}

enum rc job_sources_read(struct job *job, const char *path, struct err *err)
{
    plan_check_sources(job->plan, &job->problems);
    return job_problems(job, path, RC_OK, err);
}

static enum rc read_key_file(struct job *job, const char *path, struct err *err)
{
    char chunk[MAX_KEY];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(err, RC_USAGE, errno, "cannot read the mask key \"%s\"", path);
    ssize_t n = read(fd, chunk, sizeof chunk);
    int code = errno;
    (void)close(fd);
    if (n < 0)
        return err_errno(err, RC_USAGE, code, "cannot read the mask key \"%s\"", path);
    while (n > 0 && (chunk[n - 1] == '\n' || chunk[n - 1] == '\r'))
        n--;
    buf_add(&job->mask_key, chunk, (size_t)n);
    memset(chunk, 0, sizeof chunk);
    return buf_check(&job->mask_key, err);
}

enum rc job_mask_key(struct job *job, const struct options *o, struct err *err)
{
    if (!job->plan->mask_used)
        return RC_OK;
    const char *env =
        getenv("RENORM_MASK_KEY"); /* NOLINT(concurrency-mt-unsafe): no threads yet */
    enum rc rc = RC_OK;
    if (o->mask_key_file) {
        rc = read_key_file(job, o->mask_key_file, err);
    } else if (env) {
        buf_puts(&job->mask_key, env);
    }
    if (!rc && job->mask_key.len == 0) {
        (void)err_set(err, RC_USAGE,
                      "the model masks attributes, but there is no key to hash them with");
        return err_hint(err, "give --mask-key-file FILE, or set RENORM_MASK_KEY");
    }
    return rc;
}

enum rc job_now(const struct options *o, int64_t *out, struct err *err)
{
    bool cut = false;
    if (!o->now) {
        *out = env_real.now_us(env_real.ctx);
        return RC_OK;
    }
    if (timestamp_parse_stamp(str_of(o->now), out, &cut))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "--now \"%s\" is no time", o->now);
    return err_hint(err, "write it as 2026-01-31T12:00:00Z");
}

enum rc job_allowance(const char *name, const char *text, struct allowance *out,
                      struct err *err)
{
    unsigned long long n = 0;
    struct str s = str_of(text);
    bool percent = str_ends(s, STR("%"));
    out->percent = -1;
    if (percent)
        s.n--;
    if (!str_uint(s, &n) || (percent && n > 100)) {
        return err_set(err, RC_USAGE,
                       "--%s takes a count or a percentage such as 5%%, not \"%s\"", name,
                       text);
    }
    out->count = n;
    if (percent)
        out->percent = (double)n;
    return RC_OK;
}
