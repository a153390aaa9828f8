/* SPDX-License-Identifier: MIT */
/*
 * Logs are read in the order of their processes. Within one process a segment belongs to one
 * worker, so the order of its workers does not matter. A mark covers those intents of its segment
 * that lie in its page and the pages before, and whose outcome its own process has journalled, be it
 * a second time. Intents that another process wrote further on stay until their items are met again,
 * or the segment is done. An open one stays until an outcome is found: no mark is written over it.
 */
#include <stdlib.h>

#include "sinks/dynamodb/journal/history.h"
#include "sinks/dynamodb/journal/logs.h"
#include "sinks/dynamodb/journal/open_intents.h"

struct part {
    struct open_intent_list intents; /* not covered */
    struct buf resume;
};

struct reading {
    struct resume_point *st;
    struct open_intents open;
    struct part *parts; /* by segment */
    uint32_t segments;
};

static enum rc outside(const char *what, struct err *err)
{
    return err_set(err, RC_SINK, "the journal tells of a %s that the pass does not have", what);
}

static enum rc see_progress(void *ctx, uint32_t segment, bool done, struct str resume,
                            struct err *err)
{
    struct reading *r = ctx;
    struct segment_state *seg = &r->st->segments[segment];
    seg->done = seg->done || done;
    struct buf *to = &r->parts[segment].resume;
    buf_clear(to);
    buf_add_str(to, resume);
    return buf_check(to, err);
}

static enum rc see_count(void *ctx, uint32_t row, enum fate fate, uint64_t n, struct err *err)
{
    struct reading *r = ctx;
    if (row >= r->st->rows)
        return outside("entity", err);
    r->st->counts[(size_t)row * FATES + fate] += n;
    r->st->items += n;
    return RC_OK;
}

static void cover(struct reading *r, uint32_t segment, uint32_t generation)
{
    bool all = r->st->segments[segment].done;
    struct open_intent_node *next;
    for (struct open_intent_node *n = r->parts[segment].intents.first; n; n = next) {
        next = n->next;
        if (n->known && (all || n->told_by == generation))
            open_intents_drop(&r->open, n);
    }
}

static enum rc see_outcome(struct reading *r, struct open_intent_id id, enum outcome what,
                           uint32_t generation)
{
    struct open_intent_node *n = open_intents_find(&r->open, id);
    if (n && what == OUTCOME_VOID) {
        open_intents_drop(&r->open, n);
    } else if (n) {
        n->known = true;
        n->told_by = generation;
        n->outcome = what;
    }
    return RC_OK;
}

static enum rc add(struct reading *r, struct open_intent_id id, const struct entry *e,
                   struct err *err)
{
    return open_intents_add(&r->open, &r->parts[e->segment].intents, id, e) ? RC_OK
                                                                            : err_nomem(err);
}

static enum rc see(void *ctx, struct log_name name, const struct entry *e, struct err *err)
{
    struct reading *r = ctx;
    struct open_intent_id id = {name.generation, name.worker, e->id};
    const struct mark_taker to = {
        .ctx = r, .progress = see_progress, .count = see_count, .listed = NULL};
    if (e->kind == ENTRY_OUTCOME) {
        if (e->foreign)
            id = (struct open_intent_id){e->generation, e->worker, e->id};
        return see_outcome(r, id, e->outcome, name.generation);
    }
    if (e->segment >= r->segments)
        return outside("segment", err);
    if (e->kind == ENTRY_INTENT)
        return add(r, id, e, err);
    enum rc rc = entry_mark_read(e, &to, err);
    if (!rc)
        cover(r, e->segment, name.generation);
    return rc;
}

/* Copies an intent into the standing's own memory. */
static enum rc keep(struct resume_point *st, const struct open_intent_node *n,
                    struct intent *it, struct decoder *d, struct err *err)
{
    struct entry e = n->entry;
    e.key = arena_dup(&st->arena, e.key);
    e.old = arena_dup(&st->arena, e.old);
    e.new_ = arena_dup(&st->arena, e.new_);
    if (!e.key.p || !e.old.p || !e.new_.p)
        return err_nomem(err);
    *it = (struct intent){.generation = n->id.generation,
                          .worker = n->id.worker,
                          .id = n->id.id,
                          .segment = e.segment,
                          .key = e.key,
                          .open = !n->known,
                          .outcome = n->outcome};
    return entry_change(&e, d, &st->arena, &it->change, err);
}

static enum rc keep_part(struct resume_point *st, const struct part *part, uint32_t pass,
                         struct decoder *d, struct err *err)
{
    enum rc rc = RC_OK;
    for (struct open_intent_node *n = part->intents.first; n && !rc; n = n->next) {
        struct intent *it = &st->intents[st->nintents++];
        rc = keep(st, n, it, d, err);
        it->pass = pass;
    }
    return rc;
}

static enum rc keep_all(struct reading *r, uint32_t pass, struct err *err)
{
    struct resume_point *st = r->st;
    st->intents = arena_array(&st->arena, r->open.n + 1, sizeof *st->intents);
    struct decoder *d = decoder_new();
    if (!d || !st->intents) {
        decoder_free(d);
        return err_nomem(err);
    }
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < r->segments && !rc; i++) {
        rc = keep_part(st, &r->parts[i], pass, d, err);
        st->segments[i].resume = arena_dup(&st->arena, buf_view(&r->parts[i].resume));
        if (!rc && !st->segments[i].resume.p)
            rc = err_nomem(err);
    }
    decoder_free(d);
    return rc;
}

static enum rc prepare(struct reading *r, struct err *err)
{
    struct resume_point *st = r->st;
    st->segments = arena_array(&st->arena, (size_t)r->segments + 1, sizeof *st->segments);
    st->counts = arena_array(&st->arena, (size_t)st->rows * FATES + 1, sizeof *st->counts);
    r->parts = calloc((size_t)r->segments + 1, sizeof *r->parts);
    if (!st->segments || !st->counts || !r->parts)
        return err_nomem(err);
    for (uint32_t i = 0; i < r->segments; i++)
        buf_init(&r->parts[i].resume, BUF_NO_LIMIT);
    return RC_OK;
}

enum rc resume_point_read(struct resume_point *st, const struct state *s,
                          const struct pass_info *pass, uint32_t rows, struct err *err)
{
    struct reading r = {.st = st, .segments = pass->segments};
    struct logs logs = {0};
    *st = (struct resume_point){.rows = rows};
    arena_init(&st->arena, 0);
    open_intents_init(&r.open);
    enum rc rc = prepare(&r, err);
    if (!rc)
        rc = logs_find(&logs, s, pass->number, err);
    for (size_t i = 0; i < logs.n && !rc; i++)
        rc = logs_read(s, logs.v[i], see, &r, NULL, err);
    if (!rc)
        rc = keep_all(&r, pass->number, err);
    for (uint32_t i = 0; r.parts && i < r.segments; i++)
        buf_release(&r.parts[i].resume);
    free(r.parts);
    logs_release(&logs);
    open_intents_release(&r.open);
    if (rc)
        resume_point_release(st);
    return rc;
}

void resume_point_release(struct resume_point *st)
{
    arena_release(&st->arena);
    *st = (struct resume_point){0};
}
