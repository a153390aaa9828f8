/* SPDX-License-Identifier: MIT */
/* The counters come from the ledger, so they include what was done before a resume. */
#include "cmd/print/balance.h"

#include <inttypes.h>

#include "cmd/print/plain.h"
#include "cmd/print/shape_lines.h"
#include "pipeline/base/json.h"

enum { SHOWN = 20 }; /* people see so many reasons and types; the summary has all */

static const char *const FATES[CNT_FIXED] = {
    [CNT_READ] = "read",         [CNT_ROUTED] = "routed",     [CNT_FILTERED] = "filtered",
    [CNT_UNROUTED] = "unrouted", [CNT_REJECTED] = "rejected",
};

static void print_tables(const struct schema *schema, const struct run_result *r,
                         struct buf *out)
{
    buf_addf(out, "\n%-32s %14s %14s\n", "table", "rows", "bytes");
    for (uint32_t i = 0; i < schema->ntables; i++) {
        buf_addf(out, "%-32.*s %14" PRIu64 " %14" PRIu64 "\n", STR_FMT(schema->tables[i].name),
                 r->report.tables[i].rows, r->report.tables[i].bytes);
    }
}

static void print_example(struct str example, struct buf *out)
{
    if (example.n == 0)
        return;
    buf_puts(out, "    ");
    plain_add(out, example, 200);
    buf_putc(out, '\n');
}

static void print_notes(const struct schema *schema, const struct run_result *r,
                        struct buf *out)
{
    const uint64_t *notes = r->counters + CNT_FIXED + schema->ntables;
    bool any = false;
    for (uint32_t i = 0; i < schema->nnotes; i++) {
        if (!notes[i])
            continue;
        buf_addf(out, "%s%-47.*s %14" PRIu64 "\n", any ? "" : "\n", STR_FMT(schema->notes[i]),
                 notes[i]);
        print_example(note_examples_get(r->examples, i), out);
        any = true;
    }
}

static void print_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
    if (n)
        buf_addf(out, "\n%" PRIu64 " %s\n", n, n == 1 ? one : many);
}

/* The name of a reason, and what it is about, in one column. */
static void print_reason(const struct reason *r, bool example, struct buf *out)
{
    struct buf name;
    buf_init(&name, BUF_NO_LIMIT);
    buf_add_str(&name, r->name.n ? r->name : STR("(no type)"));
    if (r->column.n) {
        buf_puts(&name, ", ");
        buf_add_str(&name, r->column);
    }
    plain_pad(out, buf_view(&name), 37);
    buf_addf(out, " %14" PRIu64 "\n", r->count);
    print_example(example ? r->example : STR(""), out);
    buf_release(&name);
}

/* Prints the first SHOWN of a kind, each with an example below, where there is one. */
static void print_reasons(const struct sink_report *report, enum reject_kind kind,
                          struct buf *out)
{
    const struct reasons *reasons = report->reasons;
    size_t n = 0;
    for (size_t i = 0; reasons && i < reasons->n; i++) {
        const struct reason *r = &reasons->v[i];
        if (r->kind != kind || n++ >= SHOWN)
            continue;
        buf_puts(out, n == 1 ? "\n" : "");
        buf_puts(out, kind == REJECT_ITEM ? "rejected: " : "unrouted: ");
        print_reason(r, !report->no_examples, out);
    }
    if (n > SHOWN)
        buf_addf(out, "    and %zu more\n", n - SHOWN);
}

static void print_place(const char *place, struct buf *out)
{
    if (*place)
        buf_addf(out, "    see %s\n", place);
}

static void print_orphans(const struct sink_report *report, struct buf *out)
{
    const struct reasons *by = report->orphans_by;
    print_count(out, report->orphans, "row has no parent", "rows have no parent");
    for (size_t i = 0; by && i < by->n && i < SHOWN; i++) {
        buf_puts(out, "no parent: ");
        plain_pad(out, by->v[i].name, 36);
        buf_addf(out, " %14" PRIu64 "\n", by->v[i].count);
        print_example(report->no_examples ? STR("") : by->v[i].example, out);
    }
    print_place(report->orphans ? report->orphans_place : "", out);
}

static void print_report(const struct run_result *r, struct buf *out)
{
    const struct sink_report *report = &r->report;
    print_reasons(report, REJECT_ITEM, out);
    print_reasons(report, REJECT_UNROUTED, out);
    print_place(report->rejects_place, out);
    print_count(out, report->conflicts,
                "value of an extracted copy disagreed, see the _conflict tables",
                "values of extracted copies disagreed, see the _conflict tables");
    print_count(out, report->missing_mirrors, "symmetric link lacks its other direction",
                "symmetric links lack their other direction");
    print_orphans(report, out);
    print_count(out, report->duplicates, "row repeats a primary key",
                "rows repeat a primary key");
    print_count(out, report->not_added, "row was not added: the target has its key",
                "rows were not added: the target has their keys");
    print_count(out, report->replaced, "row of the target was replaced",
                "rows of the target were replaced");
    print_count(out, report->deleted, "row of the target was deleted: its key is gone",
                "rows of the target were deleted: their keys are gone");
    if (report->held) {
        buf_addf(out, "\nheld: not published: %s\nreaders still see what was there before; ",
                 r->verdict.why);
        buf_addf(out, "the same command with %s shows it, --restart drops it\n",
                 r->verdict.but[0] ? r->verdict.but : "other options");
    }
    struct str note = str_of(report->note);
    while (note.n && note.p[note.n - 1] == '\n')
        note.n--;
    if (note.n)
        buf_addf(out, "\n%.*s\n", STR_FMT(note));
}

void balance_print(const struct schema *schema, const struct run_result *r, struct buf *out)
{
    for (uint32_t i = 0; i < CNT_FIXED; i++) {
        buf_addf(out, "%-32s %14" PRIu64 "\n", i == CNT_READ ? "items read" : FATES[i],
                 r->counters[i]);
    }
    if (r->state.resumed) {
        buf_addf(out, "%-32s %14" PRIu64 "\n", "of these before this run",
                 r->state.resumed_items);
    }
    print_tables(schema, r, out);
    print_notes(schema, r, out);
    print_report(r, out);
    shape_lines(&r->profile, out);
    if (r->metered) {
        buf_addf(out,
                 "\n%.1f read capacity units, %" PRIu64 " throttles, %" PRIu64 " retries\n",
                 r->usage.units, r->usage.throttles, r->usage.retries);
    }
    double seconds = (double)r->wall_us / 1e6;
    uint64_t fresh = r->counters[CNT_READ] - r->state.resumed_items;
    buf_addf(out, "\n%.1f s, %.0f items/s\n", seconds,
             seconds > 0 ? (double)fresh / seconds : 0.0);
}

static void json_tables(const struct schema *schema, const struct run_result *r,
                        struct buf *out)
{
    buf_puts(out, "\"tables\":{");
    for (uint32_t i = 0; i < schema->ntables; i++) {
        if (i)
            buf_putc(out, ',');
        json_add_string(out, schema->tables[i].name);
        buf_addf(out, ":{\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"files\":%" PRIu64 "}",
                 r->report.tables[i].rows, r->report.tables[i].bytes,
                 r->report.tables[i].files);
    }
    buf_puts(out, "},\"counted\":{");
    const uint64_t *notes = r->counters + CNT_FIXED + schema->ntables;
    bool first = true;
    for (uint32_t i = 0; i < schema->nnotes; i++) {
        if (!notes[i])
            continue;
        if (!first)
            buf_putc(out, ',');
        first = false;
        json_add_string(out, schema->notes[i]);
        buf_addf(out, ":%" PRIu64, notes[i]);
    }
    buf_putc(out, '}');
}

static void json_counts(const struct reasons *reasons, enum reject_kind kind, struct buf *out)
{
    bool first = true;
    buf_puts(out, kind == REJECT_ITEM ? ",\"by_reason\":{" : ",\"by_type\":{");
    for (size_t i = 0; i < reasons->n; i++) {
        if (reasons->v[i].kind != kind || !reasons_is_first(reasons, i))
            continue;
        buf_puts(out, first ? "" : ",");
        first = false;
        json_add_string(out, reasons->v[i].name);
        buf_addf(out, ":%" PRIu64, reasons_named(reasons, i));
    }
    buf_putc(out, '}');
}

/* The words of a list's members: what they are counted by, with an example. */
struct json_words {
    const char *list, *name, *column;
    bool examples;
};

static void json_list(const struct reasons *reasons, enum reject_kind kind,
                      const struct json_words *words, struct buf *out)
{
    bool first = true;
    buf_addf(out, ",\"%s\":[", words->list);
    for (size_t i = 0; i < reasons->n; i++) {
        const struct reason *r = &reasons->v[i];
        if (r->kind != kind)
            continue;
        buf_addf(out, "%s{\"%s\":", first ? "" : ",", words->name);
        first = false;
        json_add_string(out, r->name);
        if (words->column) {
            buf_addf(out, ",\"%s\":", words->column);
            json_add_string(out, r->column);
        }
        buf_addf(out, ",\"count\":%" PRIu64 ",\"example\":", r->count);
        if (r->example.n && words->examples) {
            json_add_string(out, r->example);
        } else {
            buf_puts(out, "null");
        }
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
}

static void json_reasons(const struct sink_report *report, struct buf *out)
{
    bool examples = !report->no_examples;
    struct json_words rejects = {"rejects", "reason", "column", examples},
                      types = {"unrouted", "type", NULL, examples},
                      orphans = {"orphans_by", "constraint", "table", examples};
    if (report->reasons) {
        json_counts(report->reasons, REJECT_ITEM, out);
        json_counts(report->reasons, REJECT_UNROUTED, out);
        json_list(report->reasons, REJECT_ITEM, &rejects, out);
        json_list(report->reasons, REJECT_UNROUTED, &types, out);
    }
    if (report->orphans_by)
        json_list(report->orphans_by, REJECT_ITEM, &orphans, out);
}

void balance_json(const struct schema *schema, const struct run_result *r, struct buf *out)
{
    buf_puts(out, ",\"items\":{");
    for (uint32_t i = 0; i < CNT_FIXED; i++)
        buf_addf(out, "%s\"%s\":%" PRIu64, i ? "," : "", FATES[i], r->counters[i]);
    buf_puts(out, "},");
    json_tables(schema, r, out);
    json_reasons(&r->report, out);
    if (r->profile.known) {
        buf_puts(out, ",\"shape\":");
        profile_json(&r->profile, out);
    }
    if (r->metered) {
        buf_addf(out, ",\"rcu\":%.1f,\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64,
                 r->usage.units, r->usage.throttles, r->usage.retries);
    }
    buf_addf(out,
             ",\"seconds\":%.3f,\"segments\":%u,\"resumed\":%s,\"resumed_items\":%" PRIu64
             ",\"conflicts\":%" PRIu64 ",\"missing_mirrors\":%" PRIu64 ",\"orphans\":%" PRIu64
             ",\"duplicates\":%" PRIu64 ",\"not_added\":%" PRIu64 ",\"replaced\":%" PRIu64
             ",\"deleted\":%" PRIu64 ",\"published\":%s,\"held\":%s,\"idle_percent\":%.2f",
             (double)r->wall_us / 1e6, r->segments, r->state.resumed ? "true" : "false",
             r->state.resumed_items, r->report.conflicts, r->report.missing_mirrors,
             r->report.orphans, r->report.duplicates, r->report.not_added, r->report.replaced,
             r->report.deleted, r->report.published ? "true" : "false",
             r->report.held ? "true" : "false",
             r->busy_us ? 100.0 * (double)r->idle_us / (double)r->busy_us : 0.0);
}

static void metrics_tables(const struct schema *schema, const struct run_result *r,
                           struct metrics *out)
{
    metrics_begin(out, "renorm_rows", "rows of a table");
    for (uint32_t i = 0; i < schema->ntables; i++) {
        metrics_add(out, "table", schema->tables[i].name, (double)r->report.tables[i].rows);
    }
    metrics_begin(out, "renorm_bytes", "bytes of a table, as the sheet has them");
    for (uint32_t i = 0; i < schema->ntables; i++) {
        metrics_add(out, "table", schema->tables[i].name, (double)r->report.tables[i].bytes);
    }
}

static void metrics_findings(const struct sink_report *report, struct metrics *out)
{
    const struct {
        const char *name;
        uint64_t n;
    } found[] = {{"conflicts", report->conflicts}, {"missing_mirrors", report->missing_mirrors},
                 {"orphans", report->orphans},     {"duplicates", report->duplicates},
                 {"not_added", report->not_added}, {"replaced", report->replaced}};
    metrics_begin(out, "renorm_found", "what the sheet counts beside items and rows");
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        metrics_add(out, "what", str_of(found[i].name), (double)found[i].n);
}

static void metrics_shape(const struct profile *p, struct metrics *out)
{
    double n[FINDING_KINDS] = {0};
    if (!p->known)
        return;
    for (size_t i = 0; i < p->nfindings; i++)
        n[p->findings[i].kind]++;
    metrics_begin(out, "renorm_shape_findings", "findings of the shape report");
    for (unsigned k = 0; k < FINDING_KINDS; k++) {
        metrics_add(out, "finding", str_of(profile_finding_name((enum finding_kind)k)), n[k]);
    }
}

void balance_metrics(const struct schema *schema, const struct run_result *r,
                     struct metrics *out)
{
    metrics_begin(out, "renorm_items", "items by what became of them");
    for (uint32_t i = 0; i < CNT_FIXED; i++)
        metrics_add(out, "fate", str_of(FATES[i]), (double)r->counters[i]);
    metrics_tables(schema, r, out);
    metrics_findings(&r->report, out);
    metrics_shape(&r->profile, out);
    metrics_one(out, "renorm_published", "1: shown to readers", r->report.published);
    metrics_one(out, "renorm_held", "1: kept back", r->report.held);
    if (!r->metered)
        return;
    metrics_begin(out, "renorm_capacity_units", "capacity units that were consumed");
    metrics_add(out, "kind", STR("read"), r->usage.units);
    metrics_one(out, "renorm_throttles", "requests that were throttled",
                (double)r->usage.throttles);
    metrics_one(out, "renorm_retries", "requests that were repeated", (double)r->usage.retries);
}
