/* SPDX-License-Identifier: MIT */
/* Opening what the command line names. Text decides: a scheme, a conninfo, else a path. */
#include "cmd/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/live.h"
#include "pipeline/base/env.h"
#include "pipeline/item/times.h"
#include "pipeline/source/files.h"
#include "sinks/pg_source.h"

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

enum rc job_judge(const struct job *job, const char *path, enum rc rc, struct err *err)
{
    struct buf text;
    if (!job->problems.count)
        return rc;
    buf_init(&text, (size_t)16 << 20);
    problems_print(&job->problems, path, &text);
    (void)fwrite(text.p, 1, text.len, stderr);
    buf_release(&text);
    return err_set(err, RC_USAGE, "%s has %zu %s", path, job->problems.count,
                   job->problems.count == 1 ? "error" : "errors");
}

enum rc job_model(struct job *job, const char *path, const struct options *o, struct err *err)
{
    if (!path) {
        (void)err_set(err, RC_USAGE, "no model given");
        return err_hint(err, "name one with -m FILE; renorm cannot infer one yet");
    }
    struct plan_options opts = {0};
    const struct source *source = job->source;
    if (source) {
        opts.ttl = source->ttl;
        opts.key = (struct names){source->key, (uint32_t)source->nkey};
        opts.indexing = (struct names){source->indexing, (uint32_t)source->nindexing};
    }
    if (o->ttl) {
        opts.ttl_given = true;
        opts.ttl = strcmp(o->ttl, "off") == 0 ? (struct str){0} : str_of(o->ttl);
    }
    enum rc rc = model_read_file(path, &job->model, &job->problems, err);
    if (job->model && (rc == RC_OK || rc == RC_USAGE))
        rc = plan_new(job->model, &opts, &job->plan, &job->problems, err);
    return rc == RC_NOMEM ? rc : job_judge(job, path, rc, err);
}

/* A database as a source: the rejects of an earlier run. */
static enum rc rejects_open(struct job *job, const char *word, const struct options *o,
                            struct err *err)
{
    unsigned long long run = 0;
    if (o->run && !str_uint(str_of(o->run), &run))
        return err_set(err, RC_USAGE, "--run takes a number, not \"%s\"", o->run);
    return pg_source_open(word, (long long)run, &job->source, err);
}

enum rc job_source(struct job *job, const char *const *words, size_t n, const struct options *o,
                   struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (live_is(words[i]))
            return live_open(job, words, n, o, err);
    }
    if (n == 1 && sink_of(words[0]) == SINK_POSTGRES)
        return rejects_open(job, words[0], o, err);
    struct files_options opts = {.paths = words, .npaths = n, .stop = job->stop};
    enum rc rc = files_open(&opts, &job->source, err);
    if (rc == RC_OK && job->source->notice.n && !o->quiet)
        (void)fprintf(stderr, "renorm: %.*s\n", STR_FMT(job->source->notice));
    return rc;
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
    if (rc == RC_OK && job->mask_key.len == 0) {
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
    if (times_parse_stamp(str_of(o->now), out, &cut))
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

enum sink_word sink_of(const char *word)
{
    struct str s = str_of(word);
    if (str_is(s, "null:"))
        return SINK_NULL;
    if (str_starts(s, STR("s3://")))
        return SINK_S3;
    if (str_starts(s, STR("postgresql://")) || str_starts(s, STR("postgres://")))
        return SINK_POSTGRES;
    const char *equals = strchr(word, '=');
    const char *slash = strchr(word, '/');
    return equals && (!slash || slash > equals) ? SINK_POSTGRES : SINK_FOLDER;
}
