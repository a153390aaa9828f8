/* SPDX-License-Identifier: MIT */
/*
 * A partition of a table or an index serves 1,000 write and 3,000 read units a second, and all
 * entries of one partition key value share them.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
#include "cmd/print/forecast_lines.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/print/plain.h"
#include "pipeline/aws/dynamodb/prices.h"

static const double PARTITION_WCU = 1000;
enum { SHOWN = 100 }; /* bytes of a value */
/* Values are few if there are at most FEW different ones, with PER_VALUE items each on average. */
enum { FEW = 100, PER_VALUE = 10 };
static const double LARGE_SHARE = 0.1; /* a value is hot if so many of the items have it */
enum { EXACT = 256 };                  /* more different values than these are estimated */

void forecast_entity(const struct forecast *f, const struct rehearse_entity *e, struct buf *out)
{
    double table = f->scale * (double)e->units.table;
    double index = f->scale * (double)e->units.indexes;
    buf_addf(out, "  %-28s about USD %.2f on demand, %.0f s of the write budget\n", "cost",
             prices_on_demand(&prices_write, f->facts.table, table + index),
             table / (double)f->writes.start);
}

static void budget_line(struct buf *out, const char *name, int64_t start, int64_t max,
                        const char *unit)
{
    if (start == max) {
        plain_line(out, name, "%" PRId64 " %s/s", start, unit);
    } else {
        plain_line(out, name, "from %" PRId64 " %s/s, while calm up to %" PRId64, start, unit,
                   max);
    }
}

void forecast_print(const struct forecast *f, struct buf *out)
{
    const char *about = f->scale > 1 ? "about " : "";
    plain_line(out, "to change", "%s%.0f items", about, f->scale * (double)f->to_change);
    plain_line(out, "write units", "%s%.0f WCU of the table, %.0f of its indexes", about,
               f->table_units, f->index_units);
    plain_line(out, "read units", "about %.0f RCU", f->facts.units);
    budget_line(out, "write budget", f->writes.start, f->writes.max, "WCU");
    budget_line(out, "read budget", f->facts.start_rate, f->facts.max_rate, "RCU");
    plain_line(out, "time", "about %.0f s at %" PRId64 " WCU/s and %" PRId64 " RCU/s",
               f->seconds, f->writes.start, f->facts.start_rate);
    plain_line(out, "on demand", "about USD %.2f, index writes and the scan included (%s)",
               f->usd, prices_date);
    double indexes = f->write_seconds > 0 ? f->index_units / f->write_seconds : 0;
    plain_line(
        out, "provisioned",
        "about USD %.2f for that capacity, and %.0f WCU/s of the indexes, while it lasts (%s)",
        prices_provisioned(&prices_write, (double)f->writes.start + indexes, f->seconds) +
            prices_provisioned(&prices_read, (double)f->facts.start_rate, f->seconds),
        indexes, prices_date);
}

/* ---- partition keys ------------------------------------------------------------------------ */

static void spread_name(const struct rehearse_spread *s, struct buf *out)
{
    buf_addf(out, "\"%.*s\"", STR_FMT(s->attribute));
    if (s->index.n)
        buf_addf(out, " of index \"%.*s\"", STR_FMT(s->index));
}

/* Warns where the entries of one value alone would take more than a partition serves. */
static void pressure_warning(const struct forecast *f, const struct rehearse_spread *s,
                             struct buf *out)
{
    const struct value_counts_top *most = s->ntop ? &s->top[0] : NULL;
    for (uint32_t i = 1; i < s->ntop; i++)
        most = s->top[i].units > most->units ? &s->top[i] : most;
    double rate = most && f->seconds > 0 ? f->scale * (double)most->units / f->seconds : 0;
    if (rate <= PARTITION_WCU)
        return;
    buf_addf(out, "  warning: this backfill alone would write about %.0f WCU/s for \"", rate);
    plain_add(out, str_of(most->text), SHOWN);
    buf_puts(out, "\" in ");
    spread_name(s, out);
    buf_puts(out, ", and be throttled\n");
}

static const char *about(const struct rehearse_spread *s)
{
    return s->distinct > EXACT ? "about " : "";
}

static void spread_warning(const struct forecast *f, const struct rehearse_spread *s,
                           struct buf *out)
{
    uint64_t largest = s->ntop ? s->top[0].count - s->top[0].slack : 0;
    double share = s->values ? (double)largest / (double)s->values : 0;
    bool few = s->distinct <= FEW && s->values >= PER_VALUE * s->distinct;
    bool hot = largest >= PER_VALUE && share >= LARGE_SHARE;
    if (few) {
        buf_puts(out, "  warning: low cardinality: ");
        spread_name(s, out);
        buf_addf(out, " takes %s%" PRIu64 " different value%s only\n", about(s), s->distinct,
                 plain_plural(s->distinct));
    }
    if (hot) {
        buf_puts(out, "  warning: hot partition: ");
        spread_name(s, out);
        buf_puts(out, " is \"");
        plain_add(out, str_of(s->top[0].text), SHOWN);
        buf_addf(out,
                 "\" for %.0f%% of the items; all entries of one value share 1,000 WCU/s and "
                 "3,000 RCU/s\n",
                 100 * share);
    }
    pressure_warning(f, s, out);
}

void forecast_spread(const struct forecast *f, const struct rehearse_spread *s, struct buf *out)
{
    if (!s->values)
        return;
    buf_puts(out, "  partition key ");
    spread_name(s, out);
    buf_addf(out, ": %" PRIu64 " items, %s%" PRIu64 " different value%s\n", s->values, about(s),
             s->distinct, plain_plural(s->distinct));
    for (uint32_t i = 0; i < s->ntop; i++) {
        buf_addf(out, "    %5.1f%% %s%12" PRIu64 "  ",
                 100 * (double)s->top[i].count / (double)s->values,
                 s->top[i].slack ? "at most " : "", s->top[i].count);
        plain_add(out, str_of(s->top[i].text), SHOWN);
        buf_putc(out, '\n');
    }
    spread_warning(f, s, out);
}

/* ---- indexes and failures ------------------------------------------------------------------ */

void forecast_indexes(const struct forecast *f, struct buf *out)
{
    const struct dynamodb_table *t = f->facts.table;
    for (size_t i = 0; i < t->n_indexes && f->index_units > 0; i++) {
        const struct dynamodb_index *x = &t->indexes[i];
        int64_t most = x->capacity.write > 0 ? x->capacity.write : x->capacity.max_write;
        if (!x->global || most <= 0 || most >= f->writes.start)
            continue;
        buf_addf(out,
                 "warning: index \"%.*s\" takes %" PRId64
                 " WCU/s, fewer than the budget of %" PRId64
                 ": where it is touched, it holds the table's writes back\n",
                 STR_FMT(x->name), most, f->writes.start);
    }
}

static void future_key(uint64_t n, const char *text, struct buf *out)
{
    if (n) {
        buf_addf(out, "  warning: %" PRIu64 " item%s would carry %s\n", n, plain_plural(n),
                 text);
    }
}

void forecast_failures(const struct rehearse_entity *e, struct buf *out)
{
    static const struct {
        const char *reason, *text;
    } KNOWN[] = {
        {"key-too-long", "keys longer than an index takes (2,048 and 1,024 bytes)"},
        {"empty-key", "empty strings as index keys"},
        {"key-type", "keys of another type than the index wants"},
        {"item-too-large", "items that would pass 400 KB"},
    };
    for (uint32_t i = 0; i < e->nreasons; i++) {
        for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
            if (strcmp(e->reasons[i].reason, KNOWN[k].reason) == 0) {
                buf_addf(out, "  warning: %" PRIu64 " item%s would fail: %s\n",
                         e->reasons[i].count, plain_plural(e->reasons[i].count), KNOWN[k].text);
            }
        }
    }
    future_key(e->long_keys, "keys longer than the index to come takes", out);
    future_key(e->empty_keys, "empty strings as keys, which the index to come refuses", out);
}
