/* SPDX-License-Identifier: MIT */
/*
 * The order of work on an item. Rows are gathered in the page's arena; an item that turns out
 * to be filtered or rejected takes its rows back, and what was noted of them, so it never leaves
 * half of itself behind.
 */
#include "pipeline/run/pass.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/decode.h"
#include "pipeline/run/emit.h"
#include "pipeline/run/route.h"

enum { BATCH_BYTES = 32 << 10 }; /* of items: what they become fits a second-level cache */

struct pass {
    const struct plan *plan;
    struct decoder *decoder;
    struct arena arena;
    struct emit *emit;
    struct rows_out rows;
    struct reject *rejects;
    size_t nrejects, cap_rejects;
    struct buf key;
    int64_t now_us;
    bool keyless;
    struct notes notes; /* of the item under way */
};

/* What the source says of an item's bytes. */
struct unread {
    const char *fault; /* NULL, or why they are no item */
    uint64_t place;    /* in the file */
    uint64_t whole;    /* how many there are in the file */
};

struct pass *pass_new(const struct plan *plan, const struct pass_options *opts)
{
    struct pass *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->plan = plan;
    p->now_us = opts->now_us;
    p->keyless = opts->keyless && plan->schema.nextracts == 0;
    arena_init(&p->arena, (size_t)1 << 20);
    buf_init(&p->key, BUF_NO_LIMIT);
    p->decoder = decoder_new();
    p->notes.keep_nulls = opts->keep_nulls;
    p->notes.counts = calloc(plan->schema.nnotes + 1, sizeof *p->notes.counts);
    p->emit = emit_new(plan, opts->mask_key, opts->now_us);
    if (!p->decoder || !p->emit || !p->notes.counts) {
        pass_free(p);
        return NULL;
    }
    return p;
}

void pass_free(struct pass *p)
{
    if (!p)
        return;
    decoder_free(p->decoder);
    emit_free(p->emit);
    arena_release(&p->arena);
    buf_release(&p->key);
    free(p->notes.counts);
    free(p);
}

static void reset(struct pass *p)
{
    arena_clear(&p->arena);
    p->rows = (struct rows_out){0};
    p->rejects = NULL;
    p->nrejects = p->cap_rejects = 0;
}

static enum rc check_key(const struct pass *p, const struct item *item, struct fault *why)
{
    for (uint32_t i = 0; i < p->plan->key.n; i++) {
        if (!item_get(item, p->plan->key.v[i])) {
            return fault_set(why, "missing-key", 0, "the item has no key attribute \"%.*s\"",
                             STR_FMT(p->plan->key.v[i]));
        }
    }
    return RC_OK;
}

static enum rc source_key(struct pass *p, const struct item *item, struct str *out)
{
    buf_clear(&p->key);
    canon_key(&p->key, item, p->plan->key.v, p->plan->key.n);
    *out = arena_dup(&p->arena, buf_view(&p->key));
    return p->key.rc == RC_OK && out->p ? RC_OK : RC_NOMEM;
}

/* Everything behind the decoder. Rows of a failed item stay in p->rows: the caller cuts. */
static enum rc transform(struct pass *p, struct pass_trace *t)
{
    struct str key = {0};
    enum rc rc = check_key(p, &t->item, &t->fault);
    if (rc != RC_OK)
        return rc;
    if (route_expired(p->plan, &t->item, p->now_us)) {
        t->stage = "ttl";
        t->note = p->plan->note_ttl;
        return RC_END;
    }
    t->entity = route_item(p->plan, &t->item);
    if (t->entity == ROUTE_NONE)
        return RC_AGAIN; /* unrouted */
    rc = p->keyless ? RC_OK : source_key(p, &t->item, &key);
    if (rc != RC_OK)
        return rc;
    struct emit_job job = {.shape = p->plan->shapes[t->entity],
                           .entity = t->entity,
                           .item = &t->item,
                           .arena = &p->arena,
                           .rows = &p->rows,
                           .notes = &p->notes,
                           .source_key = key,
                           .why = &t->fault};
    rc = emit_item(p->emit, &job);
    t->stage = job.stage;
    t->spec = job.spec;
    t->note = job.note;
    return rc;
}

/* Bytes that the source could not take for an item; of many only the start is here. */
static enum rc no_item(const struct unread *u, struct str raw, struct fault *why)
{
    static const struct {
        const char *fault, *text;
    } TEXTS[] = {
        {"line-too-long", "the item is longer than items may be"},
        {"truncated-document", "the document ends before its end"},
        {"malformed-document", "the document is broken here, what follows is no item"}};
    const char *text = "the bytes cannot be taken as an item";
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        if (strcmp(TEXTS[i].fault, u->fault) == 0)
            text = TEXTS[i].text;
    }
    if (u->whole <= raw.n)
        return fault_set(why, u->fault, 0, "%s", text);
    return fault_set(why, u->fault, 0,
                     "%s: of its %llu bytes in the source the first %zu are kept", text,
                     (unsigned long long)u->whole, raw.n);
}

/* Member by member: the room for a fault's text, which most items never use, stays as it is. */
static void begin_trace(struct pass_trace *t, struct str raw)
{
    t->fate = FATE_ROUTED;
    t->item = (struct item){.raw = raw};
    t->entity = UINT32_MAX;
    t->stage = NULL;
    t->spec = NULL;
    t->note = NOTE_NONE;
    t->fault.reason = NULL;
    t->fault.position = 0;
    t->fault.detail[0] = 0;
}

static enum rc run_item(struct pass *p, struct str raw, const struct unread *u,
                        struct pass_trace *t)
{
    size_t rows = p->rows.n;
    begin_trace(t, raw);
    enum rc rc = u->fault ? no_item(u, raw, &t->fault)
                          : item_decode(p->decoder, raw, &p->arena, &t->item, &t->fault);
    if (rc == RC_OK)
        rc = transform(p, t);
    if (rc == RC_NOMEM)
        return rc;
    t->fate = rc == RC_OK      ? FATE_ROUTED
              : rc == RC_END   ? FATE_FILTERED
              : rc == RC_AGAIN ? FATE_UNROUTED
                               : FATE_REJECTED;
    if (rc != RC_OK)
        p->rows.n = rows;
    t->rows = p->rows.v + rows;
    t->nrows = p->rows.n - rows;
    return RC_OK;
}

static struct reject *add_reject(struct pass *p)
{
    if (p->nrejects == p->cap_rejects) {
        size_t cap = p->cap_rejects ? p->cap_rejects * 2 : 32;
        struct reject *v = arena_alloc(&p->arena, cap * sizeof *v);
        if (!v)
            return NULL;
        if (p->nrejects)
            memcpy(v, p->rejects, p->nrejects * sizeof *v);
        p->rejects = v;
        p->cap_rejects = cap;
    }
    return &p->rejects[p->nrejects++];
}

static enum rc keep_reject(struct pass *p, const struct pass_trace *t, uint64_t position)
{
    struct reject *r = add_reject(p);
    if (!r)
        return RC_NOMEM;
    *r = (struct reject){.raw = t->item.raw, .position = position + t->fault.position};
    if (t->fate == FATE_UNROUTED) {
        r->kind = REJECT_UNROUTED;
        r->reason = "unrouted";
        r->entity = route_type(p->plan, &t->item);
        return RC_OK;
    }
    r->kind = REJECT_ITEM;
    r->reason = t->fault.reason;
    r->detail = arena_dup(&p->arena, str_of(t->fault.detail));
    if (t->entity != UINT32_MAX)
        r->entity = p->plan->model->entities[t->entity].name;
    return r->detail.p ? RC_OK : RC_NOMEM;
}

static void count_rows(const struct pass_trace *t, uint64_t *counters)
{
    for (size_t i = 0; i < t->nrows; i++) {
        if (t->rows[i].extract == UINT32_MAX)
            counters[CNT_FIXED + t->rows[i].table]++;
    }
}

/* Takes the notes of the item over, or forgets them. */
static void settle_notes(struct pass *p, const struct pass_trace *t, uint64_t *notes)
{
    if (notes && t->fate == FATE_FILTERED && t->note != NOTE_NONE)
        notes[t->note]++;
    for (uint32_t i = 0; p->notes.any && i < p->plan->schema.nnotes; i++) {
        if (notes && t->fate == FATE_ROUTED)
            notes[i] += p->notes.counts[i];
        p->notes.counts[i] = 0;
    }
    p->notes.any = false;
}

static enum rc take_item(struct pass *p, struct str raw, const struct unread *u,
                         uint64_t *counters)
{
    static const unsigned FATES[] = {[FATE_ROUTED] = CNT_ROUTED,
                                     [FATE_FILTERED] = CNT_FILTERED,
                                     [FATE_UNROUTED] = CNT_UNROUTED,
                                     [FATE_REJECTED] = CNT_REJECTED};
    struct pass_trace t;
    enum rc rc = run_item(p, raw, u, &t);
    if (rc != RC_OK)
        return rc;
    settle_notes(p, &t, counters + CNT_FIXED + p->plan->schema.ntables);
    counters[CNT_READ]++;
    counters[FATES[t.fate]]++;
    count_rows(&t, counters);
    if (t.fate == FATE_UNROUTED || t.fate == FATE_REJECTED)
        rc = keep_reject(p, &t, u->place);
    return rc;
}

enum rc pass_page(struct pass *p, const struct page *page, size_t *at, struct batch *out,
                  uint64_t *counters, struct err *err)
{
    reset(p);
    struct str raw;
    struct unread u = {0};
    size_t bytes = 0;
    enum rc rc = RC_OK;
    while (rc == RC_OK && bytes < BATCH_BYTES && page_next(page, at, &raw, &u.fault)) {
        u.place = page_place(page, *at, raw);
        u.whole = u.fault ? page_whole(page, *at, raw) : raw.n;
        rc = take_item(p, raw, &u, counters);
        bytes += raw.n + 1;
    }
    if (rc != RC_OK)
        return err_nomem(err);
    if (bytes == 0) {
        counters[CNT_READ] += page->scanned_out;
        counters[CNT_FILTERED] += page->scanned_out;
        return RC_END;
    }
    *out = (struct batch){.segment = page->segment,
                          .input = page->input,
                          .rows = p->rows.v,
                          .nrows = p->rows.n,
                          .rejects = p->rejects,
                          .nrejects = p->nrejects};
    return RC_OK;
}

enum rc pass_one(struct pass *p, struct str raw, struct pass_trace *out, struct err *err)
{
    reset(p);
    if (run_item(p, raw, &(struct unread){0}, out) != RC_OK)
        return err_nomem(err);
    settle_notes(p, out, NULL);
    return RC_OK;
}
