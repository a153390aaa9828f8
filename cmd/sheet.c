/* SPDX-License-Identifier: MIT */
/* Nothing here computes: the counters come from the ledger, so they add up over resumes. */
#include "cmd/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "pipeline/base/json.h"

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
        any = true;
    }
}

static void print_report(const struct sink_report *report, struct buf *out)
{
    if (report->conflicts) {
        buf_addf(out,
                 "\n%" PRIu64
                 " values of extracted copies disagreed, see the _conflict tables\n",
                 report->conflicts);
    }
    if (report->missing_mirrors) {
        buf_addf(out, "\n%" PRIu64 " symmetric links lack their other direction\n",
                 report->missing_mirrors);
    }
    if (report->orphans)
        buf_addf(out, "\n%" PRIu64 " rows have no parent\n", report->orphans);
    if (report->duplicates)
        buf_addf(out, "\n%" PRIu64 " rows repeat a primary key\n", report->duplicates);
    if (report->held)
        buf_puts(out, "\nheld: not published\n");
    if (report->note[0])
        buf_addf(out, "%s\n", report->note);
}

void sheet_print(const struct schema *schema, const struct run_result *r, struct buf *out)
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
    print_report(&r->report, out);
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

void sheet_json(const struct schema *schema, const struct run_result *r, enum rc rc,
                struct buf *out)
{
    buf_puts(out, "{\"items\":{");
    for (uint32_t i = 0; i < CNT_FIXED; i++)
        buf_addf(out, "%s\"%s\":%" PRIu64, i ? "," : "", FATES[i], r->counters[i]);
    buf_puts(out, "},");
    json_tables(schema, r, out);
    if (r->metered) {
        buf_addf(out, ",\"rcu\":%.1f,\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64,
                 r->usage.units, r->usage.throttles, r->usage.retries);
    }
    buf_addf(out,
             ",\"seconds\":%.3f,\"segments\":%u,\"resumed\":%s,\"resumed_items\":%" PRIu64
             ",\"conflicts\":%" PRIu64 ",\"missing_mirrors\":%" PRIu64 ",\"orphans\":%" PRIu64
             ",\"duplicates\":%" PRIu64
             ",\"published\":%s,\"held\":%s,\"idle_percent\":%.2f,\"ok\":%s}\n",
             (double)r->wall_us / 1e6, r->segments, r->state.resumed ? "true" : "false",
             r->state.resumed_items, r->report.conflicts, r->report.missing_mirrors,
             r->report.orphans, r->report.duplicates, r->report.published ? "true" : "false",
             r->report.held ? "true" : "false",
             r->busy_us ? 100.0 * (double)r->idle_us / (double)r->busy_us : 0.0,
             rc == RC_OK ? "true" : "false");
}

static enum rc write_all(int fd, struct str s, const char *path, struct err *err)
{
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
        s = str_from(s, (size_t)n);
    }
    return RC_OK;
}

enum rc sheet_write(const char *path, const struct buf *text, struct err *err)
{
    struct buf temporary;
    buf_init(&temporary, 8192);
    buf_addf(&temporary, "%s.%ld.new", path, (long)getpid());
    enum rc rc = buf_check(text, err);
    const char *name = buf_cstr(&temporary);
    int fd = rc == RC_OK ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (rc == RC_OK && fd < 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc == RC_OK)
        rc = write_all(fd, buf_view(text), path, err);
    if (fd >= 0 && close(fd) != 0 && rc == RC_OK)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc == RC_OK && rename(name, path) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc != RC_OK && fd >= 0)
        (void)unlink(name);
    buf_release(&temporary);
    return rc;
}
