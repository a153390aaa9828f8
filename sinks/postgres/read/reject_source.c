/* SPDX-License-Identifier: MIT */
/*
 * Rejects are few, so they are one segment, read by whichever worker takes it; the resume key is
 * the number of items done. Their order is fixed: a finished run's rejects never change.
 */
#include "sinks/postgres/read/reject_source.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/base/memory.h"
#include "sinks/postgres/read/table_rows.h"
#include "sinks/postgres/wire/connection.h"

enum { PAGE_BYTES = 1 << 20, PAGE_MAX = 64 << 20 };

struct reject_source {
    struct source base;
    char *conninfo;
    long long run;
    char identity[128], description[128];
    pthread_mutex_t mu;
    bool taken; /* lock: mu */
};

struct reject_reader {
    struct reader base;
    struct reject_source *source;
    struct pg_reader *pg;
    struct page page;
    bool started, out, ended;
    uint64_t sequence, done;
};

static enum rc reader_start(struct reader *base, uint32_t segment, struct str resume,
                            struct err *err)
{
    struct reject_reader *r = (struct reject_reader *)base;
    unsigned long long done = 0;
    (void)segment;
    if (resume.n > 0 && !str_uint(resume, &done))
        return err_set(err, RC_SOURCE, "the ledger's resume key makes no sense");
    enum rc rc = pg_reader_open(r->source->conninfo, "", &r->pg, err);
    if (!rc)
        rc = pg_reader_rejects(r->pg, r->source->run, done, err);
    r->started = !rc;
    r->done = done;
    return rc;
}

static void reader_skip(struct reader *base, uint32_t segment)
{
    (void)base;
    (void)segment;
}

/* Fills the page with whole items. */
static enum rc fill(struct reject_reader *r, struct err *err)
{
    struct page *p = &r->page;
    enum rc rc = RC_OK;
    while (!rc && p->raw.len < PAGE_BYTES) {
        struct str item;
        rc = pg_reader_item(r->pg, &item, err);
        if (rc)
            break;
        rc = page_add_extent(p, p->raw.len, item.n, NULL);
        buf_add_str(&p->raw, item);
        r->done++;
        if (!rc)
            rc = buf_check(&p->raw, err);
    }
    return rc;
}

static enum rc reader_next(struct reader *base, struct page **page, struct err *err)
{
    struct reject_reader *r = (struct reject_reader *)base;
    if (!r->started || r->ended)
        return RC_END;
    if (r->out)
        return RC_AGAIN;
    page_clear(&r->page);
    r->page.format = PAGE_EXTENTS;
    r->page.sequence = r->sequence++;
    enum rc rc = fill(r, err);
    if (rc && rc != RC_END)
        return rc;
    r->page.last = r->ended = rc == RC_END;
    r->page.bytes_in = r->page.raw.len;
    buf_addf(&r->page.resume, "%llu", (unsigned long long)r->done);
    r->out = true;
    *page = &r->page;
    return buf_check(&r->page.resume, err);
}

static void reader_give_back(struct reader *base, struct page *page)
{
    (void)page;
    ((struct reject_reader *)base)->out = false;
}

static enum rc reader_wait(struct reader *base, struct pollfd *extra, size_t nextra,
                           int timeout_ms, struct err *err)
{
    const struct reject_reader *r = (const struct reject_reader *)base;
    (void)err;
    /* the caller looks again, whether poll was interrupted or not */
    (void)poll(extra, (nfds_t)nextra, r->started && !r->ended && !r->out ? 0 : timeout_ms);
    return RC_OK;
}

static void reader_wake(struct reader *base)
{
    (void)base;
}

static void reader_stop(struct reader *base, uint32_t segment)
{
    struct reject_reader *r = (struct reject_reader *)base;
    (void)segment;
    r->ended = true;
}

static void reader_free(struct reader *base)
{
    struct reject_reader *r = (struct reject_reader *)base;
    pg_reader_close(r->pg);
    page_release(&r->page);
    free(r);
}

static enum rc source_take(struct source *base, struct reader *reader, uint32_t *segment,
                           struct err *err)
{
    struct reject_source *s = (struct reject_source *)base;
    (void)reader;
    (void)err;
    (void)pthread_mutex_lock(&s->mu);
    bool mine = !s->taken;
    s->taken = true;
    (void)pthread_mutex_unlock(&s->mu);
    *segment = 0;
    return mine ? RC_OK : RC_END;
}

static struct reader *source_reader(struct source *base, struct err *err)
{
    static const struct reader_ops ops = {
        .start = reader_start,
        .skip = reader_skip,
        .next = reader_next,
        .give_back = reader_give_back,
        .wait = reader_wait,
        .wake = reader_wake,
        .stop = reader_stop,
        .free = reader_free,
    };
    struct reject_reader *r = memory_new(sizeof *r, err);
    if (!r)
        return NULL;
    r->base.ops = &ops;
    r->source = (struct reject_source *)base;
    page_init(&r->page, PAGE_MAX);
    return &r->base;
}

static void source_free(struct source *base)
{
    struct reject_source *s = (struct reject_source *)base;
    if (s->conninfo)
        memset(s->conninfo, 0, strlen(s->conninfo));
    free(s->conninfo);
    (void)pthread_mutex_destroy(&s->mu);
    free(s);
}

/* Which rejects, how many, how large. */
static enum rc look(struct reject_source *s, struct err *err)
{
    struct pg_reader *pg = NULL;
    struct pg_reject_info info;
    enum rc rc = pg_reader_open(s->conninfo, "", &pg, err);
    if (!rc)
        rc = pg_reader_reject_info(pg, s->run, &info, err);
    pg_reader_close(pg);
    if (rc)
        return rc;
    s->run = info.run;
    s->base.bytes = info.bytes;
    (void)snprintf(s->identity, sizeof s->identity,
                   "rejects of run %lld: %llu items, %llu bytes", info.run,
                   (unsigned long long)info.items, (unsigned long long)info.bytes);
    (void)snprintf(s->description, sizeof s->description, "%llu rejects of run %lld",
                   (unsigned long long)info.items, info.run);
    s->base.identity = str_of(s->identity);
    s->base.description = str_of(s->description);
    return RC_OK;
}

enum rc pg_source_open(const char *conninfo, long long run, struct source **out,
                       struct err *err)
{
    static const struct source_ops ops = {
        .take = source_take,
        .reader = source_reader,
        .free = source_free,
    };
    struct reject_source *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return err_nomem(err);
    (void)pthread_mutex_init(&s->mu, NULL);
    s->base = (struct source){
        .ops = &ops, .kind = "rejects", .segments = 1, .resumable = true, .ahead = 1};
    s->run = run;
    s->conninfo = strdup(conninfo);
    enum rc rc = s->conninfo ? look(s, err) : err_nomem(err);
    if (rc) {
        source_free(&s->base);
        return rc;
    }
    *out = &s->base;
    return RC_OK;
}
