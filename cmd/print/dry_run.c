/* SPDX-License-Identifier: MIT */
/*
 * The table's own counts are up to six hours old, so every figure that is made of them is called
 * "about".
 */
#include "cmd/print/dry_run.h"

#include <stdio.h>

#include "cmd/open/table_address.h"
#include "cmd/print/plain.h"
#include "pipeline/aws/dynamodb/prices.h"
#include "pipeline/source/table/scan.h"

static void capacity(struct buf *b, const struct scan_facts *f)
{
    const struct dynamodb_capacity *c =
        f->index && f->index->global ? &f->index->capacity : &f->table->capacity;
    if (f->table->on_demand || c->read <= 0) {
        plain_line(b, "capacity", "on demand");
    } else {
        plain_line(b, "capacity", "%lld RCU/s provisioned", (long long)c->read);
    }
    if (f->start_rate == f->max_rate) {
        plain_line(b, "budget", "%lld RCU/s", (long long)f->start_rate);
    } else {
        plain_line(b, "budget", "from %lld RCU/s, while calm up to %lld",
                   (long long)f->start_rate, (long long)f->max_rate);
    }
}

static void costs(struct buf *b, const struct scan_facts *f)
{
    double seconds = f->units / (double)f->start_rate;
    plain_line(b, "units", "about %.0f RCU, %s", f->units,
               f->strong ? "strongly consistent" : "eventually consistent");
    plain_line(b, "time", "about %.0f s at %lld RCU/s", seconds, (long long)f->start_rate);
    plain_line(b, "on demand", "about USD %.2f (%s)",
               prices_on_demand(&prices_read, f->table, f->units), prices_date);
    plain_line(b, "provisioned", "about USD %.2f for that capacity while the scan lasts (%s)",
               prices_provisioned(&prices_read, (double)f->start_rate, seconds), prices_date);
}

static void keys(struct buf *b, const struct job *job)
{
    const struct names *key = &job->plan->key;
    for (uint32_t i = 0; i < key->n; i++) {
        bool found = false;
        for (size_t k = 0; k < job->source->nkey; k++)
            found |= str_eq(job->source->key[k], key->v[i]);
        if (!found) {
            plain_line(b, "not found", "\"%.*s\" is a key of the model, and not of the table",
                       STR_FMT(key->v[i]));
        }
    }
}

static void list(struct buf *b, const struct names *names)
{
    for (uint32_t i = 0; i < names->n; i++)
        buf_addf(b, "%s\"%.*s\"", i ? ", " : "", STR_FMT(names->v[i]));
}

/* Tells which attributes are fetched, and why more are than the model names. */
static void fetched(struct buf *b, const struct attributes_read *need)
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
    struct attributes_read need;
    struct buf missing;
    arena_init(&arena, 4096);
    buf_init(&missing, (size_t)1 << 20);
    enum rc rc = plan_attributes_read(job->plan, &arena, &need) ? err_nomem(err) : RC_OK;
    if (!rc) {
        fetched(b, &need);
        table_prepare_missing(job, &need, &missing);
        if (missing.len)
            plain_line(b, "not found", "the index does not hold %s", buf_cstr(&missing));
        keys(b, job);
        if (job->plan->ttl.n)
            plain_line(b, "TTL", "items past \"%.*s\" are filtered", STR_FMT(job->plan->ttl));
    }
    buf_release(&missing);
    arena_release(&arena);
    return rc;
}

static enum rc live(struct buf *b, const struct job *job, struct err *err)
{
    struct scan_facts f = scan_facts(job->source);
    plain_line(b, "table", "%.*s", STR_FMT(f.table->arn.n ? f.table->arn : f.table->name));
    if (f.index)
        plain_line(b, "index", "%.*s", STR_FMT(f.index->name));
    plain_line(b, "items", "about %lld (counted by the service every six hours or so)",
               (long long)f.items);
    plain_line(b, "bytes", "about %lld (likewise)", (long long)f.bytes);
    plain_line(b, "segments", "%u", job->source->segments);
    capacity(b, &f);
    costs(b, &f);
    return needs(b, job, err);
}

enum rc dry_run_print(const struct job *job, const struct options *o, struct err *err)
{
    struct buf b;
    buf_init(&b, (size_t)1 << 20);
    enum rc rc = live(&b, job, err);
    plain_line(&b, "workers", "%llu", (unsigned long long)o->workers);
    plain_line(&b, "tables", "%u", job->plan->schema.ntables);
    if (!rc)
        rc = buf_check(&b, err);
    if (!rc)
        plain_print(buf_view(&b));
    buf_release(&b);
    return rc;
}
