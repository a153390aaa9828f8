/* SPDX-License-Identifier: MIT */
/*
 * The table is scanned and every item put to the recipe of the backfill: one that it would change
 * is wrong. The scan may have seen an item in the middle of a write, so the wrong ones are read
 * again by their keys, consistently, and judged anew; so many of them as are kept, and a table
 * with more than that is wrong whatever the rest says.
 */
#include "cmd/verify_backfill.h"

#include <inttypes.h>
#include <stdio.h>

#include "cmd/backfill_job.h"
#include "cmd/backfill_sheet.h"
#include "cmd/exit.h"
#include "cmd/plain.h"
#include "pipeline/item/canon.h"
#include "pipeline/item/decode.h"
#include "pipeline/source/scan_get.h"
#include "sinks/dynamodb/update.h"

enum { KEPT = 1000, NAMED = 20, SHOWN = 200, MAX_TEXT = 64 << 20 };

struct suspect {
    struct str key; /* JSON object; empty: an item that could not be decoded */
    struct fault why;
};

struct check {
    struct backfill_job b;
    pthread_mutex_t mu;
    struct arena arena;      /* lock: mu */
    struct suspect *v;       /* lock: mu */
    size_t n;                /* lock: mu */
    uint64_t wrong, settled; /* settled: right when read again, or gone */
    uint64_t failed;
    struct buf out;
};

/* ---- while scanning ------------------------------------------------------------------------ */

/* lock: c->mu */
static enum rc keep(struct check *c, const struct item *item, const struct change *change,
                    struct err *err)
{
    struct suspect *s = &c->v[c->n];
    struct buf key;
    if (c->n == KEPT)
        return RC_OK;
    *s = (struct suspect){.why = change->why};
    buf_init(&key, MAX_TEXT);
    enum rc rc = item->n ? update_key(&key, item, &c->b.job.plan->key, err) : RC_OK;
    if (!rc && item->n) {
        s->key = arena_dup(&c->arena, buf_view(&key));
        rc = s->key.p ? RC_OK : err_nomem(err);
    }
    buf_release(&key);
    c->n += rc == RC_OK;
    return rc;
}

static enum rc look(void *ctx, uint32_t worker, const struct item *item,
                    const struct change *change, struct err *err)
{
    struct check *c = ctx;
    (void)worker;
    if (change->fate != FATE_CHANGED && change->fate != FATE_FAILED)
        return RC_OK;
    (void)pthread_mutex_lock(&c->mu);
    enum rc rc = keep(c, item, change, err);
    (void)pthread_mutex_unlock(&c->mu);
    return rc;
}

/* ---- the wrong ones again ------------------------------------------------------------------ */

static void add_value(struct buf *out, const struct val *v)
{
    struct buf text;
    if (!v) {
        buf_puts(out, "missing");
        return;
    }
    buf_init(&text, MAX_TEXT);
    canon_ddb(&text, v);
    plain_add(out, buf_view(&text), SHOWN);
    buf_release(&text);
}

static void name_change(struct buf *out, struct str key, const struct change *change)
{
    const char *sep = ": ";
    buf_puts(out, "wrong: ");
    plain_add(out, key, SHOWN);
    for (uint32_t i = 0; i < change->ntargets; i++) {
        const struct setting *t = &change->targets[i];
        bool same = t->old == t->new_ || (t->old && t->new_ && val_eq(t->old, t->new_));
        if (same)
            continue;
        buf_addf(out, "%s\"%.*s\" is ", sep, STR_FMT(t->path.members[0]));
        add_value(out, t->old);
        buf_puts(out, ", the model says ");
        add_value(out, t->new_);
        sep = "; ";
    }
    buf_putc(out, '\n');
}

static void name_failure(struct buf *out, struct str key, const struct fault *why)
{
    buf_puts(out, "cannot be judged: ");
    if (key.n) {
        plain_add(out, key, SHOWN);
        buf_puts(out, ": ");
    }
    plain_add(out, str_of(why->detail), SHOWN);
    buf_putc(out, '\n');
}

/* Judges an item as it is now; `raw` empty: it is gone. */
static enum rc judge(struct check *c, struct decoder *d, const struct suspect *s,
                     struct str raw, struct err *err)
{
    struct arena arena;
    struct item item;
    struct change change = {.fate = FATE_FAILED};
    arena_init(&arena, 65536);
    enum rc rc = raw.n ? item_decode(d, raw, &arena, &item, &change.why) : RC_OK;
    if (raw.n && !rc)
        rc = recipe_apply(c->b.recipe, &item, c->b.now_us, &arena, &change);
    bool named = c->wrong + c->failed < NAMED;
    if (rc == RC_NOMEM) {
        rc = err_nomem(err);
    } else if (raw.n && change.fate == FATE_CHANGED) {
        if (named)
            name_change(&c->out, s->key, &change);
        c->wrong++;
        rc = RC_OK;
    } else if (raw.n && change.fate == FATE_FAILED) {
        if (named)
            name_failure(&c->out, s->key, &change.why);
        c->failed++;
        rc = RC_OK;
    } else {
        c->settled++;
    }
    arena_release(&arena);
    return rc;
}

/* Without the newline behind it. */
static struct str line_of(const struct buf *raw)
{
    return str_make(raw->p, raw->len ? raw->len - 1 : 0);
}

static enum rc read_again(struct check *c, struct scan_get *get, struct decoder *d,
                          struct err *err)
{
    struct buf raw;
    enum rc rc = RC_OK;
    buf_init(&raw, MAX_TEXT);
    for (size_t i = 0; !rc && i < c->n; i++) {
        const struct suspect *s = &c->v[i];
        if (atomic_load(c->b.job.stop)) {
            rc = err_set(err, RC_CANCEL, "interrupted");
        } else if (!s->key.n) {
            if (c->wrong + c->failed < NAMED)
                name_failure(&c->out, s->key, &s->why);
            c->failed++;
        } else {
            buf_clear(&raw);
            rc = scan_get_item(get, s->key, &raw, err);
            if (!rc)
                rc = judge(c, d, s, line_of(&raw), err);
        }
    }
    buf_release(&raw);
    return rc;
}

static enum rc settle(struct check *c, struct err *err)
{
    struct scan_get *get = NULL;
    struct decoder *d = decoder_new();
    enum rc rc = d ? scan_get_new(c->b.job.source, &get, err) : err_nomem(err);
    if (!rc)
        rc = read_again(c, get, d, err);
    scan_get_free(get);
    decoder_free(d);
    return rc;
}

/* ---- the verdict --------------------------------------------------------------------------- */

/* Wrong is wrong; what is out of the model's reach may be, by the allowances of a backfill. */
static enum rc verdict(const struct check *c, const struct fill_result *r, struct err *err)
{
    uint64_t astray = backfill_count(r, FATE_UNROUTED);
    enum rc rc = backfill_balance(r, err);
    if (rc)
        return rc;
    if (!c->wrong && !allowance_exceeded(&c->b.rejects, c->failed, r->read) &&
        !allowance_exceeded(&c->b.unrouted, astray, r->read))
        return RC_OK;
    return err_set(err, RC_FINISHED_BAD,
                   "%" PRIu64 " of %" PRIu64 " items do not carry what the model's backfill "
                   "says, %" PRIu64 " cannot be judged, %" PRIu64 " unrouted",
                   c->wrong, r->read, c->failed, astray);
}

static void add_sheet(struct check *c, const struct fill_result *r, enum rc rc)
{
    buf_addf(&c->out, "%s: %" PRIu64 " items read, %" PRIu64 " right, %" PRIu64 " wrong",
             rc ? "not verified" : "verified", r->read, backfill_count(r, FATE_ALREADY),
             c->wrong);
    for (int f = FATE_SKIPPED; f <= FATE_UNROUTED; f++) {
        buf_addf(&c->out, ", %" PRIu64 " %s", backfill_count(r, (enum fate)f), fate_names[f]);
    }
    buf_addf(&c->out, ", %" PRIu64 " failed\n", c->failed);
    if (c->settled) {
        buf_addf(&c->out,
                 "%" PRIu64 " more were wrong when scanned, and are right now or gone\n",
                 c->settled);
    }
}

static enum rc tell(struct check *c, const struct fill_result *r, struct err *err)
{
    struct buf json;
    char extra[128];
    struct err late = {0};
    enum rc rc = verdict(c, r, err);
    add_sheet(c, r, rc);
    if (!c->b.o->quiet)
        (void)fwrite(c->out.p, 1, c->out.len, stdout);
    (void)snprintf(extra, sizeof extra,
                   "\"verify\":{\"wrong\":%" PRIu64 ",\"failed\":%" PRIu64
                   ",\"settled\":%" PRIu64 "}",
                   c->wrong, c->failed, c->settled);
    buf_init(&json, MAX_TEXT);
    backfill_sheet_json(c->b.job.model, r, rc, extra, &json);
    enum rc written = backfill_job_summary(&c->b, &json, &late);
    buf_release(&json);
    if (rc == RC_OK && written) {
        *err = late;
        rc = written;
    }
    return rc;
}

static enum rc run(struct check *c, struct err *err)
{
    struct fill_result result = {0};
    struct fill_setup setup = backfill_job_setup(&c->b);
    setup.look = look;
    setup.look_ctx = c;
    enum rc rc = fill_run(&setup, &result, err);
    backfill_progress_end(&c->b.progress);
    if (!rc)
        rc = settle(c, err);
    if (!rc) { /* those that were not kept are what the scan saw */
        uint64_t seen =
            backfill_count(&result, FATE_CHANGED) + backfill_count(&result, FATE_FAILED);
        c->wrong += seen - c->n;
        rc = tell(c, &result, err);
    }
    fill_result_release(&result);
    return rc;
}

int verify_backfill(const struct options *o)
{
    struct check c = {.n = 0};
    struct err err = {0};
    backfill_job_init(&c.b, o);
    (void)pthread_mutex_init(&c.mu, NULL);
    arena_init(&c.arena, 65536);
    buf_init(&c.out, MAX_TEXT);
    c.v = arena_array(&c.arena, KEPT + 1, sizeof *c.v);
    enum rc rc = c.v ? RC_OK : err_nomem(&err);
    if (!rc)
        rc = backfill_job_table(&c.b, &err);
    if (!rc)
        rc = backfill_job_model(&c.b, &err);
    if (!rc)
        rc = run(&c, &err);
    buf_release(&c.out);
    arena_release(&c.arena);
    (void)pthread_mutex_destroy(&c.mu);
    backfill_job_release(&c.b);
    return exit_tell(rc, &err);
}
