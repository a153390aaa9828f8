/* SPDX-License-Identifier: MIT */
/* Tables stand in columns; a finding is a line `table: what: key`. */
#include "cmd/print/comparison.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "cmd/print/plain.h"
#include "cmd/print/tell.h"

/* Keys and names come from data. */
static void say(const char *fmt, ...) PRINTF_LIKE(1, 2);

static void say(const char *fmt, ...)
{
    struct buf text;
    va_list ap;
    buf_init(&text, BUF_NO_LIMIT);
    va_start(ap, fmt);
    buf_vaddf(&text, fmt, ap);
    va_end(ap);
    plain_print(buf_view(&text));
    buf_release(&text);
}

static void print_table(void *ctx, const struct table *t, uint64_t rows, bool equal)
{
    (void)ctx;
    say("%-32.*s %14" PRIu64 " rows  %s\n", STR_FMT(t->name), rows,
        equal ? "equal" : "DIFFERENT");
}

static void print_lacking(void *ctx, const struct table *t, const char *lacks)
{
    (void)ctx;
    say("%-32.*s %s\n", STR_FMT(t->name), lacks);
}

static void print_key(void *ctx, const struct table *t, struct str key,
                      enum compare_finding what)
{
    static const char *const WORDS[] = {[COMPARE_MISSING] = "missing",
                                        [COMPARE_EXTRA] = "extra",
                                        [COMPARE_DIFFERENT] = "different",
                                        [COMPARE_CHANGED] = "changed since"};
    struct buf text;
    (void)ctx;
    buf_init(&text, (size_t)1 << 20);
    if (t->nkey) {
        tally_key_text(&text, key);
    } else {
        buf_add_str(&text, key);
    }
    say("%.*s: %s: %s\n", STR_FMT(t->name), WORDS[what], buf_cstr(&text));
    buf_release(&text);
}

static void print_unnamed(void *ctx, const struct table *t, uint64_t keys)
{
    (void)ctx;
    say("%.*s: %" PRIu64 " keys more\n", STR_FMT(t->name), keys);
}

static void print_unsearched(void *ctx, const struct table *t, size_t buckets)
{
    (void)ctx;
    say("%.*s: %zu of %d buckets were not looked into\n", STR_FMT(t->name), buckets,
        TALLY_BUCKETS);
}

static const char *const ITEMS[] = {
    [COMPARE_REJECTED] = "rejected", [COMPARE_UNROUTED] = "unrouted"};

static void print_items(void *ctx, enum compare_items which, uint64_t source, uint64_t sink)
{
    (void)ctx;
    say("%s items: the source has %" PRIu64 ", the sink %" PRIu64 "\n", ITEMS[which], source,
        sink);
}

static void print_other_items(void *ctx, enum compare_items which)
{
    (void)ctx;
    say("%s items: the sink has as many as the source, but others\n", ITEMS[which]);
}

static void print_count(void *ctx, struct str name, struct str source, struct str sink)
{
    (void)ctx;
    say("%.*s: the source gives %.*s, the sink says %.*s\n", STR_FMT(name), STR_FMT(source),
        STR_FMT(sink));
}

static void print_reread(void *ctx, const struct compare_reread *n)
{
    (void)ctx;
    say("read again: %" PRIu64 " equal now, %" PRIu64 " changed since, %" PRIu64
        " different; not read again: %" PRIu64 "\n"
        "note: rows written since the export differ too: a live table under writes "
        "cannot be proved\n",
        n->equal, n->changed, n->different, n->unread);
}

static void print_not_reread(void *ctx, const struct err *why)
{
    (void)ctx;
    tell_warning("what differs is not read again: %s", why->msg);
}

struct compare_report comparison_report(bool quiet)
{
    return (struct compare_report){.table = quiet ? NULL : print_table,
                                   .lacking = print_lacking,
                                   .key = print_key,
                                   .unnamed = print_unnamed,
                                   .unsearched = print_unsearched,
                                   .items = print_items,
                                   .other_items = print_other_items,
                                   .count = print_count,
                                   .reread = print_reread,
                                   .not_reread = print_not_reread};
}

void comparison_print(const struct comparison *found)
{
    (void)printf("verified: %" PRIu64 " row%s in %" PRIu64 " table%s", found->rows,
                 plain_plural(found->rows), found->tables, plain_plural(found->tables));
    if (found->rejected || found->unrouted) {
        (void)printf("; %" PRIu64 " rejected, %" PRIu64 " unrouted", found->rejected,
                     found->unrouted);
    }
    if (found->changed)
        (void)printf(", but for %" PRIu64 " changed since", found->changed);
    (void)printf("\n");
}

void comparison_json(struct buf *out, const struct comparison *found)
{
    buf_addf(out,
             ",\"tables\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"differing\":%" PRIu64
             ",\"changed_since\":%" PRIu64 ",\"rejected\":%" PRIu64 ",\"unrouted\":%" PRIu64,
             found->tables, found->rows, found->differing, found->changed, found->rejected,
             found->unrouted);
}

void comparison_metrics(struct metrics *out, const struct comparison *found)
{
    metrics_one(out, "renorm_compared_rows", "rows that verify compared", (double)found->rows);
    metrics_one(out, "renorm_differences", "differences that verify found",
                (double)found->differing);
}
