/* SPDX-License-Identifier: MIT */
/*
 * The plan of an export of a live table. The table's own counts are up to six hours old, so
 * everything made of them is "about".
 */
#include "cmd/dry_run.h"

#include <stdio.h>

#include "cmd/live.h"
#include "cmd/prices.h"
#include "pipeline/source/scan.h"

static void line(struct buf *b, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void line(struct buf *b, const char *name, const char *fmt, ...)
{
    va_list ap;
    buf_addf(b, "%-16s ", name);
    va_start(ap, fmt);
    buf_vaddf(b, fmt, ap);
    va_end(ap);
    buf_putc(b, '\n');
}

static void capacity(struct buf *b, const struct scan_facts *f)
{
    const struct ddb_capacity *c =
        f->index && f->index->global ? &f->index->capacity : &f->table->capacity;
    if (f->table->on_demand || c->read <= 0) {
        line(b, "capacity", "on demand");
    } else {
        line(b, "capacity", "%lld RCU/s provisioned", (long long)c->read);
    }
    if (f->start_rate == f->max_rate) {
        line(b, "budget", "%lld RCU/s", (long long)f->start_rate);
    } else {
        line(b, "budget", "from %lld RCU/s, while calm up to %lld", (long long)f->start_rate,
             (long long)f->max_rate);
    }
}

static void costs(struct buf *b, const struct scan_facts *f)
{
    double seconds = f->units / (double)f->start_rate;
    line(b, "units", "about %.0f RCU, %s", f->units,
         f->strong ? "strongly consistent" : "eventually consistent");
    line(b, "time", "about %.0f s at %lld RCU/s", seconds, (long long)f->start_rate);
    line(b, "on demand", "about USD %.2f (%s)",
         price_on_demand(&price_read, f->table, f->units), price_date);
    line(b, "provisioned", "about USD %.2f for that capacity while the scan lasts (%s)",
         price_provisioned(&price_read, (double)f->start_rate, seconds), price_date);
}

static void keys(struct buf *b, const struct job *job)
{
    const struct names *key = &job->plan->key;
    for (uint32_t i = 0; i < key->n; i++) {
        bool found = false;
        for (size_t k = 0; k < job->source->nkey; k++)
            found |= str_eq(job->source->key[k], key->v[i]);
        if (!found) {
            line(b, "not found", "\"%.*s\" is a key of the model, and not of the table",
                 STR_FMT(key->v[i]));
        }
    }
}

static void list(struct buf *b, const struct names *names)
{
    for (uint32_t i = 0; i < names->n; i++)
        buf_addf(b, "%s\"%.*s\"", i ? ", " : "", STR_FMT(names->v[i]));
}

/* What is fetched, and why it is more than is named. */
static void fetched(struct buf *b, const struct needs *need)
{
    buf_addf(b, "%-16s ", "model needs");
    list(b, &need->names);
    if (need->rest) {
        buf_puts(b, ", and all others\n");
    } else if (need->maybe.n) {
        buf_puts(b, ", and for columns found by name ");
        list(b, &need->maybe);
        buf_puts(b, " only: others are not fetched\n");
    } else {
        buf_puts(b, " only: others are not fetched\n");
    }
    if (need->unlisted.n && !need->kept) {
        buf_addf(b, "%-16s ", "all fetched");
        buf_puts(b, "for columns found by name, in any spelling: ");
        list(b, &need->unlisted);
        buf_puts(b, "; with \"from\" only what is needed would be\n");
    }
}

static enum rc needs(struct buf *b, const struct job *job, struct err *err)
{
    struct arena arena;
    struct needs need;
    struct buf missing;
    arena_init(&arena, 4096);
    buf_init(&missing, (size_t)1 << 20);
    enum rc rc = plan_needs(job->plan, &arena, &need) ? err_nomem(err) : RC_OK;
    if (!rc) {
        fetched(b, &need);
        live_missing(job, &need, &missing);
        if (missing.len)
            line(b, "not found", "the index does not hold %s", buf_cstr(&missing));
        keys(b, job);
        if (job->plan->ttl.n)
            line(b, "TTL", "items past \"%.*s\" are filtered", STR_FMT(job->plan->ttl));
    }
    buf_release(&missing);
    arena_release(&arena);
    return rc;
}

static enum rc live(struct buf *b, const struct job *job, struct err *err)
{
    struct scan_facts f = scan_facts(job->source);
    line(b, "table", "%.*s", STR_FMT(f.table->arn.n ? f.table->arn : f.table->name));
    if (f.index)
        line(b, "index", "%.*s", STR_FMT(f.index->name));
    line(b, "items", "about %lld (counted by the service every six hours or so)",
         (long long)f.items);
    line(b, "bytes", "about %lld (likewise)", (long long)f.bytes);
    line(b, "segments", "%u", job->source->segments);
    capacity(b, &f);
    costs(b, &f);
    return needs(b, job, err);
}

enum rc dry_run_print(const struct job *job, const struct options *o, struct err *err)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    enum rc rc = live(&b, job, err);
    line(&b, "workers", "%llu", (unsigned long long)o->workers);
    line(&b, "tables", "%u", job->plan->schema.ntables);
    if (!rc)
        rc = buf_check(&b, err);
    if (!rc)
        (void)fwrite(b.p, 1, b.len, stdout);
    buf_release(&b);
    return rc;
}
