/* SPDX-License-Identifier: MIT */
/* Workers gather the keys of wrong items while they scan; the main thread reads the items again. */
#include "sinks/dynamodb/fill/fill_verify.h"

#include <pthread.h>

#include "pipeline/source/table/get_item.h"
#include "sinks/dynamodb/fill/apply_recipe.h"
#include "sinks/dynamodb/fill/fill_verdict.h"
#include "sinks/dynamodb/fill/look.h"
#include "sinks/dynamodb/writer/update.h"

enum { MAX_TEXT = 64 << 20 };

struct suspect {
    struct str key; /* JSON object; empty: the item could not be decoded */
    struct fault why;
};

struct verify {
    const struct fill_setup *setup;
    const struct fill_verify_report *report;
    struct fill_verify *out;
    pthread_mutex_t mu;
    struct arena arena; /* lock: mu, while workers run */
    struct suspect *v;  /* lock: mu, while workers run */
    size_t n;           /* lock: mu, while workers run */
};

/* ---- while scanning ------------------------------------------------------------------------ */

/* lock: v->mu is held */
static enum rc keep(struct verify *v, const struct item *item, const struct change *change,
                    struct err *err)
{
    struct suspect *s = &v->v[v->n];
    struct buf key;
    if (v->n == FILL_VERIFY_AGAIN)
        return RC_OK;
    *s = (struct suspect){.why = change->why};
    buf_init(&key, MAX_TEXT);
    enum rc rc = item->n ? update_key(&key, item, &v->setup->plan->key, err) : RC_OK;
    if (!rc && item->n) {
        s->key = arena_dup(&v->arena, buf_view(&key));
        rc = s->key.p ? RC_OK : err_nomem(err);
    }
    buf_release(&key);
    v->n += !rc;
    return rc;
}

/* thread: worker. lock: v->mu is taken and left */
static enum rc look(void *ctx, uint32_t worker, const struct item *item,
                    const struct change *change, struct err *err)
{
    struct verify *v = ctx;
    (void)worker;
    if (change->fate != FATE_CHANGED && change->fate != FATE_FAILED)
        return RC_OK;
    (void)pthread_mutex_lock(&v->mu);
    enum rc rc = keep(v, item, change, err);
    (void)pthread_mutex_unlock(&v->mu);
    return rc;
}

/* ---- reading again ------------------------------------------------------------------------- */

static void add_failed(const struct verify *v, struct str key, const struct fault *why)
{
    v->report->failed(v->report->ctx, key, why);
    v->out->failed++;
}

/* Judges an item as it is now. `raw` is its line, or empty if it is gone. */
static enum rc apply_now(const struct verify *v, struct apply_recipe *j,
                         const struct suspect *s, const struct buf *raw, struct err *err)
{
    struct recipe_applied now = {.raw = str_make(raw->p, raw->len ? raw->len - 1 : 0)};
    enum rc rc = now.raw.n ? apply_recipe_item(j, &now, err) : RC_OK;
    if (rc)
        return rc;
    if (now.raw.n && now.change.fate == FATE_CHANGED) {
        v->report->wrong(v->report->ctx, s->key, &now.change);
        v->out->wrong++;
    } else if (now.raw.n && now.change.fate == FATE_FAILED) {
        add_failed(v, s->key, &now.change.why);
    } else {
        v->out->settled++;
    }
    return RC_OK;
}

static enum rc read_again(const struct verify *v, struct get_item *get, struct apply_recipe *j,
                          struct err *err)
{
    struct buf raw;
    enum rc rc = RC_OK;
    buf_init(&raw, MAX_TEXT);
    for (size_t i = 0; !rc && i < v->n; i++) {
        const struct suspect *s = &v->v[i];
        if (atomic_load(v->setup->stop)) {
            rc = err_set(err, RC_CANCEL, "interrupted");
        } else if (!s->key.n) {
            add_failed(v, s->key, &s->why);
        } else {
            buf_clear(&raw);
            rc = get_item_read(get, s->key, &raw, err);
            if (!rc)
                rc = apply_now(v, j, s, &raw, err);
        }
    }
    buf_release(&raw);
    return rc;
}

static enum rc settle(const struct verify *v, struct err *err)
{
    struct get_item *get = NULL;
    struct apply_recipe recipe;
    enum rc rc = apply_recipe_init(&recipe, v->setup, err);
    if (!rc)
        rc = get_item_new(v->setup->source, &get, err);
    if (!rc)
        rc = read_again(v, get, &recipe, err);
    get_item_free(get);
    apply_recipe_release(&recipe);
    return rc;
}

static enum rc scan_and_settle(struct verify *v, struct err *err)
{
    struct fill_result *scanned = &v->out->scanned;
    struct look looking = {.item = look, .ctx = v};
    v->v = arena_array(&v->arena, FILL_VERIFY_AGAIN + 1, sizeof *v->v);
    if (!v->v)
        return err_nomem(err);
    enum rc rc = look_run(v->setup, &looking, scanned, err);
    if (!rc)
        rc = settle(v, err);
    if (rc)
        return rc;
    /* Items that were not read again count as the scan saw them. */
    v->out->wrong +=
        fill_count(scanned, FATE_CHANGED) + fill_count(scanned, FATE_FAILED) - v->n;
    return RC_OK;
}

enum rc fill_verify_run(const struct fill_setup *setup, const struct fill_verify_report *report,
                        struct fill_verify *out, struct err *err)
{
    struct verify v = {.setup = setup, .report = report, .out = out};
    *out = (struct fill_verify){0};
    (void)pthread_mutex_init(&v.mu, NULL);
    arena_init(&v.arena, 65536);
    enum rc rc = scan_and_settle(&v, err);
    arena_release(&v.arena);
    (void)pthread_mutex_destroy(&v.mu);
    return rc;
}

void fill_verify_release(struct fill_verify *v)
{
    fill_result_release(&v->scanned);
}
