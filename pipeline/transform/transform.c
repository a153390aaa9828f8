/* SPDX-License-Identifier: MIT */
/*
 * The order of work on an item. Rows are gathered in the page's arena; an item that turns out
 * to be filtered or rejected takes its rows back, and what was noted of them, so it never
 * leaves half of itself behind.
 */
#include "pipeline/transform/transform.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/decoder.h"
#include "pipeline/transform/make_rows.h"
#include "pipeline/transform/route.h"

/* The rows of so many bytes of items fit a second-level cache. */
enum { BATCH_BYTES = 32 << 10 };

struct transform {
    const struct plan *plan;
    struct decoder *decoder;
    struct arena arena;
    struct make_rows *make_rows;
    struct rows_out rows;
    struct reject *rejects;
    size_t nrejects, cap_rejects;
    struct buf key;
    int64_t now_us;
    bool keyless;
    struct notes notes; /* of the item under way */
    struct profile_layout layout;
    struct extras *extras; /* borrowed, or NULL */
    uint64_t *counters;    /* of the page under way, or NULL */
    uint32_t segment;      /* of that page */
    uint32_t source;       /* of its items */
};

/* What the source says of an item's bytes. */
struct unread {
    const char *fault; /* NULL, or why they are no item */
    uint64_t place;    /* in the file */
    uint64_t whole;    /* how many there are in the file */
};

struct transform *transform_new(const struct plan *plan, const struct transform_options *opts)
{
    struct transform *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->plan = plan;
    p->now_us = opts->now_us;
    p->source = SOURCE_ANY;
    p->keyless = opts->keyless && plan->schema.nextracts == 0;
    arena_init(&p->arena, (size_t)1 << 20);
    buf_init(&p->key, BUF_NO_LIMIT);
    p->decoder = decoder_new();
    p->notes.keep_nulls = opts->keep_nulls;
    p->notes.counts = calloc(plan->schema.nnotes + 1, sizeof *p->notes.counts);
    p->make_rows = make_rows_new(plan, opts);
    p->extras = opts->extras;
    bool laid = !profile_layout_init(&p->layout, &plan->schema);
    if (!p->decoder || !p->make_rows || !p->notes.counts || !laid) {
        transform_free(p);
        return NULL;
    }
    transform_set_plain(p, opts->plain);
    return p;
}

void transform_set_plain(struct transform *p, bool plain)
{
    decoder_set_form(p->decoder, plain ? DECODER_PLAIN : DECODER_TYPED);
}

void transform_free(struct transform *p)
{
    if (!p)
        return;
    decoder_free(p->decoder);
    make_rows_free(p->make_rows);
    arena_release(&p->arena);
    buf_release(&p->key);
    free(p->notes.counts);
    profile_layout_release(&p->layout);
    free(p);
}

static void reset(struct transform *p)
{
    arena_clear(&p->arena);
    p->rows = (struct rows_out){0};
    p->rejects = NULL;
    p->nrejects = p->cap_rejects = 0;
}

static enum rc check_key(const struct transform *p, const struct item *item, struct fault *why)
{
    const struct names *key = plan_key_of(p->plan, item->source);
    for (uint32_t i = 0; i < key->n; i++) {
        const struct val *v = item_get(item, key->v[i]);
        if (!v || v->kind == VAL_NULL) {
            return fault_set(why, "missing-key", 0, "the item has no key attribute \"%.*s\"",
                             STR_FMT(key->v[i]));
        }
    }
    return RC_OK;
}

static enum rc source_key(struct transform *p, const struct item *item, struct str *out)
{
    buf_clear(&p->key);
    const struct names *key = plan_key_of(p->plan, item->source);
    canon_key(&p->key, item, key->v, key->n);
    *out = arena_dup(&p->arena, buf_view(&p->key));
    return !p->key.rc && out->p ? RC_OK : RC_NOMEM;
}

/* Does everything behind the decoder and sets t->fate. RC_OK, RC_DATA with a fault, RC_NOMEM.
   Rows of an item that is not routed stay in p->rows; the caller cuts them off. */
static enum rc transform(struct transform *p, struct transform_trace *t)
{
    struct str key = {0};
    bool unplaced = t->item.source == SOURCE_ANY && p->plan->nsources;
    enum rc rc = unplaced ? RC_OK : check_key(p, &t->item, &t->fault);
    if (rc)
        return rc;
    if (route_expired(p->plan, &t->item, p->now_us)) {
        t->stage = "ttl";
        t->note = p->plan->note_ttl;
        t->fate = ITEM_FILTERED;
        return RC_OK;
    }
    t->entity = route_item(p->plan, &t->item);
    if (t->entity == ROUTE_NONE) {
        t->fate = ITEM_UNROUTED;
        return RC_OK;
    }
    if (!p->plan->shapes[t->entity]) {
        t->stage = "only";
        t->note = p->plan->note_left_out;
        t->fate = ITEM_FILTERED;
        return RC_OK;
    }
    t->item.source = plan_place(p->plan, &p->plan->model->entities[t->entity], t->item.source);
    if (unplaced && t->item.source != SOURCE_ANY)
        rc = check_key(p, &t->item, &t->fault);
    if (!rc && !p->keyless)
        rc = source_key(p, &t->item, &key);
    if (rc)
        return rc;
    struct make_rows_job job = {.shape = p->plan->shapes[t->entity],
                                .entity = t->entity,
                                .item = &t->item,
                                .arena = &p->arena,
                                .decoder = p->decoder,
                                .rows = &p->rows,
                                .notes = &p->notes,
                                .source_key = key,
                                .why = &t->fault,
                                .stages = p->counters ? p->counters + p->layout.stages : NULL};
    rc = make_rows_item(p->make_rows, &job);
    t->fate = job.fate;
    t->stage = job.stage;
    t->spec = job.spec;
    t->note = job.note;
    return rc;
}

/* Says why the source could not take bytes for an item. `raw` may be only their beginning. */
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

/* Sets member by member, so that the room for a fault's text, which most items never use, is
   not cleared each time. */
static void begin_trace(struct transform_trace *t, struct str raw)
{
    t->fate = ITEM_ROUTED;
    t->item = (struct item){.raw = raw, .source = SOURCE_ANY};
    t->entity = UINT32_MAX;
    t->stage = NULL;
    t->spec = NULL;
    t->note = NOTE_NONE;
    t->fault.reason = NULL;
    t->fault.position = 0;
    t->fault.detail[0] = 0;
    t->fault.table = t->fault.column = (struct str){0};
    t->fault.as_row = false;
}

static enum rc run_item(struct transform *p, struct str raw, const struct unread *u,
                        struct transform_trace *t)
{
    size_t rows = p->rows.n;
    begin_trace(t, raw);
    enum rc rc = u->fault ? no_item(u, raw, &t->fault)
                          : item_decode(p->decoder, raw, &p->arena, &t->item, &t->fault);
    t->item.source = p->source;
    if (!rc)
        rc = transform(p, t);
    if (rc == RC_NOMEM)
        return rc;
    if (rc)
        t->fate = ITEM_REJECTED;
    if (t->fate != ITEM_ROUTED)
        p->rows.n = rows;
    t->rows = p->rows.v + rows;
    t->nrows = p->rows.n - rows;
    return RC_OK;
}

static struct reject *add_reject(struct transform *p)
{
    struct reject *v =
        arena_push(&p->arena, p->rejects, p->nrejects, &p->cap_rejects, 32, sizeof *v);
    if (!v)
        return NULL;
    p->rejects = v;
    return &p->rejects[p->nrejects++];
}

/* TABLE.COLUMN, or the name of an attribute. */
static enum rc about(struct transform *p, const struct fault *f, struct str *out)
{
    buf_clear(&p->key);
    buf_add_str(&p->key, f->table);
    buf_puts(&p->key, f->table.n ? "." : "");
    buf_add_str(&p->key, f->column);
    *out = arena_dup(&p->arena, buf_view(&p->key));
    return !p->key.rc && out->p ? RC_OK : RC_NOMEM;
}

static enum rc keep_reject(struct transform *p, const struct transform_trace *t,
                           uint64_t position)
{
    struct reject *r = add_reject(p);
    if (!r)
        return RC_NOMEM;
    *r = (struct reject){.raw = t->item.raw, .position = position + t->fault.position};
    if (t->fate == ITEM_UNROUTED) {
        r->kind = REJECT_UNROUTED;
        r->reason = "unrouted";
        r->entity = route_type(p->plan, &t->item);
        if (p->plan->masks || p->plan->key.n == 0)
            return RC_OK;
        return source_key(p, &t->item, &r->example);
    }
    r->kind = REJECT_ITEM;
    r->reason = t->fault.reason;
    r->detail = arena_dup(&p->arena, str_of(t->fault.detail));
    if (t->entity != UINT32_MAX)
        r->entity = p->plan->model->entities[t->entity].name;
    if (t->fault.as_row || !p->plan->masks)
        r->example = r->detail;
    enum rc rc = about(p, &t->fault, &r->column);
    return r->detail.p ? rc : RC_NOMEM;
}

/* Counts the rows of an item and the attributes that went to `extra` with them. */
static enum rc count_rows(struct transform *p, const struct transform_trace *t, uint64_t place)
{
    enum rc rc = RC_OK;
    profile_layout_count(&p->layout, t->entity, t->rows, t->nrows, p->counters);
    for (size_t i = 0; p->extras && !rc && i < t->nrows; i++) {
        const struct row *row = &t->rows[i];
        if (row->nextra) {
            rc = extras_count(p->extras, extras_place(&p->plan->schema, t->entity, row->table),
                              row, (struct extra_place){p->segment, place});
        }
    }
    return rc;
}

/* Adds the notes of the item to the counters if it became rows, and forgets them. */
static void settle_notes(struct transform *p, const struct transform_trace *t, uint64_t *notes)
{
    if (notes && t->fate == ITEM_FILTERED && t->note != NOTE_NONE)
        notes[t->note]++;
    bool count = notes && t->fate == ITEM_ROUTED;
    for (uint32_t i = p->notes.from; i < p->notes.to; i++) {
        if (count)
            notes[i] += p->notes.counts[i];
        p->notes.counts[i] = 0;
    }
    p->notes.from = p->notes.to = 0;
}

static enum rc take_item(struct transform *p, struct str raw, const struct unread *u)
{
    uint64_t *counters = p->counters;
    static const unsigned FATES[] = {[ITEM_ROUTED] = CNT_ROUTED,
                                     [ITEM_FILTERED] = CNT_FILTERED,
                                     [ITEM_UNROUTED] = CNT_UNROUTED,
                                     [ITEM_REJECTED] = CNT_REJECTED};
    struct transform_trace t;
    enum rc rc = run_item(p, raw, u, &t);
    if (rc)
        return rc;
    settle_notes(p, &t, counters + CNT_FIXED + p->plan->schema.ntables);
    counters[CNT_READ]++;
    counters[FATES[t.fate]]++;
    if (t.fate == ITEM_ROUTED)
        rc = count_rows(p, &t, u->place);
    if (t.fate == ITEM_UNROUTED || t.fate == ITEM_REJECTED)
        rc = keep_reject(p, &t, u->place);
    return rc;
}

void transform_from(struct transform *p, const struct source_part *part)
{
    p->source = part ? plan_source_of(p->plan, part->name, part->stem) : SOURCE_ANY;
}

enum rc transform_page(struct transform *p, const struct page *page, size_t *at,
                       struct batch *out, uint64_t *counters, struct err *err)
{
    reset(p);
    p->counters = counters;
    p->segment = page->segment;
    transform_from(p, page->part);
    struct str raw;
    struct unread u = {0};
    size_t bytes = 0;
    enum rc rc = RC_OK;
    while (!rc && bytes < BATCH_BYTES && page_next(page, at, &raw, &u.fault)) {
        u.place = page_place(page, *at, raw);
        u.whole = u.fault ? page_whole(page, *at, raw) : raw.n;
        rc = take_item(p, raw, &u);
        bytes += raw.n + 1;
    }
    if (rc)
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

enum rc transform_one(struct transform *p, struct str raw, struct transform_trace *out,
                      struct err *err)
{
    reset(p);
    p->counters = NULL;
    settle_notes(p, out, NULL); /* those of the item before */
    if (run_item(p, raw, &(struct unread){0}, out))
        return err_nomem(err);
    out->notes = p->notes.counts;
    return RC_OK;
}
