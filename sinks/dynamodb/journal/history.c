/* SPDX-License-Identifier: MIT */
/*
 * Two readings: forward once, to count and to find the end of every log; then backward, where
 * an outcome comes before its intent and is remembered until then. Processes of a pass follow
 * one another; the workers of one process never write to the same item, so their logs may come
 * in any order.
 */
#include "sinks/dynamodb/journal/history.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "sinks/dynamodb/journal/log_backward.h"
#include "sinks/dynamodb/journal/logs.h"
#include "sinks/dynamodb/journal/open_intents.h"

struct spot {
    struct log_name log;
    uint64_t id; /* 0: before all */
};

struct history {
    const struct state *s;
    struct logs logs;
    uint64_t *ends; /* by log */
    uint64_t count;
    size_t left;             /* logs not begun yet */
    struct log_backward log; /* of logs.v[left] */
    struct entry *entries;
    size_t n, cap; /* of the record being handed out */
    struct open_intents open;
    struct open_intent_list outcomes; /* their intents are still to come */
    struct decoder *decoder;
    struct arena arena;
    struct spot got, from; /* the last handed out; what lies at or behind `from` is left out */
};

static bool wanted(const struct state *s, uint32_t pass)
{
    if (pass == 0 || pass > s->n)
        return false;
    const struct pass_info *p = &s->passes[pass - 1];
    return p->kind == PASS_FILL && !p->undone;
}

static enum rc see(void *ctx, struct log_name name, const struct entry *e, struct err *err)
{
    struct history *h = ctx;
    (void)name;
    (void)err;
    h->count += e->kind == ENTRY_INTENT;
    h->count -= h->count && e->kind == ENTRY_OUTCOME && e->outcome == OUTCOME_VOID;
    return RC_OK;
}

static enum rc read_forward(struct history *h, struct err *err)
{
    size_t n = 0;
    enum rc rc = logs_find(&h->logs, h->s, 0, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < h->logs.n; i++) {
        if (wanted(h->s, h->logs.v[i].pass))
            h->logs.v[n++] = h->logs.v[i];
    }
    h->logs.n = h->left = n;
    h->ends = calloc(n + 1, sizeof *h->ends);
    if (!h->ends)
        return err_nomem(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = logs_read(h->s, h->logs.v[i], see, h, &h->ends[i], err);
    return rc;
}

enum rc history_open(const struct state *s, struct history **out, struct err *err)
{
    struct history *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h)
        return err_nomem(err);
    h->s = s;
    log_backward_init(&h->log);
    open_intents_init(&h->open);
    arena_init(&h->arena, 0);
    h->decoder = decoder_new();
    enum rc rc = h->decoder ? read_forward(h, err) : err_nomem(err);
    if (rc) {
        history_close(h);
    } else {
        *out = h;
    }
    return rc;
}

void history_close(struct history *h)
{
    if (!h)
        return;
    log_backward_close(&h->log);
    open_intents_release(&h->open);
    arena_release(&h->arena);
    decoder_free(h->decoder);
    logs_release(&h->logs);
    free(h->ends);
    free(h->entries);
    free(h);
}

uint64_t history_count(const struct history *h)
{
    return h->count;
}

/* ---- backward ------------------------------------------------------------------------------- */

static enum rc older_log(struct history *h, struct err *err)
{
    char path[FS_PATH];
    if (h->left == 0)
        return RC_END;
    struct log_name name = h->logs.v[--h->left];
    bool other = h->left + 1 < h->logs.n && h->logs.v[h->left + 1].pass != name.pass;
    if (other) { /* outcomes are of their own pass */
        open_intents_release(&h->open);
        h->outcomes = (struct open_intent_list){0};
    }
    state_log_path(h->s, name.pass, name.generation, name.worker, path);
    return log_backward_open(&h->log, path, h->ends[h->left], err);
}

static enum rc keep_entry(struct history *h, const struct entry *e, struct err *err)
{
    struct entry *v = memory_push(h->entries, h->n, &h->cap, 256, sizeof *v);
    if (!v)
        return err_nomem(err);
    h->entries = v;
    h->entries[h->n++] = *e;
    return RC_OK;
}

/* Fills `entries` with those of the record before. RC_END: there is none. */
static enum rc older_record(struct history *h, struct err *err)
{
    struct str json;
    struct entry e;
    enum rc rc = log_backward_prev(&h->log, &json, err);
    while (rc == RC_END) {
        rc = older_log(h, err);
        if (rc)
            return rc;
        rc = log_backward_prev(&h->log, &json, err);
    }
    if (rc)
        return rc;
    while (!(rc = entry_next(&json, &e, err)) && !(rc = keep_entry(h, &e, err))) {
    }
    return rc == RC_END ? RC_OK : rc;
}

/* The latest word counts: it comes first here. */
static enum rc see_outcome(struct history *h, const struct entry *e, struct err *err)
{
    struct log_name log = h->logs.v[h->left];
    struct open_intent_id id = {log.generation, log.worker, e->id};
    if (e->foreign)
        id = (struct open_intent_id){e->generation, e->worker, e->id};
    if (open_intents_find(&h->open, id))
        return RC_OK;
    struct open_intent_node *n = open_intents_add(&h->open, &h->outcomes, id, e);
    if (!n)
        return err_nomem(err);
    n->known = true;
    n->outcome = e->outcome;
    return RC_OK;
}

static int cmp(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool older(struct spot a, struct spot b)
{
    int c = cmp(a.log.pass, b.log.pass);
    c = c ? c : cmp(a.log.generation, b.log.generation);
    c = c ? c : cmp(a.log.worker, b.log.worker);
    c = c ? c : cmp(a.id, b.id);
    return c < 0;
}

/* RC_NONE: it is not one to be put back. */
static enum rc hand_out(struct history *h, const struct entry *e, struct intent *out,
                        struct err *err)
{
    struct spot at = {h->logs.v[h->left], e->id};
    struct open_intent_id id = {at.log.generation, at.log.worker, e->id};
    struct open_intent_node *n = open_intents_find(&h->open, id);
    *out = (struct intent){.pass = at.log.pass,
                           .generation = at.log.generation,
                           .worker = at.log.worker,
                           .id = e->id,
                           .segment = e->segment,
                           .key = e->key,
                           .open = !n,
                           .outcome = n ? n->outcome : OUTCOME_VOID};
    if (n)
        open_intents_drop(&h->open, n);
    if ((!out->open && out->outcome == OUTCOME_VOID) || (h->from.id && !older(at, h->from)))
        return RC_NONE;
    h->got = at;
    arena_clear(&h->arena);
    return entry_change(e, h->decoder, &h->arena, &out->change, err);
}

enum rc history_next(struct history *h, struct intent *out, struct err *err)
{
    for (;;) {
        enum rc rc = h->n ? RC_OK : older_record(h, err);
        if (rc)
            return rc;
        while (h->n) {
            const struct entry *e = &h->entries[--h->n];
            rc = RC_NONE;
            if (e->kind == ENTRY_OUTCOME) {
                rc = see_outcome(h, e, err);
                rc = rc ? rc : RC_NONE;
            } else if (e->kind == ENTRY_INTENT) {
                rc = hand_out(h, e, out, err);
            }
            if (rc != RC_NONE)
                return rc;
        }
    }
}

/* ---- places --------------------------------------------------------------------------------- */

enum rc history_place(const struct history *h, struct buf *out, struct err *err)
{
    const struct spot *p = h->got.id ? &h->got : &h->from;
    if (p->id) {
        buf_addf(out, "%u-%u-%u-%llu", p->log.pass, p->log.generation, p->log.worker,
                 (unsigned long long)p->id);
    }
    return buf_check(out, err);
}

enum rc history_seek(struct history *h, struct str place, struct err *err)
{
    unsigned long long v[4] = {0};
    struct str rest = place;
    for (int i = 0; i < 4 && place.n; i++) {
        size_t end = str_find(rest, STR("-"), 0);
        if (!str_uint(str_make(rest.p, end), &v[i]) || (i < 3 && v[i] > UINT32_MAX))
            return err_set(err, RC_SINK, "the journal holds a place that makes no sense");
        rest = str_from(rest, end < rest.n ? end + 1 : end);
    }
    struct log_name log = {(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    struct spot to = {log, v[3]};
    if (!h->from.id || (to.id && older(to, h->from)))
        h->from = to;
    return RC_OK;
}
