/* SPDX-License-Identifier: MIT */
/* Nothing here computes: the counters come from the ledger, so they add up over resumes. */
#include "cmd/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/plain.h"
#include "pipeline/base/json.h"

enum { SHOWN = 20 }; /* reasons, and types, for people; the summary has all */

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

/* The first SHOWN of a kind; an example of it below, where there is one. */
static void print_reasons(const struct reasons *reasons, enum reject_kind kind, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; reasons && i < reasons->n; i++) {
        const struct reason *r = &reasons->v[i];
        if (r->kind != kind || n++ >= SHOWN)
            continue;
        buf_puts(out, n == 1 ? "\n" : "");
        buf_puts(out, kind == REJECT_ITEM ? "rejected: " : "unrouted: ");
        plain_pad(out, r->name.n ? r->name : STR("(no type)"), 37);
        buf_addf(out, " %14" PRIu64 "\n", r->count);
        if (r->example.n) {
            buf_puts(out, "    ");
            plain_add(out, r->example, 200);
            buf_putc(out, '\n');
        }
    }
    if (n > SHOWN)
        buf_addf(out, "    and %zu more\n", n - SHOWN);
}

static void print_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
    if (n)
        buf_addf(out, "\n%" PRIu64 " %s\n", n, n == 1 ? one : many);
}

static void print_report(const struct sink_report *report, struct buf *out)
{
    print_reasons(report->reasons, REJECT_ITEM, out);
    print_reasons(report->reasons, REJECT_UNROUTED, out);
    print_count(out, report->conflicts,
                "value of an extracted copy disagreed, see the _conflict tables",
                "values of extracted copies disagreed, see the _conflict tables");
    print_count(out, report->missing_mirrors, "symmetric link lacks its other direction",
                "symmetric links lack their other direction");
    print_count(out, report->orphans, "row has no parent", "rows have no parent");
    print_count(out, report->duplicates, "row repeats a primary key",
                "rows repeat a primary key");
    print_count(out, report->not_added, "row was not added: the target has its key",
                "rows were not added: the target has their keys");
    print_count(out, report->replaced, "row of the target was replaced",
                "rows of the target were replaced");
    if (report->held)
        buf_puts(out, "\nheld: not published\n");
    struct str note = str_of(report->note);
    while (note.n && note.p[note.n - 1] == '\n')
        note.n--;
    if (note.n)
        buf_addf(out, "\n%.*s\n", STR_FMT(note));
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

static void json_reasons(const struct reasons *reasons, enum reject_kind kind, struct buf *out)
{
    bool first = true;
    buf_puts(out, kind == REJECT_ITEM ? ",\"by_reason\":{" : ",\"by_type\":{");
    for (size_t i = 0; i < reasons->n; i++) {
        if (reasons->v[i].kind != kind)
            continue;
        buf_puts(out, first ? "" : ",");
        first = false;
        json_add_string(out, reasons->v[i].name);
        buf_addf(out, ":%" PRIu64, reasons->v[i].count);
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
    if (r->report.reasons) {
        json_reasons(r->report.reasons, REJECT_ITEM, out);
        json_reasons(r->report.reasons, REJECT_UNROUTED, out);
    }
    if (r->metered) {
        buf_addf(out, ",\"rcu\":%.1f,\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64,
                 r->usage.units, r->usage.throttles, r->usage.retries);
    }
    buf_addf(out,
             ",\"seconds\":%.3f,\"segments\":%u,\"resumed\":%s,\"resumed_items\":%" PRIu64
             ",\"conflicts\":%" PRIu64 ",\"missing_mirrors\":%" PRIu64 ",\"orphans\":%" PRIu64
             ",\"duplicates\":%" PRIu64 ",\"not_added\":%" PRIu64 ",\"replaced\":%" PRIu64
             ",\"published\":%s,\"held\":%s,\"idle_percent\":%.2f,\"ok\":%s}\n",
             (double)r->wall_us / 1e6, r->segments, r->state.resumed ? "true" : "false",
             r->state.resumed_items, r->report.conflicts, r->report.missing_mirrors,
             r->report.orphans, r->report.duplicates, r->report.not_added, r->report.replaced,
             r->report.published ? "true" : "false", r->report.held ? "true" : "false",
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

/* A file is replaced by a new one; a device or a pipe, such as /dev/stdout, is written to. */
static bool is_stream(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && str_starts(str_of(path), STR("/dev/")))
        return true; /* /dev/stdout, whatever it stands for */
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static void name_new(const char *path, struct buf *name)
{
    buf_init(name, 8192);
    if (is_stream(path)) {
        buf_puts(name, path);
    } else {
        buf_addf(name, "%s.%ld.new", path, (long)getpid());
    }
}

enum rc sheet_writable(const char *path, struct err *err)
{
    struct stat st;
    struct buf name;
    name_new(path, &name);
    enum rc rc = buf_check(&name, err);
    if (rc == RC_OK && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        rc = err_set(err, RC_USAGE, "cannot write \"%s\": it is a folder", path);
    if (rc == RC_OK && !is_stream(path)) {
        int fd = open(buf_cstr(&name), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) {
            rc = err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", path);
        } else {
            (void)close(fd);
            (void)unlink(buf_cstr(&name));
        }
    }
    if (rc == RC_USAGE)
        (void)err_hint(err, "--summary takes the name of a file in a folder that is there");
    buf_release(&name);
    return rc;
}

enum rc sheet_write(const char *path, const struct buf *text, struct err *err)
{
    struct buf name;
    bool stream = is_stream(path);
    name_new(path, &name);
    enum rc rc = buf_check(text, err);
    if (rc == RC_OK)
        rc = buf_check(&name, err);
    int fd = -1;
    if (rc == RC_OK) {
        int how = stream ? O_APPEND : O_CREAT | O_TRUNC;
        fd = open(buf_cstr(&name), O_WRONLY | O_CLOEXEC | how, 0666);
        if (fd < 0)
            rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    }
    if (rc == RC_OK)
        rc = write_all(fd, buf_view(text), path, err);
    if (fd >= 0 && close(fd) != 0 && rc == RC_OK)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc == RC_OK && !stream && rename(buf_cstr(&name), path) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc != RC_OK && fd >= 0 && !stream)
        (void)unlink(buf_cstr(&name));
    buf_release(&name);
    return rc;
}
