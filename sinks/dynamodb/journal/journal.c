/* SPDX-License-Identifier: MIT */
/*
 * Two buffers: entries gather in one while the other is on its way to the disk. They are as
 * long as what was asked for during one sync, which the writes in flight bound. After a failed
 * write nothing is known of the file's end; the journal keeps the error and takes no more.
 */
#include "sinks/dynamodb/journal/journal.h"

#include <stdlib.h>

#include "sinks/dynamodb/journal/entry.h"
#include "sinks/store/record_log.h"
#include "sinks/store/sync_thread.h"

struct journal {
    struct record_log log;
    struct sync_thread sync;
    struct buf group; /* what waits: "[" and entries */
    uint64_t last, asked, durable;
    bool under_way, failed;
    struct err err;
};

enum rc journal_open(const struct state *s, uint32_t worker, struct journal **out,
                     struct err *err)
{
    char path[FS_PATH];
    const struct pass_info *pass = &s->passes[s->n - 1];
    struct journal *j = calloc(1, sizeof *j);
    *out = NULL;
    if (!j)
        return err_nomem(err);
    buf_init(&j->group, BUF_NO_LIMIT);
    state_log_path(s, pass->number, pass->generations, worker, path);
    enum rc rc = record_log_create(&j->log, path, 0600, err);
    if (rc) {
        free(j);
        return rc;
    }
    rc = sync_thread_init(&j->sync, &j->log.base, err);
    if (rc) {
        journal_close(j);
    } else {
        *out = j;
    }
    return rc;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    sync_thread_release(&j->sync);
    record_log_close(&j->log);
    buf_release(&j->group);
    free(j);
}

/* The place of the next entry in the group. */
static size_t begin(struct journal *j)
{
    size_t from = j->group.len;
    buf_putc(&j->group, from ? ',' : '[');
    return from;
}

/* Counts the entry, or takes back what there is of it. */
static uint64_t end(struct journal *j, size_t from)
{
    if (!j->group.rc)
        return ++j->last;
    buf_clear(&j->group);
    j->group.len = from;
    return 0;
}

uint64_t journal_intent(struct journal *j, uint32_t segment, struct str key,
                        const struct change *c)
{
    size_t from = begin(j);
    entry_intent(&j->group, j->last + 1, segment, key, c);
    return end(j, from);
}

uint64_t journal_outcome(struct journal *j, uint64_t intent, enum outcome what)
{
    size_t from = begin(j);
    entry_outcome(&j->group, intent, NULL, what);
    return end(j, from);
}

uint64_t journal_settled(struct journal *j, uint32_t generation, uint32_t worker,
                         uint64_t intent, enum outcome what)
{
    uint32_t of[2] = {generation, worker};
    size_t from = begin(j);
    entry_outcome(&j->group, intent, of, what);
    return end(j, from);
}

uint64_t journal_mark(struct journal *j, const struct journal_mark *m)
{
    size_t from = begin(j);
    entry_mark(&j->group, m);
    return end(j, from);
}

static enum rc fail(struct journal *j, enum rc rc, struct err *err)
{
    j->failed = true;
    j->err = *err;
    return rc;
}

static enum rc collect(struct journal *j, enum rc rc, struct err *err)
{
    if (rc == RC_AGAIN)
        return RC_OK;
    j->under_way = false;
    sync_thread_clear(&j->sync);
    if (rc)
        return fail(j, rc, err);
    j->durable = j->asked;
    return RC_OK;
}

static enum rc send(struct journal *j, struct err *err)
{
    if (j->under_way || !j->group.len)
        return RC_OK;
    buf_putc(&j->group, ']');
    enum rc rc = buf_check(&j->group, err);
    if (rc)
        return fail(j, rc, err);
    struct buf empty = j->sync.record;
    j->sync.record = j->group;
    j->group = empty;
    j->asked = j->last;
    j->under_way = true;
    sync_thread_begin(&j->sync);
    return RC_OK;
}

static enum rc again(const struct journal *j, struct err *err)
{
    *err = j->err;
    return j->err.rc;
}

enum rc journal_step(struct journal *j, struct err *err)
{
    if (j->failed)
        return again(j, err);
    enum rc rc = j->under_way ? collect(j, sync_thread_poll(&j->sync, err), err) : RC_OK;
    return rc ? rc : send(j, err);
}

uint64_t journal_durable(const struct journal *j)
{
    return j->durable;
}

bool journal_busy(const struct journal *j)
{
    return j->durable < j->last;
}

int journal_fd(const struct journal *j)
{
    return j->sync.wake[0];
}

enum rc journal_flush(struct journal *j, struct err *err)
{
    enum rc rc = journal_step(j, err);
    while (!rc && journal_busy(j)) {
        rc = collect(j, sync_thread_wait(&j->sync, err), err);
        if (!rc)
            rc = send(j, err);
    }
    return rc;
}
