/* SPDX-License-Identifier: MIT */
/*
 * Marks on their way into the ledger. All segments of a commit move in one statement, its
 * parameters are arrays in the server's text form.
 */
#include <stdlib.h>
#include <string.h>

#include "sinks/postgres/load/loader.h"

static void add_bytea(struct buf *b, struct str s)
{
    static const char hex[] = "0123456789abcdef";
    buf_puts(b, "\"\\\\x");
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        buf_putc(b, hex[c >> 4]);
        buf_putc(b, hex[c & 15]);
    }
    buf_putc(b, '"');
}

static void add_counters(struct buf *b, const uint64_t *counters, uint32_t n)
{
    buf_puts(b, "\"{");
    for (uint32_t i = 0; i < n; i++)
        buf_addf(b, i ? ",%llu" : "%llu", (unsigned long long)counters[i]);
    buf_puts(b, "}\"");
}

/* *fenced: the segment is not ours, which is why it fails. */
static enum rc keep_one(struct pg_worker *w, const struct mark *m, bool *fenced,
                        struct err *err)
{
    struct pg_run *r = w->run;
    struct pg_mark *kept = &w->marks[w->nmarks];
    (void)pthread_mutex_lock(&r->mu);
    bool mine = m->segment < r->nsegments && r->segments[m->segment].claimed == m->epoch;
    *kept = (struct pg_mark){.segment = m->segment, .epoch = m->epoch};
    if (mine) {
        kept->epoch = r->segments[m->segment].epoch;
        kept->commits = r->segments[m->segment].commits;
    }
    (void)pthread_mutex_unlock(&r->mu);
    *fenced = !mine;
    if (!mine)
        return err_set(err, RC_TRANSIENT, "segment %u is not ours any more", m->segment);
    char sep = w->nmarks > 0 ? ',' : '{';
    buf_putc(&w->resumes, sep);
    add_bytea(&w->resumes, m->resume);
    buf_putc(&w->dones, sep);
    buf_putc(&w->dones, m->done ? 't' : 'f');
    buf_putc(&w->counters, sep);
    add_counters(&w->counters, m->counters, schema_counters(r->schema));
    w->nmarks++;
    return RC_OK;
}

static void reset(struct buf *b)
{
    if (b->max == 0)
        buf_init(b, BUF_NO_LIMIT);
    buf_clear(b);
}

enum rc pg_marks_keep(struct pg_worker *w, const struct mark *marks, size_t n, bool *fenced,
                      struct err *err)
{
    enum rc rc = RC_OK;
    if (n > w->cap_marks) {
        struct pg_mark *grown = realloc(w->marks, n * sizeof *grown);
        if (grown == NULL)
            return err_nomem(err);
        w->marks = grown;
        w->cap_marks = n;
    }
    reset(&w->resumes);
    reset(&w->dones);
    reset(&w->counters);
    w->nmarks = 0;
    for (size_t i = 0; !rc && i < n; i++)
        rc = keep_one(w, &marks[i], fenced, err);
    buf_putc(&w->resumes, '}');
    buf_putc(&w->dones, '}');
    buf_putc(&w->counters, '}');
    if (!rc)
        rc = buf_check(&w->resumes, err);
    if (!rc)
        rc = buf_check(&w->counters, err);
    return rc;
}

void pg_marks_release(struct pg_worker *w)
{
    free(w->marks);
    buf_release(&w->resumes);
    buf_release(&w->dones);
    buf_release(&w->counters);
}

/* "{1,2,3}" of all marks. */
static void add_segments(struct buf *b, const struct pg_worker *w)
{
    for (size_t i = 0; i < w->nmarks; i++)
        buf_addf(b, "%c%u", i ? ',' : '{', w->marks[i].segment);
    buf_putc(b, '}');
}

static void add_epochs(struct buf *b, const struct pg_worker *w)
{
    for (size_t i = 0; i < w->nmarks; i++)
        buf_addf(b, "%c%u", i ? ',' : '{', w->marks[i].epoch);
    buf_putc(b, '}');
}

static void add_commits(struct buf *b, const struct pg_worker *w)
{
    for (size_t i = 0; i < w->nmarks; i++)
        buf_addf(b, "%c%llu", i ? ',' : '{', (unsigned long long)w->marks[i].commits);
    buf_putc(b, '}');
}

void pg_marks_send(struct pg_worker *w)
{
    struct buf segments, epochs, commits;
    char run[24];
    buf_init(&segments, BUF_NO_LIMIT);
    buf_init(&epochs, BUF_NO_LIMIT);
    buf_init(&commits, BUF_NO_LIMIT);
    add_segments(&segments, w);
    add_epochs(&epochs, w);
    add_commits(&commits, w);
    (void)snprintf(run, sizeof run, "%lld", w->run->run);
    const char *params[] = {run,
                            buf_cstr(&segments),
                            buf_cstr(&epochs),
                            buf_cstr(&w->resumes),
                            buf_cstr(&w->dones),
                            buf_cstr(&w->counters),
                            buf_cstr(&commits)};
    (void)PQsendQueryParams(w->io.pg, w->run->stmts[PG_STMT_COMMIT], 7, NULL, params, NULL,
                            NULL, 0);
    w->io.events = POLLIN | POLLOUT;
    buf_release(&segments);
    buf_release(&epochs);
    buf_release(&commits);
}

void pg_marks_refence(struct pg_worker *w)
{
    struct buf segments;
    char run[24], process[24];
    buf_init(&segments, BUF_NO_LIMIT);
    add_segments(&segments, w);
    (void)snprintf(run, sizeof run, "%lld", w->run->run);
    (void)snprintf(process, sizeof process, "%d", w->run->process);
    const char *params[] = {run, process, buf_cstr(&segments)};
    (void)PQsendQueryParams(w->io.pg, w->run->stmts[PG_STMT_REFENCE], 3, NULL, params, NULL,
                            NULL, 0);
    w->io.events = POLLIN | POLLOUT;
    buf_release(&segments);
}

static struct pg_mark *mark_of(struct pg_worker *w, uint32_t segment)
{
    for (size_t i = 0; i < w->nmarks; i++) {
        if (w->marks[i].segment == segment)
            return &w->marks[i];
    }
    return NULL;
}

enum pg_settled pg_marks_settle(struct pg_worker *w)
{
    const PGresult *res = w->answer.rows;
    struct pg_run *r = w->run;
    size_t found = 0, landed = 0, missed = 0;
    for (int i = 0; res && i < PQntuples(res); i++) {
        struct pg_mark *m = mark_of(w, (uint32_t)pg_number(res, i, 0));
        if (m == NULL)
            continue;
        found++;
        landed += (uint64_t)pg_number(res, i, 2) == m->commits + 1;
        missed += (uint64_t)pg_number(res, i, 2) == m->commits;
        m->epoch = (uint32_t)pg_number(res, i, 1);
        (void)pthread_mutex_lock(&r->mu);
        r->segments[m->segment].epoch = m->epoch;
        (void)pthread_mutex_unlock(&r->mu);
    }
    if (found == 0 && r->unlogged)
        return PG_EMPTIED;
    if (found < w->nmarks)
        return PG_TAKEN;
    /* they move together: some but not all, or fewer than we were told of, are commits that went
       with a server that crashed */
    return landed == found ? PG_LANDED : missed == found ? PG_MISSED : PG_FORGOTTEN;
}

void pg_marks_committed(struct pg_worker *w)
{
    struct pg_run *r = w->run;
    (void)pthread_mutex_lock(&r->mu);
    for (size_t i = 0; i < w->nmarks; i++)
        r->segments[w->marks[i].segment].commits++;
    (void)pthread_mutex_unlock(&r->mu);
    w->nmarks = 0;
}
