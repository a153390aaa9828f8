/* SPDX-License-Identifier: MIT */
/*
 * The counts come from the journal, so they include what was done before a resume. Units, throttles
 * and time are those of this process.
 */
#include "cmd/print/backfill_balance.h"

#include <inttypes.h>

#include "pipeline/base/json.h"
#include "sinks/dynamodb/fill/fill_verdict.h"

static const char *const WORDS[FATES] = {
    [FATE_CHANGED] = "changed",   [FATE_ALREADY] = "already right",
    [FATE_SKIPPED] = "skipped",   [FATE_FILTERED] = "filtered",
    [FATE_UNROUTED] = "unrouted", [FATE_CONFLICTED] = "changed by others",
    [FATE_FAILED] = "failed",
};

/* Unrouted items belong to no entity, so they have no column in its row. */
static const struct {
    enum fate fate;
    const char *head;
} COLUMNS[] = {
    {FATE_CHANGED, "changed"},   {FATE_ALREADY, "already"},      {FATE_SKIPPED, "skipped"},
    {FATE_FILTERED, "filtered"}, {FATE_CONFLICTED, "by others"}, {FATE_FAILED, "failed"},
};
enum { NCOLUMNS = sizeof COLUMNS / sizeof COLUMNS[0] };

static uint64_t row_sum(const uint64_t *row)
{
    uint64_t n = 0;
    for (int f = 0; f < FATES; f++)
        n += row[f];
    return n;
}

static void print_entities(const struct model *m, const struct fill_result *r, struct buf *out)
{
    buf_addf(out, "\n%-24s %12s", "entity", "items");
    for (int c = 0; c < NCOLUMNS; c++)
        buf_addf(out, " %11s", COLUMNS[c].head);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < r->rows; i++) {
        const uint64_t *row = r->counts + (size_t)i * FATES;
        bool none = i >= m->nentities;
        if (none && row_sum(row) == row[FATE_UNROUTED])
            continue;
        buf_addf(out, "%-24.*s %12" PRIu64,
                 STR_FMT(none ? STR("(no entity)") : m->entities[i].name),
                 row_sum(row) - row[FATE_UNROUTED]);
        for (int c = 0; c < NCOLUMNS; c++)
            buf_addf(out, " %11" PRIu64, row[COLUMNS[c].fate]);
        buf_putc(out, '\n');
    }
}

static void print_usage(double table, double index, uint64_t throttles, uint64_t retries,
                        struct buf *out)
{
    buf_addf(out,
             "\n%.1f write units of the table, %.1f of its indexes, %" PRIu64
             " throttles, %" PRIu64 " retries\n",
             table, index, throttles, retries);
}

void backfill_balance_print(const struct model *m, const struct fill_result *r, struct buf *out)
{
    buf_addf(out, "%-32s %14" PRIu64 "\n", "items read", r->read);
    for (int f = 0; f < FATES; f++)
        buf_addf(out, "%-32s %14" PRIu64 "\n", WORDS[f], fill_count(r, (enum fate)f));
    if (r->resumed_items) {
        buf_addf(out, "%-32s %14" PRIu64 "\n", "of these before this run", r->resumed_items);
    }
    print_entities(m, r, out);
    print_usage(r->table_units, r->index_units, r->throttles, r->retries, out);
    double seconds = (double)r->wall_us / 1e6;
    buf_addf(out, "%.1f read units\n\n%.1f s, %.0f items/s\n", r->read_units, seconds,
             seconds > 0 ? (double)(r->read - r->resumed_items) / seconds : 0.0);
}

static void json_fates(const uint64_t *row, struct buf *out)
{
    buf_addf(out, "{\"read\":%" PRIu64, row_sum(row));
    for (int f = 0; f < FATES; f++)
        buf_addf(out, ",\"%s\":%" PRIu64, recipe_fate_names[f], row[f]);
    buf_putc(out, '}');
}

void backfill_balance_json(const struct model *m, const struct fill_result *r,
                           const char *extra, struct buf *out)
{
    buf_addf(out, ",\"items\":{\"read\":%" PRIu64, r->read);
    for (int f = 0; f < FATES; f++) {
        buf_addf(out, ",\"%s\":%" PRIu64, recipe_fate_names[f], fill_count(r, (enum fate)f));
    }
    buf_puts(out, "},\"entities\":{");
    for (uint32_t i = 0; i < m->nentities && i < r->rows; i++) {
        buf_puts(out, i ? "," : "");
        json_add_string(out, m->entities[i].name);
        buf_putc(out, ':');
        json_fates(r->counts + (size_t)i * FATES, out);
    }
    buf_addf(out,
             "},\"units\":{\"table\":%.1f,\"index\":%.1f,\"read\":%.1f},\"throttles\":%" PRIu64
             ",\"retries\":%" PRIu64
             ",\"seconds\":%.3f,\"segments\":%u,\"resumed_items\":%" PRIu64 "%s%s",
             r->table_units, r->index_units, r->read_units, r->throttles, r->retries,
             (double)r->wall_us / 1e6, r->segments, r->resumed_items, extra ? "," : "",
             extra ? extra : "");
}

void backfill_undo_print(const struct undo_result *r, struct buf *out)
{
    buf_addf(out, "%-32s %14" PRIu64 "\n", "changes in the journal", r->intents);
    buf_addf(out, "%-32s %14" PRIu64 "\n", "put back", r->restored);
    buf_addf(out, "%-32s %14" PRIu64 "\n", "already as before", r->already);
    buf_addf(out, "%-32s %14" PRIu64 "\n", "changed by others since", r->conflicted);
    buf_addf(out, "%-32s %14" PRIu64 "\n", "failed", r->failed);
    print_usage(r->table_units, r->index_units, r->throttles, r->retries, out);
    buf_addf(out, "\n%.1f s\n", (double)r->wall_us / 1e6);
}

void backfill_undo_json(const struct undo_result *r, struct buf *out)
{
    buf_addf(out,
             ",\"undo\":{\"intents\":%" PRIu64 ",\"restored\":%" PRIu64 ",\"already\":%" PRIu64
             ",\"conflicted\":%" PRIu64 ",\"failed\":%" PRIu64
             "},\"units\":{\"table\":%.1f,\"index\":%.1f},\"throttles\":%" PRIu64
             ",\"retries\":%" PRIu64 ",\"seconds\":%.3f",
             r->intents, r->restored, r->already, r->conflicted, r->failed, r->table_units,
             r->index_units, r->throttles, r->retries, (double)r->wall_us / 1e6);
}

static void metrics_usage(double table, double index, uint64_t throttles, uint64_t retries,
                          struct metrics *out)
{
    metrics_one(out, "renorm_throttles", "requests that were throttled", (double)throttles);
    metrics_one(out, "renorm_retries", "requests that were repeated", (double)retries);
    metrics_begin(out, "renorm_capacity_units", "capacity units that were consumed");
    metrics_add(out, "kind", STR("write"), table);
    metrics_add(out, "kind", STR("index_write"), index);
}

void backfill_balance_metrics(const struct fill_result *r, struct metrics *out)
{
    metrics_begin(out, "renorm_items", "items by what became of them");
    metrics_add(out, "fate", STR("read"), (double)r->read);
    for (int f = 0; f < FATES; f++) {
        metrics_add(out, "fate", str_of(recipe_fate_names[f]),
                    (double)fill_count(r, (enum fate)f));
    }
    metrics_usage(r->table_units, r->index_units, r->throttles, r->retries, out);
    metrics_add(out, "kind", STR("read"), r->read_units);
}

void backfill_undo_metrics(const struct undo_result *r, struct metrics *out)
{
    metrics_begin(out, "renorm_undone", "changes in the journal by what became of them");
    metrics_add(out, "fate", STR("restored"), (double)r->restored);
    metrics_add(out, "fate", STR("already"), (double)r->already);
    metrics_add(out, "fate", STR("conflicted"), (double)r->conflicted);
    metrics_add(out, "fate", STR("failed"), (double)r->failed);
    metrics_usage(r->table_units, r->index_units, r->throttles, r->retries, out);
}
